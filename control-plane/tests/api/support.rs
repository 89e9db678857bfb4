//! A fresh organisation with the service in front of it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use http::Request;
use routewright_control_plane::config::Limits;
use routewright_control_plane::{App, Config, Service, app, build, work};
use routewright_core::{Clock, OrganisationId};
use routewright_identity::password::Passwords;
use routewright_testing::{Answer, Client, Contract, Person, TestOrganisation, variables};
use serde_json::{Value, json};
use tokio::sync::{RwLock, RwLockReadGuard};
use tokio::task::{AbortHandle, JoinSet};

/// Every answer to a test is held against the API document.
pub(crate) static CONTRACT: OnceLock<Arc<Contract>> = OnceLock::new();
/// The password of people made by [`Control::with_password`].
pub(crate) const PASSWORD: &str = "Corn-Flower 7";

/// Held for writing by a test with a clock in the past: background work tidies the shared database at the machine's time,
/// and would remove what that test has just made.
pub(crate) static TIDYING: RwLock<()> = RwLock::const_new(());

/// The background work of a service; it ends with this.
pub(crate) struct Background {
    _loops: JoinSet<()>,
    _turn: RwLockReadGuard<'static, ()>,
}

/// Starts what runs beside the requests.
pub(crate) async fn background(app: &App) -> Background {
    let turn = TIDYING.read().await;
    Background { _loops: work::start(app).expect("the background work starts"), _turn: turn }
}

/// A fresh organisation and callers of the service.
pub(crate) struct Control {
    /// The organisation.
    pub(crate) organisation: TestOrganisation,
    /// Calls as its administrator.
    pub(crate) admin: Client,
    /// Calls as its planner.
    pub(crate) planner: Client,
    /// Calls without a token.
    pub(crate) nobody: Client,
    /// The service's state.
    pub(crate) app: App,
    watch: AbortHandle,
}

impl Drop for Control {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

/// The configuration of tests: like production, but many tests share the address that limits count by.
pub(crate) fn config(more: &[(&str, &str)]) -> Config {
    let mut variables: BTreeMap<String, String> = variables();
    variables.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let mut config = Config::from_source(&variables).expect("the test configuration is complete");
    let most = 1_000_000;
    config.limits = Limits { sign_in: most, reset: most, sign_up: most, taken: most };
    config
}

/// A service of its own over the shared database.
pub(crate) async fn service(config: Config, clock: Clock) -> Service {
    build(config, clock).await.expect("the service starts")
}

/// A fresh organisation at the machine's time.
pub(crate) async fn control() -> Control {
    control_at(Clock::system()).await
}

/// A fresh organisation with a clock that the test moves.
pub(crate) async fn control_at(clock: Clock) -> Control {
    control_with(config(&[]), clock).await
}

/// A fresh organisation with a service configured for the test.
pub(crate) async fn control_with(config: Config, clock: Clock) -> Control {
    let organisation = TestOrganisation::at(clock.clone()).await;
    let service = service(config, clock).await;
    let watch = tokio::spawn(service.app.gate.policies.clone().watch()).abort_handle();
    let contract = CONTRACT.get_or_init(|| Contract::new(&service.api));
    let admin = Client::new(service.router(), Some(organisation.token(organisation.admin)))
        .checked_by(Arc::clone(contract));
    Control {
        planner: admin.with_token(organisation.token(organisation.planner)),
        nobody: admin.nobody(),
        admin,
        app: service.app,
        organisation,
        watch,
    }
}

impl Control {
    /// A user with a role's name and [`PASSWORD`], and the address.
    pub(crate) async fn with_password(&self, role: &str) -> (Person, String) {
        self.with_password_in(self.organisation.id, role).await
    }

    /// The same, of another organisation.
    pub(crate) async fn with_password_in(
        &self,
        organisation: OrganisationId,
        role: &str,
    ) -> (Person, String) {
        let email = address();
        let hash = Passwords::new(1).unwrap().hash(None, PASSWORD).await.unwrap();
        let (id, role_id): (i64, i64) = sqlx::query_as(
            "insert into users (organisation_id, role_id, email, first_name, last_name, password_hash, password_changed_at)
             select $1, id, $2, 'Ana', 'Lopes', $3, $5 from roles where organisation_id = $1 and name = $4
             returning id, role_id",
        )
        .bind(organisation)
        .bind(&email)
        .bind(hash)
        .bind(role)
        .bind(self.app.clock.now())
        .fetch_one(&self.app.control)
        .await
        .unwrap();
        // A token's time is the test's, that of what is held is the database's: which is newer cannot be told here.
        self.app.gate.policies.forget(organisation);
        (Person { id, role_id }, email)
    }

    /// Signs in by e-mail and password.
    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Answer {
        self.nobody.post("/users/login", json!({"email": email, "password": password})).await
    }

    /// A client of a user with only these levels.
    pub(crate) async fn with_levels(&self, levels: &[&str]) -> Client {
        let person = self.organisation.person_with(levels).await;
        // The announcement is noticed by the next poll.
        self.app.gate.policies.forget(self.organisation.id);
        self.admin.with_token(self.organisation.token(person))
    }

    /// The id of a built-in role.
    pub(crate) async fn role(&self, name: &str) -> i64 {
        role(&self.app, self.organisation.id, name).await
    }

    /// Rows of the record about a subject, oldest first.
    pub(crate) async fn record(&self, subject: &str) -> Vec<String> {
        sqlx::query_scalar("select action from platform_audit where subject = $1 order by id")
            .bind(subject)
            .fetch_all(&self.app.control)
            .await
            .unwrap()
    }

    /// A client of the platform's own administrator.
    pub(crate) async fn master(&self) -> Client {
        self.admin.with_token(self.master_token("admin").await)
    }

    /// A token of a fresh user of Master with a role.
    pub(crate) async fn master_token(&self, role_name: &str) -> String {
        let master = app::ensure_master(&self.app).await.expect("Master is there");
        let id: i64 = sqlx::query_scalar(
            "insert into users (organisation_id, role_id, email, first_name, last_name)
             select $1, id, $2, 'Mara', 'Master' from roles where organisation_id = $1 and name = $3
             returning id",
        )
        .bind(master)
        .bind(address())
        .bind(role_name)
        .fetch_one(&self.app.control)
        .await
        .unwrap();
        self.app.gate.policies.forget(master);
        self.organisation.tokens.access(id, master, 0, None).unwrap().token
    }
}

/// The id of a role.
pub(crate) async fn role(app: &App, organisation: OrganisationId, name: &str) -> i64 {
    sqlx::query_scalar("select id from roles where organisation_id = $1 and name = $2")
        .bind(organisation)
        .bind(name)
        .fetch_one(&app.control)
        .await
        .unwrap()
}

/// An address that nobody has.
pub(crate) fn address() -> String {
    format!("{}@example.org", routewright_core::token::random(16).to_lowercase())
}

/// A name that nobody has.
pub(crate) fn name(what: &str) -> String {
    format!("{what} {}", routewright_core::token::random(10))
}

/// The reason given for a field.
pub(crate) fn reason(refusal: &Value, field: &str) -> String {
    refusal["fields"][field].as_str().unwrap_or_default().to_owned()
}

/// A request with one header more.
pub(crate) fn get_with(path: &str, header: &str, value: &str) -> Request<Body> {
    Request::get(path).header(header, value).body(Body::empty()).unwrap()
}
