//! Passwords: Argon2id with the parameters that OWASP recommends (19 MiB, 2 passes, 1 lane).

use std::sync::Arc;

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use routewright_core::{Error, Result};
use tokio::sync::Semaphore;

/// Longest password that is hashed; a longer one is refused rather than cut.
pub const LONGEST: usize = 200;

/// Hashes and verifies passwords on their own threads, a few at a time, so that a burst of sign-ins neither exhausts
/// memory nor delays other requests.
#[derive(Clone)]
pub struct Passwords {
    room: Arc<Semaphore>,
    dummy: Arc<str>,
}

fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::DEFAULT)
}

impl Passwords {
    /// At most `at_once` hashes run at the same time.
    ///
    /// # Errors
    /// When the dummy hash for unknown users cannot be made.
    pub fn new(at_once: usize) -> Result<Self> {
        let dummy = argon2()
            .hash_password(b"nobody's password")
            .map_err(|error| Error::internal(error.to_string()))?;
        Ok(Self { room: Arc::new(Semaphore::new(at_once.max(1))), dummy: dummy.to_string().into() })
    }

    /// Hashes a password into a PHC string.
    ///
    /// # Errors
    /// 400 when it is too long; 500 when hashing fails.
    pub async fn hash(&self, password: &str) -> Result<String> {
        if password.len() > LONGEST {
            return Err(Error::field("password", format!("Password must have at most {LONGEST} characters")));
        }
        let password = password.to_owned();
        self.run(move || {
            argon2()
                .hash_password(password.as_bytes())
                .map(|hash| hash.to_string())
                .map_err(|error| Error::internal(error.to_string()))
        })
        .await?
    }

    /// Whether `password` belongs to `hash`. Without a hash it takes as long and says no, so that answers do not tell
    /// which addresses exist.
    ///
    /// # Errors
    /// 500 when the stored hash is damaged.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        if password.len() > LONGEST {
            return Ok(false);
        }
        let known = hash.is_some();
        let hash = hash.unwrap_or(&self.dummy).to_owned();
        let password = password.to_owned();
        let matches = self
            .run(move || {
                let parsed = PasswordHash::new(&hash).map_err(|error| Error::internal(error.to_string()))?;
                Ok::<bool, Error>(argon2().verify_password(password.as_bytes(), &parsed).is_ok())
            })
            .await??;
        Ok(known && matches)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let _permit = self.room.acquire().await.map_err(Error::internal)?;
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_of_a_known_user_passes() -> Result<()> {
        let passwords = Passwords::new(2)?;
        let hash = passwords.hash("correct horse").await?;
        assert!(hash.starts_with("$argon2id$"));
        assert!(passwords.verify("correct horse", Some(&hash)).await?);
        assert!(!passwords.verify("wrong horse", Some(&hash)).await?);
        assert!(!passwords.verify("nobody's password", None).await?);
        assert!(passwords.hash(&"x".repeat(LONGEST + 1)).await.is_err());
        Ok(())
    }
}
