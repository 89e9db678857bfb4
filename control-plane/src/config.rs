//! Configuration of the control plane, from the environment.

use std::path::PathBuf;

use routewright_core::config::{ConfigError, Deployment, Source};
use routewright_messaging::SmtpConfig;
use routewright_tenancy::placement::Placements;
use url::Url;

/// What the control plane needs to know.
#[derive(Clone, Debug)]
pub struct Config {
    /// Deployment-wide settings.
    pub deployment: Deployment,
    /// `DATABASE_URL` and further databases in which organisations live.
    pub placements: Placements,
    /// `CONTROL_CONNECTIONS`: connections of this process to the control schema.
    pub connections: u32,
    /// `PASSWORD_HASHES`: passwords that are hashed at the same time, 19 MiB of memory each.
    pub password_hashes: usize,
    /// `TRUSTED_PROXIES`: proxies in front of this service that add to `X-Forwarded-For`; 0 without any.
    pub trusted_proxies: usize,
    /// How often the public may try.
    pub limits: Limits,
    /// The first user of the Master organisation.
    pub master_admin: Option<MasterAdmin>,
    /// The identity provider.
    pub oidc: Option<OidcConfig>,
    /// The map vendor.
    pub esri: Option<EsriConfig>,
    /// The mail server; without one, mails stay in the outbox.
    pub smtp: Option<SmtpConfig>,
    /// `BACKUP_FOLDER`: where backups of organisations lie; one that all replicas share.
    pub backup_folder: Option<PathBuf>,
    /// `REHEARSALS`: most rehearsals at the same time.
    pub rehearsals: i64,
}

/// Requests that one address may make.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// `SIGN_IN_LIMIT`: sign-ins per minute. An office shares one address.
    pub sign_in: i32,
    /// `RESET_LIMIT`: requests for reset mails and uses of reset links per hour.
    pub reset: i32,
    /// `SIGN_UP_LIMIT`: sign-ups per hour.
    pub sign_up: i32,
    /// Sign-ups per hour with addresses that somebody has.
    pub taken: i32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { sign_in: 120, reset: 30, sign_up: 20, taken: 3 }
    }
}

/// `MASTER_ADMIN_EMAIL`, `MASTER_ADMIN_PASSWORD`: used once, when the Master organisation has no user.
#[derive(Clone)]
pub struct MasterAdmin {
    /// E-mail address.
    pub email: String,
    /// First password.
    pub password: String,
}

impl std::fmt::Debug for MasterAdmin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MasterAdmin").field("email", &self.email).finish_non_exhaustive()
    }
}

/// An OpenID Connect provider.
#[derive(Clone)]
pub struct OidcConfig {
    /// `OIDC_ISSUER`.
    pub issuer: Url,
    /// `OIDC_CLIENT_ID`.
    pub client_id: String,
    /// `OIDC_CLIENT_SECRET`.
    pub client_secret: String,
    /// `OIDC_NAME`: what people read on the button.
    pub name: String,
}

impl std::fmt::Debug for OidcConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OidcConfig").field("issuer", &self.issuer.as_str()).finish_non_exhaustive()
    }
}

/// An account that gives tokens for the map vendor's tiles.
#[derive(Clone)]
pub struct EsriConfig {
    /// `ESRI_TOKEN_URL`: OAuth2 token endpoint.
    pub token_url: Url,
    /// `ESRI_CLIENT_ID`.
    pub client_id: String,
    /// `ESRI_CLIENT_SECRET`.
    pub client_secret: String,
}

impl std::fmt::Debug for EsriConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EsriConfig").field("token_url", &self.token_url.as_str()).finish_non_exhaustive()
    }
}

impl Config {
    /// Reads the configuration.
    ///
    /// # Errors
    /// Naming the variable that is missing or wrong.
    pub fn from_source(source: &impl Source) -> Result<Self, ConfigError> {
        let deployment = Deployment::from_source(source)?;
        let usual = Limits::default();
        Ok(Self {
            placements: Placements::from_source(source, deployment.master_key.clone())?,
            connections: source.parsed("CONTROL_CONNECTIONS", 16)?.max(2),
            password_hashes: source.parsed("PASSWORD_HASHES", 4)?.max(1),
            trusted_proxies: source.parsed("TRUSTED_PROXIES", 0)?,
            limits: Limits {
                sign_in: source.parsed("SIGN_IN_LIMIT", usual.sign_in)?,
                reset: source.parsed("RESET_LIMIT", usual.reset)?,
                sign_up: source.parsed("SIGN_UP_LIMIT", usual.sign_up)?,
                taken: usual.taken,
            },
            master_admin: master_admin(source, deployment.local)?,
            oidc: oidc(source, deployment.local)?,
            esri: esri(source)?,
            smtp: SmtpConfig::from_source(source)?,
            backup_folder: source.text("BACKUP_FOLDER").map(PathBuf::from),
            rehearsals: source.parsed("REHEARSALS", 20)?,
            deployment,
        })
    }
}

