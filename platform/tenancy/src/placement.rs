//! Where organisations live: named databases, and how to sign in to them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use routewright_core::config::{ConfigError, MasterKey, Source};
use routewright_core::{Error, OrganisationId, Result};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection as _, PgConnection};

use crate::pool::LogIn;
use crate::role;

/// The placement of `DATABASE_URL`, which also holds the schema `control`.
pub const DEFAULT: &str = "default";

/// The schema of the control plane.
pub const CONTROL_SCHEMA: &str = "control";

/// Connections that one organisation's role may hold on a placement, over all replicas, unless configured.
pub const CONNECTIONS_PER_ORGANISATION: u16 = 50;

/// The databases that organisations live in, and the key from which their roles' passwords come.
#[derive(Clone, Debug)]
pub struct Placements(Arc<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    owners: BTreeMap<String, PgConnectOptions>,
    master_key: MasterKey,
    connections_per_organisation: u16,
    postgres_bin: Option<PathBuf>,
}

impl Placements {
    /// A deployment with the placement `default` only.
    ///
    /// # Errors
    /// When `url` is no Postgres address.
    pub fn new(url: &str, master_key: MasterKey) -> Result<Self, ConfigError> {
        let owners = BTreeMap::from([(DEFAULT.to_owned(), parse("DATABASE_URL", url)?)]);
        Ok(Self(Arc::new(Inner {
            owners,
            master_key,
            connections_per_organisation: CONNECTIONS_PER_ORGANISATION,
            postgres_bin: None,
        })))
    }

    /// Adds a placement.
    ///
    /// # Errors
    /// When the name is not made of lower-case letters, digits and `_`, is taken, or `url` is no Postgres address.
    pub fn with(self, name: &str, url: &str) -> Result<Self, ConfigError> {
        let variable = format!("PLACEMENT_{}_URL", name.to_ascii_uppercase());
        let fault = |reason: &str| ConfigError { variable: variable.clone(), reason: reason.to_owned() };
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.is_empty() || name.len() > 40 || !name.chars().all(letters) {
            return Err(fault("a placement's name is made of lower-case letters, digits and _"));
        }
        let mut inner = Arc::unwrap_or_clone(self.0);
        if inner.owners.insert(name.to_owned(), parse(&variable, url)?).is_some() {
            return Err(fault("this placement is named twice"));
        }
        Ok(Self(Arc::new(inner)))
    }

    /// Reads `DATABASE_URL` (placement `default`), `PLACEMENTS` (further names, separated by commas) with one
    /// `PLACEMENT_{NAME}_URL` each, `ORGANISATION_CONNECTIONS`, and `POSTGRES_BIN`, the folder of Postgres' tools.
    ///
    /// # Errors
    /// When a variable is missing or wrong.
    pub fn from_source(source: &impl Source, master_key: MasterKey) -> Result<Self, ConfigError> {
        let mut placements = Self::new(&source.required("DATABASE_URL")?, master_key)?;
        let names = source.text("PLACEMENTS").unwrap_or_default();
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let url = source.required(&format!("PLACEMENT_{}_URL", name.to_ascii_uppercase()))?;
            placements = placements.with(name, &url)?;
        }
        let mut inner = Arc::unwrap_or_clone(placements.0);
        inner.connections_per_organisation =
            source.parsed("ORGANISATION_CONNECTIONS", CONNECTIONS_PER_ORGANISATION)?.max(1);
        inner.postgres_bin = source.text("POSTGRES_BIN").map(PathBuf::from);
        Ok(Self(Arc::new(inner)))
    }

    /// The names of all placements.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.owners.keys().map(String::as_str)
    }

    /// The deployment's root secret.
    #[must_use]
    pub fn master_key(&self) -> &MasterKey {
        &self.0.master_key
    }

    /// Connections that one organisation's role may hold on a placement.
    #[must_use]
    pub fn connections_per_organisation(&self) -> u16 {
        self.0.connections_per_organisation
    }

    /// Where one of Postgres' tools is: in `POSTGRES_BIN`, else wherever the system finds it.
    #[must_use]
    pub fn postgres_tool(&self, name: &str) -> PathBuf {
        self.0.postgres_bin.as_ref().map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
    }

    /// How the service's own login, which owns all schemas, signs in to a placement.
    ///
    /// # Errors
    /// When the placement is not configured.
    pub fn owner(&self, placement: &str) -> Result<PgConnectOptions> {
        self.0.owners.get(placement).cloned().ok_or_else(|| {
            Error::internal(format!("placement `{placement}` is not configured: see PLACEMENTS"))
        })
    }

    /// How the service's own login signs in to the schema `control`. All pools called `control` come from here.
    ///
    /// # Errors
    /// Never for placements made by this type; the signature follows [`Self::owner`].
    pub fn control(&self) -> Result<PgConnectOptions> {
        Ok(self.owner(DEFAULT)?.options([("search_path", CONTROL_SCHEMA)]))
    }

    /// How an organisation's own role signs in to a placement.
    ///
    /// # Errors
    /// When the placement is not configured.
    pub fn organisation(&self, placement: &str, organisation: OrganisationId) -> Result<PgConnectOptions> {
        let password = role::password(&self.0.master_key, organisation)?;
        Ok(self
            .owner(placement)?
            .username(&role::name(organisation))
            .password(password.reveal())
            .application_name("routewright tenant")
            // Compiling a statement takes longer than any of a service's own runs; Postgres guesses otherwise from many rows.
            .options([("jit", "off")]))
    }

    /// The same as a function, for [`crate::Tenants`].
    #[must_use]
    pub fn log_in(&self) -> LogIn {
        let placements = self.clone();
        Arc::new(move |organisation, placement| placements.organisation(placement, organisation))
    }

    /// Brings an organisation's login back to its derived password and its settings: a login may change its own.
    ///
    /// # Errors
    /// When the placement cannot be reached, or the role belongs to another deployment.
    pub async fn heal(&self, placement: &str, organisation: OrganisationId) -> Result<()> {
        let mut owner = self.connect_owner(placement, organisation).await?;
        role::heal(&mut owner, &self.0.master_key, organisation).await?;
        Ok(owner.close().await?)
    }

    /// A connection of the service's own login that works in an organisation's schema, outside any pool.
    /// Its statements are not logged: some carry password verifiers.
    ///
    /// # Errors
    /// When the placement is not configured or cannot be reached.
    pub async fn connect_owner(&self, placement: &str, organisation: OrganisationId) -> Result<PgConnection> {
        let options = self
            .owner(placement)?
            .options([("search_path", role::name(organisation))])
            .application_name("routewright provisioning")
            .disable_statement_logging();
        Ok(options.connect().await?)
    }
}

