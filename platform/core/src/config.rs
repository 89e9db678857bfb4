//! Configuration comes from the environment, is read once in `main`, and a wrong value stops the start.

use std::str::FromStr;

/// A configuration fault: which variable and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{variable}: {reason}")]
pub struct ConfigError {
    /// The environment variable.
    pub variable: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Where values come from; the environment of the process, or a map in tests and the one-machine launcher.
pub trait Source {
    /// The value of a variable; blank counts as unset.
    fn text(&self, variable: &str) -> Option<String>;

    /// A variable that must be set.
    ///
    /// # Errors
    /// When it is missing.
    fn required(&self, variable: &str) -> Result<String, ConfigError> {
        self.text(variable)
            .ok_or_else(|| ConfigError { variable: variable.to_owned(), reason: "is not set".to_owned() })
    }

    /// A variable that parses as `T`, or `default`.
    ///
    /// # Errors
    /// When it is set and does not parse.
    fn parsed<T: FromStr>(&self, variable: &str, default: T) -> Result<T, ConfigError> {
        match self.text(variable) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| ConfigError {
                variable: variable.to_owned(),
                reason: format!("`{text}` is not a valid value"),
            }),
        }
    }
}

/// The environment of the process.
#[derive(Debug, Clone, Copy)]
pub struct Environment;

impl Source for Environment {
    fn text(&self, variable: &str) -> Option<String> {
        std::env::var(variable).ok().filter(|value| !value.trim().is_empty())
    }
}

impl Source for std::collections::BTreeMap<String, String> {
    fn text(&self, variable: &str) -> Option<String> {
        self.get(variable).cloned().filter(|value| !value.trim().is_empty())
    }
}

/// What both services need to know about their deployment.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// `ROUTEWRIGHT_MODE`: `production` (default) or `local`, the one-machine mode with demo logins.
    pub local: bool,
    /// `PUBLIC_URL`: where browsers reach the product, without a trailing slash.
    pub public_url: String,
    /// `SELF_SIGNUP`: whether `POST /users/register` makes organisations (default: only in local mode).
    pub self_signup: bool,
    /// `MASTER_KEY`: the secret from which token keys, database passwords and link keys are derived.
    pub master_key: MasterKey,
}

/// The deployment's root secret; never printed.
#[derive(Clone)]
pub struct MasterKey(String);

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(…)")
    }
}

impl MasterKey {
    /// Takes a secret of at least 32 characters.
    ///
    /// # Errors
    /// When it is shorter or a well-known example.
    pub fn new(text: String) -> Result<Self, ConfigError> {
        let fault =
            |reason: &str| ConfigError { variable: "MASTER_KEY".to_owned(), reason: reason.to_owned() };
        if text.len() < 32 {
            return Err(fault("must have at least 32 characters"));
        }
        if ["change", "default", "example", "secret", "routewright"]
            .iter()
            .any(|word| text.to_ascii_lowercase().contains(word))
        {
            return Err(fault("must be a random secret, not an example"));
        }
        Ok(Self(text))
    }

    /// A 32-byte key for one purpose, by HKDF-SHA256 (RFC 5869) with `purpose` as info.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut key = [0; 32];
        let expanded =
            hkdf::Hkdf::<sha2::Sha256>::new(None, self.bytes()).expand(purpose.as_bytes(), &mut key);
        // 32 bytes are far below the 8,160 that HKDF-SHA256 can give, so that this cannot fail.
        debug_assert!(expanded.is_ok(), "HKDF gives 32 bytes");
        key
    }

    /// The bytes that keys are derived from.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Deployment {
    /// Reads the deployment.
    ///
    /// # Errors
    /// When a variable is missing or wrong.
    pub fn from_source(source: &impl Source) -> Result<Self, ConfigError> {
        let mode = source.text("ROUTEWRIGHT_MODE").unwrap_or_else(|| "production".to_owned());
        let local = match mode.as_str() {
            "production" => false,
            "local" => true,
            other => {
                return Err(ConfigError {
                    variable: "ROUTEWRIGHT_MODE".to_owned(),
                    reason: format!("`{other}` is neither production nor local"),
                });
            }
        };
        Ok(Self {
            local,
            public_url: source.required("PUBLIC_URL")?.trim_end_matches('/').to_owned(),
            self_signup: source.parsed("SELF_SIGNUP", local)?,
            master_key: MasterKey::new(source.required("MASTER_KEY")?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_default_secret_is_refused() {
        let mut variables = BTreeMap::from([
            ("PUBLIC_URL".to_owned(), "https://plan.example.org/".to_owned()),
            ("MASTER_KEY".to_owned(), "change-me-change-me-change-me-change-me".to_owned()),
        ]);
        assert!(Deployment::from_source(&variables).is_err());
        variables.insert("MASTER_KEY".to_owned(), "b7f1c9e2a4d60835b7f1c9e2a4d60835".to_owned());
        let deployment = Deployment::from_source(&variables);
        assert!(deployment.is_ok_and(|d| !d.local && d.public_url == "https://plan.example.org"));
    }
}
