//! V-27: with SQL in hand an organisation harms itself at most, and not for long.

use routewright_tenancy::role;
use routewright_testing::{Client, variables};
use sqlx::AssertSqlSafe;

use crate::support::tenant;

/// An organisation's login may change its own password and settings. The next process that is refused brings them back.
#[tokio::test]
async fn a_changed_password_of_an_organisations_login_is_brought_back() {
    let tenant = tenant().await;
    let organisation = &tenant.organisation;
    let _ = tenant.planner.post("/jobs", crate::jobs::job("A")).await.ok();
    let mut login = organisation.database().await;
    let role = role::name(organisation.id);
    for change in ["password 'mine alone'", "set search_path = 'pg_catalog'", "set statement_timeout = 0"] {
        let statement = AssertSqlSafe(format!("alter role {role} {change}"));
        sqlx::raw_sql(statement).execute(&mut login).await.expect("a login may change itself");
    }
    let config = routewright_tenant::Config::from_source(&variables()).expect("a configuration");
    let fresh = routewright_tenant::build(config, organisation.clock.clone()).await.expect("a replica");
    let planner = Client::new(fresh.router, Some(organisation.token(organisation.planner)));
    assert_eq!(planner.get("/jobs").await.ok()["total_count"], 1);
    // For everybody, with the settings that it must have.
    let mut login = organisation.database().await;
    let timeout: String = sqlx::query_scalar("select current_setting('statement_timeout')")
        .fetch_one(&mut login)
        .await
        .expect("a setting");
    assert_eq!(timeout, "30s");
}
