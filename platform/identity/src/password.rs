//! Passwords: Argon2id with the parameters that OWASP recommends (19 MiB, 2 passes, 1 lane).

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use routewright_core::error::Kind as ErrorKind;
use routewright_core::{Error, Result, transaction};
use routewright_governor::{Kind, Seats, Share, Sizes, Turns, priority};

/// Longest password that is hashed; a longer one is refused rather than cut.
pub const LONGEST: usize = 200;

/// Hashes and verifies passwords on their own threads, a few at a time, so that a burst of sign-ins neither exhausts
/// memory nor delays other requests; organisations take turns, and sign-ins of whoever are one of them.
#[derive(Clone)]
pub struct Passwords {
    turns: Turns,
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
        Ok(Self {
            turns: Turns::new(sizes(at_once.max(1))).seated(Seats::of_machine()),
            dummy: dummy.to_string().into(),
        })
    }

    /// Hashes a password into a PHC string.
    ///
    /// # Errors
    /// 400 when it is too long; 503 when too many are hashed at once; 500 when hashing fails.
    pub async fn hash(&self, share: impl Into<Share>, password: &str) -> Result<String> {
        if password.len() > LONGEST {
            return Err(Error::field("password", format!("Password must have at most {LONGEST} characters")));
        }
        let password = password.to_owned();
        self.run(share, move || {
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
    /// 503 when too many are verified at once; 500 when the stored hash is damaged.
    pub async fn verify(&self, share: impl Into<Share>, password: &str, hash: Option<&str>) -> Result<bool> {
        if password.len() > LONGEST {
            return Ok(false);
        }
        let known = hash.is_some();
        let hash = hash.unwrap_or(&self.dummy).to_owned();
        let password = password.to_owned();
        let matches = self
            .run(share, move || {
                let parsed = PasswordHash::new(&hash).map_err(|error| Error::internal(error.to_string()))?;
                Ok::<bool, Error>(argon2().verify_password(password.as_bytes(), &parsed).is_ok())
            })
            .await??;
        Ok(known && matches)
    }

    async fn run<T: Send + 'static>(
        &self,
        share: impl Into<Share>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        transaction::slow("a password");
        let turn = self.turns.take(share, Kind::Hash.name(), Kind::Hash.memory()).await;
        turn.map_err(|_| busy())?.work(priority::WORK, work).await
    }
}

/// A hash takes some hundredths of a second: that many wait some seconds, as when everybody comes to work.
fn sizes(at_once: usize) -> Sizes {
    let memory = Kind::Hash.memory() * at_once as u64;
    let waiting = 128 * at_once;
    Sizes {
        at_once,
        each: at_once,
        beside_others: at_once,
        memory,
        memory_each: memory,
        waiting_each: waiting,
        waiting: 4 * waiting,
        patience: Duration::from_secs(30),
    }
}

fn busy() -> Error {
    let text = "Too many passwords are checked at once. Please try again in a moment.";
    Error::new(ErrorKind::Unavailable, text).retry_after(5)
}

#[cfg(test)]
mod tests {
    use routewright_core::OrganisationId;

    use super::*;

    #[tokio::test]
    async fn only_the_right_password_of_a_known_user_passes() -> Result<()> {
        let passwords = Passwords::new(2)?;
        let hash = passwords.hash(None, "correct horse").await?;
        assert!(hash.starts_with("$argon2id$"));
        assert!(passwords.verify(None, "correct horse", Some(&hash)).await?);
        assert!(!passwords.verify(None, "wrong horse", Some(&hash)).await?);
        assert!(!passwords.verify(None, "nobody's password", None).await?);
        assert!(passwords.hash(None, &"x".repeat(LONGEST + 1)).await.is_err());
        Ok(())
    }

    /// V-05: no transaction is open while a password is hashed or waits for its turn.
    #[tokio::test]
    async fn v_05_passwords_are_hashed_without_a_transaction() -> Result<()> {
        transaction::enforce();
        let passwords = Passwords::new(1)?;
        for (open, refused) in [(false, false), (true, true)] {
            let passwords = passwords.clone();
            let call = tokio::spawn(transaction::watched("POST /users", async move {
                let _open = open.then(transaction::Open::begin);
                passwords.hash(None, "correct horse").await
            }));
            assert_eq!(call.await.is_err_and(|error| error.is_panic()), refused);
        }
        Ok(())
    }

    /// V-02: an organisation that has many passwords hashed keeps nobody from signing in, and what is too much is refused.
    #[tokio::test]
    async fn organisations_take_turns_at_hashing() -> Result<()> {
        let passwords = Passwords::new(1)?;
        let loud = OrganisationId::new(1);
        let (tell, mut done) = tokio::sync::mpsc::unbounded_channel();
        let mut hashing = tokio::task::JoinSet::new();
        let begin = |hashing: &mut tokio::task::JoinSet<Result<()>>, of: Option<OrganisationId>| {
            let (passwords, tell) = (passwords.clone(), tell.clone());
            hashing.spawn(async move {
                passwords.hash(of, "correct horse").await?;
                tell.send(of).map_err(Error::internal)
            });
        };
        for _ in 0..4 {
            begin(&mut hashing, Some(loud));
        }
        tokio::task::yield_now().await;
        begin(&mut hashing, None);
        let order = [done.recv().await, done.recv().await];
        assert_eq!(order, [Some(Some(loud)), Some(None)], "one is under way, then it is the other's turn");

        hashing.abort_all();
        let mut many = tokio::task::JoinSet::new();
        for _ in 0..=sizes(1).waiting_each + 1 {
            let passwords = passwords.clone();
            many.spawn(async move { passwords.hash(loud, "x").await });
        }
        let refused = loop {
            match many.join_next().await {
                Some(Ok(Err(refused))) => break refused,
                Some(_) => {}
                None => return Err(Error::internal("nobody was refused")),
            }
        };
        assert_eq!((refused.kind(), refused.retry_after_seconds()), (ErrorKind::Unavailable, Some(5)));
        Ok(())
    }
}
