//! Fresh databases on the Postgres of `DATABASE_URL`, for tests of this crate and of those above it
//! (`#[path = "../../tenancy/tests/support/mod.rs"] mod support;`).

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rand::Rng as _;
use routewright_core::config::MasterKey;
use routewright_core::{Clock, OrganisationId};
use routewright_tenancy::control::shared;
use routewright_tenancy::migration::migrate_control;
use routewright_tenancy::placement::Placements;
use routewright_tenancy::provisioning::{NewOrganisation, Provisioning};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, PgPool};

/// Roles are common to all databases of the server: all tests have to agree on their passwords.
pub(crate) fn master_key() -> MasterKey {
    MasterKey::new("0a6d3f5c9b1e48720a6d3f5c9b1e4872".to_owned()).unwrap()
}

pub(crate) fn server() -> String {
    std::env::var("DATABASE_URL").expect("DATABASE_URL: see infra/ci/postgres.sh")
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Creates an empty database and answers its address. Those of earlier runs are removed.
pub(crate) async fn empty_database() -> String {
    let server = server();
    let mut connection = PgConnection::connect(&server).await.unwrap();
    let old: Vec<String> =
        sqlx::query_scalar("select datname::text from pg_database where datname like 'test\\_%'")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    for name in old {
        let made: Option<u64> = name.split('_').nth(1).and_then(|text| text.parse().ok());
        if made.is_some_and(|made| made + 3600 < seconds()) {
            // Another test may be removing it at this moment.
            drop(run(&mut connection, format!("drop database if exists {name}")).await);
        }
    }
    let name = format!("test_{}_{:08x}", seconds(), rand::rng().random::<u32>());
    run(&mut connection, format!("create database {name}")).await.unwrap();
    let (address, _) = server.rsplit_once('/').unwrap();
    format!("{address}/{name}")
}

pub(crate) async fn run(connection: &mut PgConnection, statements: String) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(connection).await.map(|_| ())
}

/// A deployment of its own: a fresh database with a migrated control schema.
pub(crate) struct Deployment {
    pub(crate) placements: Placements,
    pub(crate) control: PgPool,
    pub(crate) provisioning: Provisioning,
    pub(crate) clock: Clock,
}

impl Deployment {
    pub(crate) async fn fresh() -> Self {
        Self::with_placements(&[]).await
    }

    /// With further placements, each in a database of its own.
    pub(crate) async fn with_placements(names: &[&str]) -> Self {
        let mut placements = Placements::new(&empty_database().await, master_key()).unwrap();
        for name in names {
            placements = placements.with(name, &empty_database().await).unwrap();
        }
        migrate_control(&placements.owner("default").unwrap()).await.unwrap();
        let deployment = Self::on(placements, Clock::system()).await;
        // Ids name roles, and roles are common to all databases of the server.
        let start = rand::rng().random_range(1_000_000_u64..1 << 40);
        let statement = format!("alter table organisations alter column id restart with {start}");
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&deployment.control).await.unwrap();
        deployment
    }

    pub(crate) async fn on(placements: Placements, clock: Clock) -> Self {
        let control = shared(8).connect_with(placements.control().unwrap()).await.unwrap();
        let provisioning = Provisioning::new(
            control.clone(),
            placements.clone(),
            clock.clone(),
            Arc::new(|id| format!("{id}.{}", routewright_core::token::random(40))),
        );
        Self { placements, control, provisioning, clock }
    }

    /// A second process of the same deployment.
    pub(crate) async fn another_process(&self) -> Self {
        Self::on(self.placements.clone(), self.clock.clone()).await
    }

    pub(crate) async fn organisation(&self, name: &str) -> OrganisationId {
        let new = NewOrganisation::named(name, chrono_tz::Europe::Lisbon);
        self.provisioning.create_organisation(&new).await.unwrap()
    }

    /// An organisation that is only inserted: nothing of it exists but its rows in the control schema.
    pub(crate) async fn inserted(&self, name: &str) -> OrganisationId {
        let new = NewOrganisation::named(name, chrono_tz::Europe::Lisbon);
        let mut connection = self.control.acquire().await.unwrap();
        routewright_tenancy::provisioning::insert_organisation(&mut connection, &new).await.unwrap()
    }

    /// A connection of the organisation's own role.
    pub(crate) async fn sign_in(&self, organisation: OrganisationId) -> PgConnection {
        self.organisation_options(organisation).connect().await.unwrap()
    }

    pub(crate) fn organisation_options(&self, organisation: OrganisationId) -> PgConnectOptions {
        self.placements.organisation("default", organisation).unwrap()
    }

    pub(crate) async fn state(&self, organisation: OrganisationId) -> String {
        sqlx::query_scalar("select state from organisations where id = $1")
            .bind(organisation)
            .fetch_one(&self.control)
            .await
            .unwrap()
    }
}
