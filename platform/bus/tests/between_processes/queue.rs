//! Queueing, claiming, failing, retrying.

use std::time::Duration;

use chrono::{DateTime, Utc};
use routewright_bus::Job;
use routewright_bus::queue::{
    Claimed, Next, Queued, bury, claim, complete, dead_letters, enqueue, fail, heartbeat, next_due,
    purge_finished, reclaim_expired, release, retry_dead,
};
use routewright_core::Kind;
use serde::{Deserialize, Serialize};
use sqlx::{Connection as _, PgConnection};

use crate::support::Deployment;
use crate::{AddTag, AddTagOnce, KINDS, add_tag};

const LEASE: Duration = Duration::from_secs(60);

async fn take(connection: &mut PgConnection) -> Option<Claimed> {
    claim(connection, "worker", KINDS, LEASE).await.unwrap()
}

/// Makes every waiting job due.
async fn skip_pauses(connection: &mut PgConnection) {
    sqlx::query("update background_jobs set run_at = now() where state = 'queued'")
        .execute(connection)
        .await
        .unwrap();
}

async fn queue_of_an_organisation() -> (Deployment, PgConnection) {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Queue").await;
    let connection = deployment.sign_in(id).await;
    (deployment, connection)
}

#[tokio::test]
async fn a_job_exists_if_and_only_if_its_cause_was_committed() {
    let (_deployment, mut connection) = queue_of_an_organisation().await;
    let mut transaction = connection.begin().await.unwrap();
    enqueue(&mut transaction, &add_tag("rolled back")).await.unwrap();
    transaction.rollback().await.unwrap();
    assert_eq!(take(&mut connection).await, None);

    let mut transaction = connection.begin().await.unwrap();
    let queued = enqueue(&mut transaction, &add_tag("committed")).await.unwrap();
    transaction.commit().await.unwrap();
    let claimed = take(&mut connection).await.unwrap();
    assert_eq!((claimed.id, claimed.attempts, claimed.max_attempts), (queued.id(), 1, 5));
    assert_eq!(claimed.job::<AddTag>().unwrap(), add_tag("committed"));
    assert!(claimed.job::<AddTagOnce>().is_err(), "a job is not taken for another kind");
    assert_eq!(take(&mut connection).await, None, "a claimed job is not claimed again");
    complete(&mut connection, &claimed).await.unwrap();
    assert_eq!(complete(&mut connection, &claimed).await.unwrap_err().kind(), Kind::Conflict);
}

#[tokio::test]
async fn jobs_come_in_the_order_of_their_time_and_only_known_kinds() {
    #[derive(Serialize, Deserialize)]
    struct Later {
        at: DateTime<Utc>,
    }
    impl Job for Later {
        const KIND: &'static str = "later";
        fn run_at(&self) -> Option<DateTime<Utc>> {
            Some(self.at)
        }
    }
    let (_deployment, mut connection) = queue_of_an_organisation().await;
    let soon = Utc::now() + chrono::Duration::hours(1);
    let past = Utc::now() - chrono::Duration::hours(1);
    enqueue(&mut connection, &Later { at: soon }).await.unwrap();
    let first = enqueue(&mut connection, &add_tag("now")).await.unwrap().id();
    let overdue = enqueue(&mut connection, &Later { at: past }).await.unwrap().id();
    assert_eq!(next_due(&mut connection, &["later"]).await.unwrap(), Some(Duration::ZERO));
    let kinds = &[AddTag::KIND, Later::KIND];
    let mut order = Vec::new();
    while let Some(claimed) = claim(&mut connection, "worker", kinds, LEASE).await.unwrap() {
        order.push(claimed.id);
    }
    assert_eq!(order, [overdue, first]);
    let pause = next_due(&mut connection, kinds).await.unwrap().unwrap().as_secs();
    assert!((3000..=3600).contains(&pause), "{pause}");
    assert_eq!(next_due(&mut connection, &[AddTag::KIND]).await.unwrap(), None);
    sqlx::query("update background_jobs set run_at = now()").execute(&mut connection).await.unwrap();
    assert_eq!(claim(&mut connection, "old release", &[AddTag::KIND], LEASE).await.unwrap(), None);
}

