//! Who leaves in the midst of a transaction leaves nothing of it to the next one who gets his connection.

use std::future::Future;
use std::task::{Context, Waker};
use std::time::Duration;

use routewright_tenancy::control::shared;
use sqlx::{Connection as _, PgPool};

use crate::support::empty_database;

/// A pool of one connection, which everybody gets.
async fn pool_of_one() -> PgPool {
    let pool = shared(1).connect(&empty_database().await).await.unwrap();
    sqlx::query("create table kept (value text)").execute(&pool).await.unwrap();
    pool
}

async fn kept(pool: &PgPool) -> i64 {
    // Counted by somebody else: only what is committed counts.
    let mut other = sqlx::PgConnection::connect_with(&pool.connect_options()).await.unwrap();
    sqlx::query_scalar("select count(*) from kept").fetch_one(&mut other).await.unwrap()
}

/// Whether the next one who gets the connection stands in somebody's transaction.
async fn is_inside(pool: &PgPool) -> bool {
    let mut next = pool.acquire().await.unwrap();
    sqlx::raw_sql("savepoint before").execute(&mut *next).await.is_ok()
}

/// Lets `work` go on for so many steps and drops it; true when it came to its end before.
async fn cancelled_after(steps: u32, work: impl Future) -> bool {
    let mut work = std::pin::pin!(work);
    for _ in 0..steps {
        if work.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}

#[tokio::test]
async fn what_was_begun_and_left_is_not_committed_by_the_next_one() {
    let pool = pool_of_one().await;
    let mut left = pool.acquire().await.unwrap();
    sqlx::query("begin").execute(&mut *left).await.unwrap();
    sqlx::query("insert into kept values ('half')").execute(&mut *left).await.unwrap();
    drop(left);

    let mut next = pool.acquire().await.unwrap();
    sqlx::query("begin").execute(&mut *next).await.unwrap();
    sqlx::query("insert into kept values ('whole')").execute(&mut *next).await.unwrap();
    sqlx::query("commit").execute(&mut *next).await.unwrap();
    assert_eq!(kept(&pool).await, 1);
}

#[tokio::test]
async fn a_transaction_that_is_cancelled_at_any_step_leaves_nothing() {
    let pool = pool_of_one().await;
    let mut ended = false;
    for steps in 0..200 {
        ended = cancelled_after(steps, async {
            let mut work = pool.begin_with("begin; select pg_sleep(0.02)").await.unwrap();
            let insert = "insert into kept select 'half' from pg_sleep(0.02)";
            sqlx::query(insert).execute(&mut *work).await.unwrap();
        })
        .await;
        assert!(!is_inside(&pool).await, "after {steps} steps");
        assert_eq!(kept(&pool).await, 0, "after {steps} steps");
        if ended {
            break;
        }
    }
    assert!(ended);
}
