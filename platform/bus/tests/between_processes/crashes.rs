//! A crash in the middle neither loses nor doubles an effect.

use std::time::Duration;

use rand::Rng as _;
use routewright_bus::queue::{Claimed, claim, complete, enqueue, fail, reclaim_expired};
use routewright_core::Result;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use tokio::task::JoinSet;

use crate::support::Deployment;
use crate::{AddTag, KINDS, add_tag};

/// The effect of [`AddTag`] and its completion in the connection's transaction.
async fn work(connection: &mut PgConnection, claimed: &Claimed) -> Result<()> {
    let job: AddTag = claimed.job()?;
    sqlx::query("insert into config_values (group_name, key, value) values ('effects', $1, '{}')")
        .bind(format!("{} {}", job.name, routewright_core::token::random(12)))
        .execute(&mut *connection)
        .await?;
    complete(connection, claimed).await
}

/// How often each job's effect is there.
async fn effects(connection: &mut PgConnection) -> Vec<(String, i64)> {
    sqlx::query_as(
        "select split_part(key, ' ', 1), count(*) from config_values where group_name = 'effects'
         group by 1 order by 1",
    )
    .fetch_all(connection)
    .await
    .unwrap()
}

/// Waits until Postgres has noticed that a worker is gone.
async fn reclaim_one(connection: &mut PgConnection) {
    for _ in 0..200 {
        if reclaim_expired(connection).await.unwrap().queued == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the job was not reclaimed");
}

#[tokio::test]
async fn killed_between_effect_and_commit_the_job_is_done_once_by_another_worker() {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Crash").await;
    let mut connection = deployment.sign_in(id).await;
    enqueue(&mut connection, &add_tag("job")).await.unwrap();

    let mut worker = deployment.sign_in(id).await;
    let claimed = claim(&mut worker, "dies", KINDS, Duration::from_millis(50)).await.unwrap().unwrap();
    sqlx::query("begin").execute(&mut worker).await.unwrap();
    work(&mut worker, &claimed).await.unwrap();
    // The process is gone: no commit, no farewell.
    drop(worker);
    reclaim_one(&mut connection).await;
    assert!(effects(&mut connection).await.is_empty());

    let claimed = claim(&mut connection, "lives", KINDS, Duration::from_secs(60)).await.unwrap().unwrap();
    assert_eq!(claimed.attempts, 2);
    let mut transaction = connection.begin().await.unwrap();
    work(&mut transaction, &claimed).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(effects(&mut connection).await, [("job".to_owned(), 1)]);
}

#[tokio::test]
async fn killed_after_the_claim_the_job_is_not_lost() {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Crash").await;
    let mut connection = deployment.sign_in(id).await;
    enqueue(&mut connection, &add_tag("job")).await.unwrap();
    let mut worker = deployment.sign_in(id).await;
    claim(&mut worker, "dies", KINDS, Duration::from_millis(50)).await.unwrap().unwrap();
    drop(worker);
    reclaim_one(&mut connection).await;
    assert!(claim(&mut connection, "lives", KINDS, Duration::from_secs(60)).await.unwrap().is_some());
}

/// A worker that was held up for longer than its lease, and wakes when another one has done the work.
#[tokio::test]
async fn a_worker_that_lost_its_lease_cannot_add_its_effects() {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Slow").await;
    let (mut slow, mut quick) = (deployment.sign_in(id).await, deployment.sign_in(id).await);
    enqueue(&mut slow, &add_tag("job")).await.unwrap();
    let late = claim(&mut slow, "slow", KINDS, Duration::from_millis(20)).await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_millis(40)).await;
    reclaim_one(&mut quick).await;
    let claimed = claim(&mut quick, "quick", KINDS, Duration::from_secs(60)).await.unwrap().unwrap();

    // While the other one still works, and after it has finished.
    for _ in 0..2 {
        let mut transaction = slow.begin().await.unwrap();
        assert!(work(&mut transaction, &late).await.is_err());
        transaction.rollback().await.unwrap();
        let mut transaction = quick.begin().await.unwrap();
        if work(&mut transaction, &claimed).await.is_ok() {
            transaction.commit().await.unwrap();
        }
    }
    assert_eq!(effects(&mut quick).await, [("job".to_owned(), 1)]);
}