fn parse(variable: &str, url: &str) -> Result<PgConnectOptions, ConfigError> {
    // The reason leaves out the address, which holds a password.
    let options = PgConnectOptions::from_str(url).map_err(|_| ConfigError {
        variable: variable.to_owned(),
        reason: "is not of the form postgres://user:password@host:port/database".to_owned(),
    })?;
    if !(url.starts_with("postgres://") || url.starts_with("postgresql://"))
        || options.get_database().is_none()
    {
        return Err(ConfigError {
            variable: variable.to_owned(),
            reason: "is not of the form postgres://user:password@host:port/database".to_owned(),
        });
    }
    Ok(options)
}

/// Takes from everybody what a fresh Postgres database gives away: temporary tables and the schema `public`.
/// What is left to a role is the right to connect.
///
/// # Errors
/// When the login does not own the database, so that these rights stay in place.
pub async fn close_database(owner: &mut PgConnection) -> Result<()> {
    sqlx::raw_sql(
        "begin;
         select pg_advisory_xact_lock(hashtextextended('routewright database', 0));
         do $$
         begin
             if has_database_privilege('public', current_database(), 'temp')
                 or has_database_privilege('public', current_database(), 'create') then
                 execute format('revoke temporary, create on database %I from public', current_database());
             end if;
             if exists (
                 select from pg_namespace
                 where nspname = 'public'
                     and (has_schema_privilege('public', oid, 'usage') or has_schema_privilege('public', oid, 'create'))
             ) then
                 revoke all on schema public from public;
             end if;
         end
         $$;
         commit",
    )
    .execute(&mut *owner)
    .await?;
    let open: bool = sqlx::query_scalar(
        "select has_database_privilege('public', current_database(), 'temp')
             or has_database_privilege('public', current_database(), 'create')
             or exists (
                 select from pg_namespace
                 where nspname = 'public'
                     and (has_schema_privilege('public', oid, 'usage') or has_schema_privilege('public', oid, 'create'))
             )",
    )
    .fetch_one(owner)
    .await?;
    if open {
        return Err(Error::internal(
            "every role may create tables in this database: make the login of DATABASE_URL its owner",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn key() -> MasterKey {
        MasterKey::new("4f1d2c3b5a69788796a5b4c3d2e1f00f".to_owned()).unwrap()
    }

    #[test]
    fn placements_are_read_from_the_environment_and_each_needs_an_address() {
        let mut variables = BTreeMap::from([
            ("DATABASE_URL".to_owned(), "postgres://owner:p@db:5433/routewright".to_owned()),
            ("PLACEMENTS".to_owned(), "eu, us_2".to_owned()),
            ("PLACEMENT_EU_URL".to_owned(), "postgres://owner:p@eu:5432/routewright".to_owned()),
        ]);
        let error = Placements::from_source(&variables, key()).unwrap_err();
        assert_eq!(error.variable, "PLACEMENT_US_2_URL");
        variables.insert("PLACEMENT_US_2_URL".to_owned(), "postgresql://owner:p@us/routewright".to_owned());
        let placements = Placements::from_source(&variables, key()).unwrap();
        assert_eq!(placements.names().collect::<Vec<_>>(), ["default", "eu", "us_2"]);
        let options = placements.organisation("eu", OrganisationId::new(7)).unwrap();
        assert_eq!((options.get_host(), options.get_username()), ("eu", "org_7"));
        assert!(placements.owner("moon").is_err());
    }

    #[test]
    fn a_wrong_address_is_refused_without_printing_its_password() {
        for url in ["mysql://u:hunter2@h/d", "postgres://u:hunter2@h:port/d", "postgres://u:hunter2@h", ""] {
            let error = Placements::new(url, key()).unwrap_err().to_string();
            assert!(error.contains("DATABASE_URL") && !error.contains("hunter2"), "{error}");
        }
    }
}
