//! One deployment per test binary, one organisation per test.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rand::Rng;
use routewright_core::config::{MasterKey, Source};
use routewright_core::{Clock, OrganisationId};
use routewright_identity::{LinkKeys, Tokens};
use routewright_s3_server::{Keys, S3Server};
use routewright_tenancy::migration::{create_directory_login, migrate_control};
use routewright_tenancy::placement::Placements;
use routewright_tenancy::provisioning::{NewOrganisation, Provisioning};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, PgPool};

/// All test deployments share one server, therefore one key: roles are common to all databases of a server.
const MASTER_KEY: &str = "0a6d3f5c9b1e48720a6d3f5c9b1e4872";
const DIRECTORY_PASSWORD: &str = "directory-of-tests";

/// Configuration of the deployment of this test binary, for `Config::from_source`.
///
/// # Panics
/// When no Postgres can be reached: `DATABASE_URL=$(infra/ci/postgres.sh)`.
#[must_use]
pub fn variables() -> BTreeMap<String, String> {
    static SHARED: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    // No route that a test touches holds a connection over slow work.
    routewright_core::transaction::enforce();
    SHARED
        .get_or_init(|| {
            let (send, receive) = std::sync::mpsc::channel();
            // A thread and runtime of its own: what is shared outlives the runtime of each single test.
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_multi_thread()
                    .worker_threads(1)
                    .enable_all()
                    .build()
                    .unwrap();
                runtime.block_on(async {
                    let (variables, server, folder) = deploy().await;
                    send.send(variables).unwrap();
                    std::future::pending::<()>().await;
                    drop((server, folder));
                });
            });
            receive.recv().expect("the test deployment starts")
        })
        .clone()
}

async fn deploy() -> (BTreeMap<String, String>, S3Server, tempfile::TempDir) {
    let url = database().await;
    let master_key = MasterKey::new(MASTER_KEY.to_owned()).unwrap();
    let placements = Placements::new(&url, master_key).unwrap();
    let owner = placements.owner("default").unwrap();
    migrate_control(&owner).await.unwrap();
    let mut connection = owner.connect().await.unwrap();
    // Ids name roles, and roles are common to all databases of the server. Links carry 24 bits of them.
    let start = rand::rng().random_range(1_000_000..16_000_000);
    let statement = format!("alter table control.organisations alter column id restart with {start}");
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    let login = format!("directory_{start}");
    create_directory_login(&mut connection, &login, DIRECTORY_PASSWORD).await.unwrap();

    let folder = tempfile::tempdir().unwrap();
    let keys = Keys { access_key: "tests".to_owned(), secret_key: "tests-secret-key".to_owned() };
    let server = S3Server::start(folder.path(), &keys, 0).await.unwrap();
    let (scheme, rest) = url.split_once("://").unwrap();
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let variables = [
        ("ROUTEWRIGHT_MODE", "local".to_owned()),
        ("PUBLIC_URL", "http://127.0.0.1:8080".to_owned()),
        ("MASTER_KEY", MASTER_KEY.to_owned()),
        ("DATABASE_URL", url.clone()),
        ("DIRECTORY_URL", format!("{scheme}://{login}:{DIRECTORY_PASSWORD}@{host}")),
        // All tests ask from one address.
        ("TOKEN_GUESS_LIMIT", "1000000".to_owned()),
        // Tests are organisations that all work at the same time.
        ("REQUEST_SHARE", "100".to_owned()),
        ("S3_ENDPOINT", server.endpoint()),
        ("S3_BUCKET", "tests".to_owned()),
        ("S3_ACCESS_KEY", keys.access_key.clone()),
        ("S3_SECRET_KEY", keys.secret_key.clone()),
    ];
    let service = service().map(|program| ("PIECES_PROGRAM", program));
    let variables =
        variables.into_iter().chain(service).map(|(name, value)| (name.to_owned(), value)).collect();
    (variables, server, folder)
}

