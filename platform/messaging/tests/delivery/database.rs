//! A schema of its own for each test, migrated like the product's.

use std::path::Path;
use std::process::Command;
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The address of the test database; starts it unless `DATABASE_URL` names one.
fn address() -> &'static str {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    ADDRESS.get_or_init(|| {
        std::env::var("DATABASE_URL").unwrap_or_else(|_| {
            let script = Path::new(ROOT).join("infra/ci/postgres.sh");
            let started = Command::new(script).output().expect("the test database");
            String::from_utf8(started.stdout).expect("an address").trim().to_owned()
        })
    })
}

/// A fresh schema with the migrations of `kind`: `tenant` or `control`.
pub(crate) async fn schema(kind: &str) -> PgPool {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("messaging_{}_{count}", std::process::id());
    let options = PgConnectOptions::from_str(address()).expect("an address");
    let mut owner = PgConnection::connect_with(&options).await.expect("a connection");
    for statement in [format!("drop schema if exists {name} cascade"), format!("create schema {name}")] {
        sqlx::query(AssertSqlSafe(statement)).execute(&mut owner).await.expect("a schema");
    }
    let pool = PgPoolOptions::new()
        .max_connections(4)
        .connect_with(options.options([("search_path", name.as_str())]))
        .await
        .expect("a pool");
    let mut migrator =
        Migrator::new(Path::new(ROOT).join("migrations").join(kind)).await.expect("migrations");
    migrator.set_locking(false);
    migrator.run(&pool).await.expect("migrated");
    pool
}
