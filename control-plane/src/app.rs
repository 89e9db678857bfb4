//! The application state.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use routewright_core::transaction::Open;
use routewright_core::{Clock, Error, OrganisationId, Result};
use routewright_identity::password::Passwords;
use routewright_identity::{Gate, LinkKeys, Policies, Tokens};
use routewright_tenancy::Tenants;
use routewright_tenancy::pool::Budget;
use routewright_tenancy::provisioning::{NewAdmin, Provisioning};
use sha2::Sha256;
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::providers::{Gis, Provider};
use crate::refused::Refused;

/// Connections of this process to organisations' schemas: it only looks a thing up there now and then.
const TENANT_CONNECTIONS: Budget = Budget { connections: 8, each: 2 };

/// What handlers and background work share. Cheap to clone; one per process.
#[derive(Clone)]
pub struct App {
    /// The configuration.
    pub config: Arc<Config>,
    /// The control schema.
    pub control: PgPool,
    /// The organisations' schemas.
    pub(crate) tenants: Tenants,
    /// Verifies callers, issues tokens.
    pub gate: Gate,
    /// Hashes passwords.
    pub passwords: Passwords,
    /// Makes and removes organisations.
    pub provisioning: Provisioning,
    /// The time.
    pub clock: Clock,
    pub(crate) refused: Refused,
    /// Turns at making the organisations of those who sign up.
    pub(crate) sign_ups: Arc<Semaphore>,
    pub(crate) oidc: Option<Arc<Provider>>,
    pub(crate) gis: Option<Arc<Gis>>,
}

/// A transaction in the control schema beside that of the request; rolled back unless committed. Nothing slow is waited for while
/// it is open.
pub(crate) struct Work {
    transaction: Transaction<'static, Postgres>,
    _open: Open,
}

impl Work {
    /// Commits.
    ///
    /// # Errors
    /// Database faults.
    pub(crate) async fn commit(self) -> Result<()> {
        Ok(self.transaction.commit().await?)
    }
}

impl Deref for Work {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.transaction
    }
}

impl DerefMut for Work {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.transaction
    }
}

impl App {
    /// Begins a transaction in the control schema.
    ///
    /// # Errors
    /// 503 when no connection comes free in time.
    pub(crate) async fn begin(&self) -> Result<Work> {
        Ok(Work { transaction: self.control.begin().await?, _open: Open::begin() })
    }

    /// Keyed hash of what is looked up but must not be readable in the database: tokens, tried addresses.
    ///
    /// # Errors
    /// Never in practice: HMAC takes keys of any length.
    pub(crate) fn keyed_hash(&self, purpose: &str, text: &str) -> Result<[u8; 32]> {
        let key = self.config.deployment.master_key.derive(&format!("routewright/{purpose}/1"));
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(Error::internal)?;
        mac.update(text.as_bytes());
        Ok(mac.finalize().into_bytes().into())
    }
}

/// Connects to the database, whose control schema must be migrated.
///
/// # Errors
/// When the database cannot be reached.
pub async fn connect(config: Config, clock: Clock) -> Result<App> {
    let options = config.placements.control()?.application_name("routewright control plane");
    let control = routewright_tenancy::control::shared(config.connections)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(options)
        .await?;
    let master = &config.deployment.master_key;
    let links = LinkKeys::new(master);
    let scenario_links = links.clone();
    let gate = Gate {
        tokens: Tokens::new(master, clock.clone()),
        links,
        policies: Policies::new(control.clone(), clock.clone()),
    };
    let provisioning = Provisioning::new(
        control.clone(),
        config.placements.clone(),
        clock.clone(),
        Arc::new(move |organisation| scenario_links.long(organisation)),
    );
    Ok(App {
        passwords: Passwords::new(config.password_hashes)?,
        oidc: config.oidc.clone().map(Provider::new).transpose()?.map(Arc::new),
        gis: config.esri.clone().map(Gis::new).transpose()?.map(Arc::new),
        tenants: Tenants::healing(TENANT_CONNECTIONS, config.placements.clone()),
        config: Arc::new(config),
        refused: Refused::default(),
        sign_ups: Arc::new(Semaphore::new(1)),
        control,
        gate,
        provisioning,
        clock,
    })
}

/// Makes the organisation Master when it is missing, with the first administrator of the configuration when it has no
/// user.
///
/// # Errors
/// When it cannot be made.
pub async fn ensure_master(app: &App) -> Result<OrganisationId> {
    let admin = match &app.config.master_admin {
        None => None,
        Some(admin) => Some(NewAdmin {
            email: admin.email.clone(),
            password_hash: Some(app.passwords.hash(None, &admin.password).await?),
            first_name: None,
            last_name: None,
            phone_number: None,
            personal_data_consent: false,
        }),
    };
    app.provisioning.ensure_master(chrono_tz::Tz::UTC, admin).await
}