/// The tenant service beside the program of tests, which answers no pieces of work itself.
fn service() -> Option<String> {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let built = folder.ends_with("deps").then(|| folder.with_file_name("routewright-tenant"))?;
    Some(built.to_str().unwrap().to_owned())
}

async fn database() -> String {
    let server =
        std::env::var("DATABASE_URL").expect("DATABASE_URL is not set: DATABASE_URL=$(infra/ci/postgres.sh)");
    let mut connection = PgConnection::connect(&server).await.expect("Postgres answers");
    let name = format!("test_{}_{:08x}", seconds(), rand::rng().random::<u32>());
    sqlx::raw_sql(AssertSqlSafe(format!("create database {name}"))).execute(&mut connection).await.unwrap();
    format!("{}/{name}", server.rsplit_once('/').unwrap().0)
}

fn seconds() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

/// A user of the organisation.
#[derive(Debug, Clone, Copy)]
pub struct Person {
    /// User id.
    pub id: i64,
    /// Role id.
    pub role_id: i64,
}

/// A fresh organisation with an administrator and a planner.
pub struct TestOrganisation {
    /// Its id.
    pub id: OrganisationId,
    /// Its administrator: role `admin`.
    pub admin: Person,
    /// Its planner: role `user`.
    pub planner: Person,
    /// Owner's access to the control schema.
    pub control: PgPool,
    /// Owner's access to placements.
    pub placements: Placements,
    /// Token issuer.
    pub tokens: Tokens,
    /// Link tokens.
    pub links: LinkKeys,
    /// The clock that tokens are issued by.
    pub clock: Clock,
}

impl TestOrganisation {
    /// An organisation in Europe/Lisbon with every module, at the machine's time.
    pub async fn new() -> Self {
        Self::at(Clock::system()).await
    }

    /// The same with a clock that the test moves.
    pub async fn at(clock: Clock) -> Self {
        let variables = variables();
        let master_key = MasterKey::new(MASTER_KEY.to_owned()).unwrap();
        let placements =
            Placements::new(&variables.required("DATABASE_URL").unwrap(), master_key.clone()).unwrap();
        let control = routewright_tenancy::control::shared(3)
            .connect_with(placements.control().unwrap())
            .await
            .unwrap();
        Self::within(control, placements, clock).await
    }

    /// Lets the organisation's login see sessions and locks, for tests that look at its own.
    pub async fn may_watch_sessions(&self) {
        let role = routewright_tenancy::role::name(self.id);
        let statements = format!(
            "grant select on pg_stat_activity, pg_locks to {role};
             grant execute on function pg_stat_get_activity(integer), pg_lock_status() to {role}"
        );
        // Two tests that change the rights of one thing at the same moment: the second one is refused.
        for _ in 0..20 {
            match sqlx::raw_sql(AssertSqlSafe(statements.clone())).execute(&self.control).await {
                Ok(_) => return,
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
            }
        }
        panic!("sessions cannot be shown");
    }

    /// Another one of the same deployment, over the same connections to the control schema.
    pub async fn another(&self) -> Self {
        Self::within(self.control.clone(), self.placements.clone(), self.clock.clone()).await
    }

    async fn within(control: PgPool, placements: Placements, clock: Clock) -> Self {
        let master_key = MasterKey::new(MASTER_KEY.to_owned()).unwrap();
        let links = LinkKeys::new(&master_key);
        let maker = links.clone();
        let provisioning = Provisioning::new(
            control.clone(),
            placements.clone(),
            clock.clone(),
            Arc::new(move |id| maker.long(id)),
        );
        let name = format!("Test {}", routewright_core::token::random(12));
        let new = NewOrganisation::named(name, chrono_tz::Europe::Lisbon);
        let id = provisioning.create_organisation(&new).await.expect("an organisation is made");
        let keys: Vec<String> =
            routewright_core::Module::ALL.iter().map(|module| module.key().to_owned()).collect();
        sqlx::query("update organisations set modules = $2 where id = $1")
            .bind(id)
            .bind(keys)
            .execute(&control)
            .await
            .unwrap();
        let admin = person(&control, id, "admin").await;
        let planner = person(&control, id, "user").await;
        Self {
            id,
            admin,
            planner,
            control,
            placements,
            tokens: Tokens::new(&master_key, clock.clone()),
            links,
            clock,
        }
    }