#[tokio::test]
async fn a_job_with_the_same_key_is_queued_once_until_it_is_finished() {
    let (_deployment, mut connection) = queue_of_an_organisation().await;
    let job = AddTagOnce { name: "one".to_owned() };
    let Queued::New(id) = enqueue(&mut connection, &job).await.unwrap() else { panic!("not new") };
    assert_eq!(enqueue(&mut connection, &job).await.unwrap(), Queued::Already(id));
    let other = enqueue(&mut connection, &AddTagOnce { name: "other".to_owned() }).await.unwrap();
    assert!(matches!(other, Queued::New(_)));
    let claimed = take(&mut connection).await.unwrap();
    assert_eq!(claimed.id, id);
    assert_eq!(enqueue(&mut connection, &job).await.unwrap(), Queued::Already(id));
    complete(&mut connection, &claimed).await.unwrap();
    assert!(matches!(enqueue(&mut connection, &job).await.unwrap(), Queued::New(_)));
}

#[tokio::test]
async fn a_failing_job_is_tried_again_later_and_is_dead_in_the_end() {
    let (_deployment, mut connection) = queue_of_an_organisation().await;
    let id = enqueue(&mut connection, &add_tag("bad")).await.unwrap().id();
    let mut pauses = Vec::new();
    for attempt in 1..=5 {
        let claimed = take(&mut connection).await.unwrap();
        assert_eq!(claimed.attempts, attempt);
        match fail(&mut connection, &claimed, &format!("reason {attempt}\0")).await.unwrap() {
            Next::Retry(at) => pauses.push((at - Utc::now()).num_milliseconds()),
            Next::Dead => assert_eq!(attempt, 5),
        }
        assert_eq!(take(&mut connection).await, None, "not before its pause is over");
        skip_pauses(&mut connection).await;
    }
    // At least three quarters of 5, 10, 20, 40 seconds, so that each is longer than the one before.
    assert_eq!(pauses.len(), 4);
    for (pause, seconds) in pauses.iter().zip([5, 10, 20, 40]) {
        assert!((seconds * 700..=seconds * 1000).contains(pause), "{pauses:?}");
    }
    let dead = dead_letters(&mut connection, 10).await.unwrap();
    assert_eq!(dead.len(), 1);
    assert_eq!((dead[0].id, dead[0].kind.as_str(), dead[0].attempts), (id, "add_tag", 5));
    assert_eq!(dead[0].last_error.as_deref(), Some("reason 5"));
    assert_eq!(dead[0].payload["name"], "bad");

    retry_dead(&mut connection, id).await.unwrap();
    assert_eq!(retry_dead(&mut connection, id).await.unwrap_err().kind(), Kind::NotFound);
    let claimed = take(&mut connection).await.unwrap();
    assert_eq!((claimed.id, claimed.attempts), (id, 1));
    complete(&mut connection, &claimed).await.unwrap();
    assert!(dead_letters(&mut connection, 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_cannot_succeed_is_buried_and_comes_back_only_when_there_is_room() {
    let (_deployment, mut connection) = queue_of_an_organisation().await;
    let job = AddTagOnce { name: "one".to_owned() };
    enqueue(&mut connection, &job).await.unwrap();
    let claimed = take(&mut connection).await.unwrap();
    assert_eq!(bury(&mut connection, &claimed, "no such thing").await.unwrap(), Next::Dead);
    enqueue(&mut connection, &job).await.unwrap();
    assert_eq!(retry_dead(&mut connection, claimed.id).await.unwrap_err().kind(), Kind::Conflict);
}

#[tokio::test]
async fn a_released_job_has_not_used_an_attempt() {
    let (_deployment, mut connection) = queue_of_an_organisation().await;
    enqueue(&mut connection, &add_tag("later")).await.unwrap();
    let claimed = take(&mut connection).await.unwrap();
    release(&mut connection, &claimed).await.unwrap();
    assert_eq!(release(&mut connection, &claimed).await.unwrap_err().kind(), Kind::Conflict);
    assert_eq!(take(&mut connection).await.unwrap().attempts, 1);
}

#[tokio::test]
async fn a_lease_is_extended_by_heartbeats_and_lost_without() {
    let (_deployment, mut connection) = queue_of_an_organisation().await;
    enqueue(&mut connection, &AddTagOnce { name: "long".to_owned() }).await.unwrap();
    let lease = Duration::from_millis(300);
    let claimed = claim(&mut connection, "worker", KINDS, lease).await.unwrap().unwrap();
    for percent in [10, 20, 255] {
        tokio::time::sleep(Duration::from_millis(150)).await;
        heartbeat(&mut connection, &claimed, lease, Some(percent)).await.unwrap();
        assert_eq!(reclaim_expired(&mut connection).await.unwrap().queued, 0);
    }
    let progress: i32 =
        sqlx::query_scalar("select progress from background_jobs").fetch_one(&mut connection).await.unwrap();
    assert_eq!(progress, 100);
    tokio::time::sleep(Duration::from_millis(350)).await;
    assert_eq!(reclaim_expired(&mut connection).await.unwrap().queued, 1);
    for error in [
        heartbeat(&mut connection, &claimed, lease, None).await.unwrap_err(),
        fail(&mut connection, &claimed, "late").await.unwrap_err(),
        complete(&mut connection, &claimed).await.unwrap_err(),
    ] {
        assert_eq!(error.kind(), Kind::Conflict);
    }
    // A worker of the same name, restarted, is somebody else.
    let again = claim(&mut connection, "worker", KINDS, Duration::ZERO).await.unwrap().unwrap();
    assert!(complete(&mut connection, &claimed).await.is_err());
    // The second and last attempt expires too.
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(reclaim_expired(&mut connection).await.unwrap().dead, 1);
    let dead = dead_letters(&mut connection, 1).await.unwrap();
    assert_eq!((dead[0].id, dead[0].last_error.as_deref()), (again.id, Some("The worker stopped answering")));
}

#[tokio::test]
async fn only_old_finished_jobs_are_purged() {
    let (_deployment, mut connection) = queue_of_an_organisation().await;
    for name in ["old", "young", "dead", "waiting"] {
        enqueue(&mut connection, &add_tag(name)).await.unwrap();
    }
    for _ in 0..2 {
        let claimed = take(&mut connection).await.unwrap();
        complete(&mut connection, &claimed).await.unwrap();
    }
    let claimed = take(&mut connection).await.unwrap();
    bury(&mut connection, &claimed, "broken").await.unwrap();
    sqlx::query(
        "update background_jobs set finished = now() - interval '8 days'
         where payload ->> 'name' in ('old', 'dead')",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let week = Duration::from_secs(7 * 24 * 3600);
    assert_eq!(purge_finished(&mut connection, week).await.unwrap(), 1);
    let left: Vec<String> = sqlx::query_scalar("select payload ->> 'name' from background_jobs order by id")
        .fetch_all(&mut connection)
        .await
        .unwrap();
    assert_eq!(left, ["young", "dead", "waiting"]);
}

#[tokio::test]
async fn the_platform_has_a_queue_of_its_own() {
    let deployment = Deployment::fresh().await;
    let mut connection = deployment.control.acquire().await.unwrap();
    enqueue(&mut connection, &add_tag("platform")).await.unwrap();
    let claimed = take(&mut connection).await.unwrap();
    complete(&mut connection, &claimed).await.unwrap();
}