/// The late worker has the job's row in its transaction already: whoever reclaims it must not wait, and nothing is
/// done twice.
#[tokio::test]
async fn a_job_that_is_being_completed_is_not_taken_away() {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Slow").await;
    let (mut slow, mut quick) = (deployment.sign_in(id).await, deployment.sign_in(id).await);
    enqueue(&mut slow, &add_tag("job")).await.unwrap();
    let late = claim(&mut slow, "slow", KINDS, Duration::from_millis(20)).await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_millis(40)).await;
    let mut transaction = slow.begin().await.unwrap();
    work(&mut transaction, &late).await.unwrap();
    assert_eq!(reclaim_expired(&mut quick).await.unwrap().queued, 0);
    transaction.commit().await.unwrap();
    assert_eq!(reclaim_expired(&mut quick).await.unwrap().queued, 0);
    assert_eq!(effects(&mut quick).await, [("job".to_owned(), 1)]);
}

/// One life of a worker: it claims, works, and dies or fails now and then at a random place. Answers false when
/// nothing was to be done.
async fn live(options: &PgConnectOptions) -> bool {
    let mut connection = options.connect().await.unwrap();
    for _ in 0..5 {
        let fate = rand::rng().random_range(0..10);
        reclaim_expired(&mut connection).await.unwrap();
        let lease = Duration::from_millis(rand::rng().random_range(5..60));
        let Some(claimed) = claim(&mut connection, "worker", KINDS, lease).await.unwrap() else {
            return false;
        };
        if fate == 0 {
            return true;
        }
        if fate == 1 {
            // The lease may be lost by now, which is as good.
            drop(fail(&mut connection, &claimed, "by chance").await);
            continue;
        }
        sqlx::query("begin").execute(&mut connection).await.unwrap();
        if (2..6).contains(&fate) {
            let pause = rand::rng().random_range(0..90);
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        let outcome = work(&mut connection, &claimed).await;
        if fate == 2 {
            return true;
        }
        let end = if outcome.is_ok() { "commit" } else { "rollback" };
        sqlx::query(end).execute(&mut connection).await.unwrap();
    }
    true
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_workers_that_die_at_random_do_every_job_once() {
    const JOBS: usize = 120;
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Chaos").await;
    let mut connection = deployment.sign_in(id).await;
    for number in 0..JOBS {
        enqueue(&mut connection, &add_tag(format!("job{number:03}"))).await.unwrap();
    }
    // Deaths at random must not use up the attempts, nor pauses the test's time.
    sqlx::query("update background_jobs set max_attempts = 1000").execute(&mut connection).await.unwrap();
    let mut workers = JoinSet::new();
    for _ in 0..6 {
        let options = deployment.organisation_options(id);
        workers.spawn(async move {
            let mut idle = 0;
            while idle < 20 {
                if live(&options).await {
                    idle = 0;
                } else {
                    idle += 1;
                    tokio::time::sleep(Duration::from_millis(30)).await;
                    let mut connection = options.connect().await.unwrap();
                    // Rows that another one holds are left to it: two that wait for each other would be a deadlock.
                    sqlx::query(
                        "update background_jobs set run_at = now() where id in (
                             select id from background_jobs where state = 'queued' for update skip locked
                         )",
                    )
                    .execute(&mut connection)
                    .await
                    .unwrap();
                }
            }
        });
    }
    while let Some(ended) = workers.join_next().await {
        ended.unwrap();
    }
    let found = effects(&mut connection).await;
    assert_eq!(found.len(), JOBS);
    assert!(found.iter().all(|(_, count)| *count == 1), "{found:?}");
    let unfinished: i64 = sqlx::query_scalar("select count(*) from background_jobs where state <> 'done'")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(unfinished, 0);
}