    /// A further user with the given access levels only.
    pub async fn person_with(&self, levels: &[&str]) -> Person {
        let name = format!("role {}", routewright_core::token::random(6));
        let levels: Vec<String> = levels.iter().map(|level| (*level).to_owned()).collect();
        sqlx::query("insert into roles (organisation_id, name, access_levels) values ($1, $2, $3)")
            .bind(self.id)
            .bind(&name)
            .bind(levels)
            .execute(&self.control)
            .await
            .unwrap();
        let person = person(&self.control, self.id, &name).await;
        self.announce().await;
        person
    }

    /// A connection of its own login, when its audit trail holds all that was done so far.
    pub async fn trail(&self) -> PgConnection {
        let mut database = self.database().await;
        sqlx::query("select audit_unfold()").execute(&mut database).await.unwrap();
        database
    }

    /// A haulier of the organisation, and a user of the organisation who is one of its people, with the given access levels only.
    pub async fn haulier_with(&self, levels: &[&str]) -> (i64, Person) {
        let haulier: i64 = sqlx::query_scalar(
            "insert into organisations (name, parent_organisation_id, timezone, state)
             values ($1, $2, 'Europe/Lisbon', 'ready') returning id",
        )
        .bind(format!("Haulier {}", routewright_core::token::random(6)))
        .bind(self.id)
        .fetch_one(&self.control)
        .await
        .unwrap();
        let person = self.person_with(levels).await;
        sqlx::query("update users set haulier_id = $1 where id = $2")
            .bind(haulier)
            .bind(person.id)
            .execute(&self.control)
            .await
            .unwrap();
        self.announce().await;
        (haulier, person)
    }

    /// Sets the organisation's modules.
    pub async fn modules(&self, keys: &[&str]) {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        sqlx::query("update organisations set modules = $2 where id = $1")
            .bind(self.id)
            .bind(keys)
            .execute(&self.control)
            .await
            .unwrap();
        self.announce().await;
    }

    /// Sets the organisation's settings.
    pub async fn settings(&self, settings: &serde_json::Value) {
        sqlx::query("update organisations set settings = $2 where id = $1")
            .bind(self.id)
            .bind(settings)
            .execute(&self.control)
            .await
            .unwrap();
        self.announce().await;
    }

    /// Says that what the control schema holds of it has changed.
    pub async fn announce(&self) {
        sqlx::query("insert into policy_changes (organisation_id) values ($1)")
            .bind(self.id)
            .execute(&self.control)
            .await
            .unwrap();
    }

    /// An access token for a user.
    #[must_use]
    pub fn token(&self, person: Person) -> String {
        self.tokens.access(person.id, self.id, 0, None).unwrap().token
    }

    /// A connection of the organisation's own role, to look at what was stored.
    pub async fn database(&self) -> PgConnection {
        self.placements.organisation("default", self.id).unwrap().connect().await.unwrap()
    }
}

async fn person(control: &PgPool, organisation: OrganisationId, role: &str) -> Person {
    let email = format!("{}@example.org", routewright_core::token::random(16).to_lowercase());
    let (id, role_id): (i64, i64) = sqlx::query_as(
        "insert into users (organisation_id, role_id, email, first_name, last_name)
         select $1, id, $2, 'Test', name from roles where organisation_id = $1 and name = $3
         returning id, role_id",
    )
    .bind(organisation)
    .bind(email)
    .bind(role)
    .fetch_one(control)
    .await
    .unwrap();
    Person { id, role_id }
}
