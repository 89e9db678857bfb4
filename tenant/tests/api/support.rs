//! A fresh organisation with the service in front of it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use routewright_core::Clock;
use routewright_tenant::{App, Config};
use routewright_testing::{Client, Contract, TestOrganisation, variables};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnection;

/// Every answer to a test is held against the API document.
pub(crate) static CONTRACT: OnceLock<Arc<Contract>> = OnceLock::new();

/// A fresh organisation and callers of the service.
pub(crate) struct Tenant {
    /// The organisation.
    pub organisation: TestOrganisation,
    /// Calls as the planner.
    pub planner: Client,
    /// Calls as the administrator.
    pub admin: Client,
    /// The service's state.
    pub app: App,
}

/// A fresh organisation at the machine's time.
pub(crate) async fn tenant() -> Tenant {
    tenant_at(Clock::system()).await
}

/// A fresh organisation with a clock that the test moves.
pub(crate) async fn tenant_at(clock: Clock) -> Tenant {
    let organisation = TestOrganisation::at(clock.clone()).await;
    let config = Config::from_source(&variables()).expect("the test configuration is complete");
    let service = routewright_tenant::build(config, clock).await.expect("the service starts");
    let contract = CONTRACT.get_or_init(|| Contract::new(&service.api));
    let planner = Client::new(service.router.clone(), Some(organisation.token(organisation.planner)))
        .checked_by(Arc::clone(contract));
    let admin = planner.with_token(organisation.token(organisation.admin));
    Tenant { planner, admin, app: service.app, organisation }
}

/// Another fresh organisation behind the same service.
pub(crate) async fn neighbour(of: &Tenant, clock: Clock) -> Tenant {
    let organisation = TestOrganisation::at(clock).await;
    let planner = of.planner.with_token(organisation.token(organisation.planner));
    let admin = of.planner.with_token(organisation.token(organisation.admin));
    Tenant { planner, admin, app: of.app.clone(), organisation }
}

/// Waits until a question to the database is answered with yes, for as long as a busy machine may need.
pub(crate) async fn until(database: &mut PgConnection, question: &str) {
    for _ in 0..2400 {
        let yes: Option<bool> = sqlx::query_scalar(AssertSqlSafe(question))
            .fetch_optional(&mut *database)
            .await
            .expect("an answer")
            .flatten();
        if yes == Some(true) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never: {question}");
}