fn master_admin(source: &impl Source, local: bool) -> Result<Option<MasterAdmin>, ConfigError> {
    let Some(email) = source.text("MASTER_ADMIN_EMAIL") else { return Ok(None) };
    let password = source.required("MASTER_ADMIN_PASSWORD")?;
    let common =
        ["password", "admin", "master", "changeme", "change-me", "secret", "routewright", "12345678"];
    let lower = password.to_ascii_lowercase();
    if !local && (password.chars().count() < 12 || common.iter().any(|word| lower.contains(word))) {
        return Err(ConfigError {
            variable: "MASTER_ADMIN_PASSWORD".to_owned(),
            reason: "must have at least 12 characters and not be a common or default one".to_owned(),
        });
    }
    Ok(Some(MasterAdmin { email, password }))
}

fn oidc(source: &impl Source, local: bool) -> Result<Option<OidcConfig>, ConfigError> {
    let Some(issuer) = source.text("OIDC_ISSUER") else { return Ok(None) };
    let issuer = address("OIDC_ISSUER", &issuer)?;
    if issuer.scheme() != "https" && !local {
        return Err(ConfigError {
            variable: "OIDC_ISSUER".to_owned(),
            reason: "must start with https://".to_owned(),
        });
    }
    Ok(Some(OidcConfig {
        issuer,
        client_id: source.required("OIDC_CLIENT_ID")?,
        client_secret: source.required("OIDC_CLIENT_SECRET")?,
        name: source.text("OIDC_NAME").unwrap_or_else(|| "Single sign-on".to_owned()),
    }))
}

fn esri(source: &impl Source) -> Result<Option<EsriConfig>, ConfigError> {
    let Some(client_id) = source.text("ESRI_CLIENT_ID") else { return Ok(None) };
    let usual = "https://www.arcgis.com/sharing/rest/oauth2/token".to_owned();
    Ok(Some(EsriConfig {
        token_url: address("ESRI_TOKEN_URL", &source.text("ESRI_TOKEN_URL").unwrap_or(usual))?,
        client_id,
        client_secret: source.required("ESRI_CLIENT_SECRET")?,
    }))
}

fn address(variable: &str, text: &str) -> Result<Url, ConfigError> {
    Url::parse(text).ok().filter(Url::has_host).ok_or_else(|| ConfigError {
        variable: variable.to_owned(),
        reason: format!("`{text}` is not a web address"),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn variables() -> BTreeMap<String, String> {
        [
            ("PUBLIC_URL", "https://plan.example.org"),
            ("MASTER_KEY", "b7f1c9e2a4d60835b7f1c9e2a4d60835"),
            ("DATABASE_URL", "postgres://u:p@localhost/db"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    }

    #[test]
    fn a_default_password_of_the_first_administrator_is_refused_in_production() {
        let mut variables = variables();
        assert!(Config::from_source(&variables).is_ok_and(|config| config.master_admin.is_none()));
        variables.insert("MASTER_ADMIN_EMAIL".to_owned(), "ops@example.org".to_owned());
        for (password, accepted) in
            [("changeme-changeme", false), ("short", false), ("vk3-Quartz-lamp", true)]
        {
            variables.insert("MASTER_ADMIN_PASSWORD".to_owned(), password.to_owned());
            assert_eq!(Config::from_source(&variables).is_ok(), accepted, "{password}");
        }
        variables.insert("MASTER_ADMIN_PASSWORD".to_owned(), "short".to_owned());
        variables.insert("ROUTEWRIGHT_MODE".to_owned(), "local".to_owned());
        assert!(Config::from_source(&variables).is_ok());
    }

    #[test]
    fn an_identity_provider_must_be_reached_safely() {
        let mut variables = variables();
        for (name, value) in
            [("OIDC_ISSUER", "http://id.example.org"), ("OIDC_CLIENT_ID", "c"), ("OIDC_CLIENT_SECRET", "s")]
        {
            variables.insert(name.to_owned(), value.to_owned());
        }
        let error = Config::from_source(&variables).unwrap_err().to_string();
        assert_eq!(error, "OIDC_ISSUER: must start with https://");
        variables.insert("OIDC_ISSUER".to_owned(), "https://id.example.org".to_owned());
        assert!(Config::from_source(&variables).is_ok_and(|config| config.oidc.is_some()));
    }
}
