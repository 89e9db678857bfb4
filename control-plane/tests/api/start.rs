//! What the service refuses to start with, and its route table.

use routewright_control_plane::{app, build};
use routewright_core::Clock;
use routewright_core::access::Who;
use routewright_testing::variables;
use serde_json::json;

use crate::support::{PASSWORD, config, control, service};

/// Demo logins and production do not go together.
#[tokio::test]
async fn demo_logins_keep_production_from_starting() {
    let control = control().await;
    let production = || config(&[("ROUTEWRIGHT_MODE", "production")]);
    let role = control.role("driver").await;
    let body = json!({
        "email": format!("{}@demo.routewright.test", routewright_core::token::random(8)), "password": PASSWORD,
        "first_name": "De", "last_name": "Mo", "role_id": role
    });
    let demo = control.admin.post("/users", body).await.ok();
    let refusal = build(production(), Clock::system()).await.err().expect("refused");
    let causes = refusal.causes().unwrap();
    assert!(causes.contains("demo login") && causes.contains("routewright.test"), "{causes}");
    let _ = build(config(&[]), Clock::system()).await.expect("local mode may have them");
    let _ = control.admin.delete(&format!("/users/{}", demo["id"])).await.ok();
    let _ = build(production(), Clock::system()).await.expect("nothing is left of the demo");
}

/// A start before the first migration says what to do.
#[tokio::test]
async fn an_empty_database_is_told_from_a_fault() {
    let control = control().await;
    let name = format!("empty_{}", routewright_core::token::random(12).to_lowercase());
    let statement = sqlx::AssertSqlSafe(format!("create database {name}"));
    sqlx::raw_sql(statement).execute(&control.app.control).await.unwrap();
    let url = variables().remove("DATABASE_URL").unwrap();
    let (server, _) = url.rsplit_once('/').unwrap();
    let refusal = config(&[("DATABASE_URL", &format!("{server}/{name}"))]);
    let refusal = build(refusal, Clock::system()).await.err().expect("refused");
    assert!(refusal.causes().unwrap().contains("routewright-control-plane migrate"), "{refusal:?}");
}

/// S-36: the first start makes Master with the configured administrator; the next ones change nothing.
#[tokio::test]
async fn the_first_start_makes_master() {
    let control = control().await;
    let master = app::ensure_master(&control.app).await.unwrap();
    assert_eq!(app::ensure_master(&control.app).await.unwrap(), master);
    let (name, state): (String, String) =
        sqlx::query_as("select name, state from organisations where id = $1")
            .bind(master)
            .fetch_one(&control.app.control)
            .await
            .unwrap();
    assert_eq!((name.as_str(), state.as_str()), ("Master", "ready"));
}

/// Public routes are these and no more.
#[tokio::test]
async fn few_routes_are_public() {
    let service = service(config(&[]), Clock::system()).await;
    let mut public: Vec<String> = service
        .rows
        .iter()
        .filter(|row| row.access.who == Who::Public)
        .map(|row| format!("{} {}", row.method, row.path))
        .collect();
    public.sort();
    assert_eq!(
        public,
        [
            "GET /auth/oidc/callback",
            "GET /auth/oidc/start",
            "GET /auth/providers",
            "GET /users/login/from_token",
            "PATCH /reset-password",
            "POST /auth/refresh_token",
            "POST /auth/token",
            "POST /reset-password",
            "POST /users/login",
            "POST /users/register",
        ]
    );
    // All others are for users, and most of them for some.
    let open: Vec<&str> = service
        .rows
        .iter()
        .filter(|row| {
            row.access.who == Who::User && row.access.levels.is_empty() && row.access.any.is_empty()
        })
        .map(|row| row.path)
        .collect();
    assert_eq!(
        open,
        [
            "/modules",
            "/timezones",
            "/timezones/settings",
            "/organisations/{id}",
            "/auth/logout",
            "/auth/user",
            "/auth/rehearsal_token",
            "/auth/rehearsal_token",
            "/auth/esri_token",
            "/rehearsal",
            "/users/me",
            "/users/me/email",
        ]
    );
}

/// The commands of the program, as an operator types them.
#[tokio::test]
async fn operators_make_and_list_organisations_by_command() {
    let control = control().await;
    let run = |arguments: &[&str]| {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_routewright-control-plane"));
        command.args(arguments).env_clear().envs(variables()).env("ADMIN_PASSWORD", PASSWORD);
        async move {
            let output = command.output().await.unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let text = text + String::from_utf8_lossy(&output.stderr).as_ref();
            assert!(!text.contains('\u{1b}'), "colours where nobody sees them: {text:?}");
            (output.status.success(), text)
        }
    };
    let (name, email) = (crate::support::name("Command"), crate::support::address());
    let (done, text) = run(&[
        "organisation",
        "create",
        "--name",
        &name,
        "--timezone",
        "Asia/Tokyo",
        "--admin-email",
        &email,
    ])
    .await;
    assert!(done && text.contains("is ready"), "{text}");
    let user = control.sign_in(&email, PASSWORD).await.ok();
    assert_eq!(user["organisation"]["timezone"], "Asia/Tokyo");
    let id = user["organisation"]["id"].to_string();
    let (done, text) = run(&["organisation", "list"]).await;
    assert!(done && text.lines().any(|line| line.contains(&id) && line.contains(&name)), "{text}");
    let (done, text) = run(&["organisation", "delete", &id]).await;
    assert!(done && text.contains("out of service"), "{text}");
    let _ = control.sign_in(&email, PASSWORD).await.refused(401);
    let (done, text) = run(&["organisation", "delete", &id, "--undo"]).await;
    assert!(done, "{text}");
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    let (done, text) = run(&["organisation", "create", "--name", &name]).await;
    assert!(!done && text.contains("already exists"), "{text}");
    let (done, text) = run(&["migrate"]).await;
    assert!(done && text.contains("control schema: version"), "{text}");
    let (done, text) = run(&["organisation", "fly"]).await;
    assert!(!done && text.contains("Usage"), "{text}");
}
