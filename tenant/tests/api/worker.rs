//! Queued work: optimisations in the background, their cancellation, and a worker that dies in the middle.

use std::time::{Duration, Instant};

use routewright_testing::TestOrganisation;
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;
use tokio::sync::Mutex;

use crate::jobs::{add, scenario};
use crate::moves::{job_at, put_on};
use crate::optimise::{ids, porto_drivers, porto_jobs, wait_for_end};
use crate::realtime::{Socket, replica};
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant, until};

/// Held by tests that run a worker, or that need that none runs: a worker takes the jobs of every organisation, so the one
/// that dies on purpose would take those of the other tests with it.
pub(crate) static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

async fn start(tenant: &Tenant, scenario: &Value, drivers: &[Value], seconds: u32) -> Value {
    let body = json!({"driver_ids": ids(drivers), "options": {"max_seconds": seconds}});
    tenant.planner.post(&format!("/optimise/background/scenarios/{scenario}"), body).await.ok()
}

/// Waits until a worker is at it, for as long as a busy machine may need.
async fn until_running(tenant: &Tenant, scenario: &Value) {
    for _ in 0..2400 {
        let task = tenant.planner.get(&format!("/optimise/background/scenarios/{scenario}")).await.ok();
        match task["status"].as_str() {
            Some("running") => return,
            Some("queued") => tokio::time::sleep(Duration::from_millis(50)).await,
            _ => panic!("the optimisation is not running: {task}"),
        }
    }
    panic!("the optimisation does not start");
}

/// Whether a plan that is held back is about to be written.
const WAITS_FOR_LOCK: &str = "select exists (select from pg_locks l join pg_stat_activity a using (pid)
     where not l.granted and a.usename = current_user)";

/// Keeps a task from being written back until the transaction ends, however fast the search is: the end of a task locks
/// its row against references to it, its beats do not.
async fn hold_back(database: &mut PgConnection, task: &Value) {
    sqlx::raw_sql("begin").execute(&mut *database).await.expect("a transaction");
    sqlx::query("select id from optimisation_tasks where id = $1 for key share")
        .bind(task["task_id"].as_i64())
        .execute(database)
        .await
        .expect("a lock");
}

/// A-266, P-282, P-285, P-444, S-05: a worker makes the plan, the sockets are told, the stage changes; a job that was
/// edited meanwhile comes to its best place, and one that is gone is told (W-006).
#[tokio::test]
async fn a_background_optimisation_ends_with_a_plan() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    porto_jobs(&tenant, &scenario).await;
    let drivers = porto_drivers(&tenant).await;
    let listening = replica(0).await;
    let found = tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok();
    let token = found["ws_token"].as_str().expect("a token");
    let (mut socket, _) = Socket::connect(&listening, "/optimisation", token).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let task = start(&tenant, &scenario, &drivers, 2).await;
    assert_eq!(task["status"], "queued");
    let mut database = tenant.organisation.database().await;
    hold_back(&mut database, &task).await;
    // No worker until now, so that nothing below depends on how fast the machine is.
    let working = replica(2).await;
    until_running(&tenant, &scenario).await;
    let touched = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&uid_exact=POR-0100")).await.ok()
        ["data"][0]
        .clone();
    let _ = tenant.planner.patch(&format!("/jobs/{}", touched["id"]), json!({"duration": 25})).await.ok();
    let gone =
        tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&uid_exact=POR-0101")).await.ok()["data"]
            [0]
        .clone();
    let _ = tenant.planner.delete(&format!("/jobs/{}", gone["id"])).await.ok();
    sqlx::raw_sql("commit").execute(&mut database).await.expect("a commit");

    let (name, payload) = socket.event().await;
    assert_eq!((name.as_str(), &payload["success"]), ("broadcast_background_opt_complete", &json!(true)));
    assert_eq!((&payload["task_id"], &payload["scenario_id"]), (&task["task_id"], &scenario));
    let ended = wait_for_end(&tenant, &scenario).await;
    assert_eq!((&ended["status"], &ended["progress"]), (&json!("done"), &json!(100)));
    assert_eq!(ended["unserved_count"], payload["unserved_count"]);
    // What was edited came to its best place, or no run can take it; what is gone is told.
    let after = tenant.planner.get(&format!("/jobs/{}", touched["id"])).await.ok();
    assert_ne!(after["unserved_reason"], "changed");
    let told = if after["run_id"].is_null() { "unserved" } else { "placed" };
    assert_eq!(ended["meanwhile"][told], json!([touched["id"]]));
    assert_eq!((&ended["meanwhile"]["deleted"], &ended["improved"]), (&json!([gone["id"]]), &json!(true)));
    assert_eq!(tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok()["stage"], "routing");
    let check = tenant.planner.get(&format!("/scenarios/{scenario}/constraints_check")).await.ok();
    assert_eq!(check["violations"], json!([]));
    drop((listening, working));
}

/// W-006: a job that a planner moves while a search is under way stays where he put it, one that he adds comes to its best
/// place, one that he takes off its run stays off, and the task says so.
#[tokio::test]
async fn what_is_changed_meanwhile_is_not_dropped() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut drivers = Vec::new();
    let mut runs = Vec::new();
    let mut jobs = Vec::new();
    for (n, uid) in (0_u8..).zip(["Ana", "Rui"]) {
        let one = driver(&tenant, uid, json!({})).await;
        runs.push(run(&tenant, &scenario, &one, json!({})).await);
        drivers.push(one);
        for half in 0..3_u8 {
            let body = job_at(
                &format!("{uid}{half}"),
                41.10 + 0.1 * f64::from(n),
                -8.63 + 0.01 * f64::from(half),
                json!({}),
            );
            jobs.push(add(&tenant, &scenario, body).await);
        }
    }
    for (n, one) in runs.iter().enumerate() {
        let _ = put_on(&tenant, one, &[&jobs[3 * n], &jobs[3 * n + 1], &jobs[3 * n + 2]], json!({})).await;
    }
    let task = start(&tenant, &scenario, &drivers, 1).await;
    let mut database = tenant.organisation.database().await;
    hold_back(&mut database, &task).await;
    let working = replica(2).await;
    until_running(&tenant, &scenario).await;
    let _ = put_on(&tenant, &runs[1], &[&jobs[0]], json!({"seq": 1})).await;
    let path = "/runs/move_job_to_new/unserved";
    let _ = tenant.planner.put(path, json!({"job_ids": [jobs[5]["id"]]})).await.ok();
    let added = add(&tenant, &scenario, job_at("NEW", 41.1, -8.62, json!({}))).await;
    sqlx::raw_sql("commit").execute(&mut database).await.expect("a commit");
    let ended = wait_for_end(&tenant, &scenario).await;
    assert_eq!(ended["status"], "done", "{ended}");
    let place =
        async |job: &Value| tenant.planner.get(&format!("/jobs/{}", job["id"])).await.ok()["run_id"].clone();
    assert_eq!(place(&jobs[0]).await, runs[1]["id"]);
    assert!(place(&jobs[5]).await.is_null() && place(&added).await.is_number());
    let told = &ended["meanwhile"];
    assert_eq!(told["stayed"], json!([jobs[0]["id"], jobs[5]["id"]]));
    assert_eq!((&told["placed"], &told["unserved"]), (&json!([added["id"]]), &json!([])));
    drop(working);
}

/// Organisations whose queue answers nobody: as many as can keep every place of a sweep, and some more.
async fn silent_organisations() -> Vec<(TestOrganisation, PgConnection)> {
    let mut silent = Vec::new();
    for _ in 0..6 {
        let organisation = TestOrganisation::new().await;
        let mut database = organisation.database().await;
        sqlx::raw_sql("begin; lock table background_jobs in access exclusive mode")
            .execute(&mut database)
            .await
            .expect("a lock");
        silent.push((organisation, database));
    }
    silent
}

/// How many wait for the queues of these organisations.
async fn waiting_for(silent: &mut [(TestOrganisation, PgConnection)]) -> i64 {
    let schemas: Vec<String> =
        silent.iter().map(|(organisation, _)| format!("org_{}", organisation.id)).collect();
    let mut waiting = 0;
    // Each connection is used, so that none is taken for forgotten.
    for (organisation, database) in silent {
        sqlx::raw_sql("select 1").execute(database).await.expect("an open transaction");
        waiting = sqlx::query_scalar(
            "select count(*) from pg_locks l join pg_class c on c.oid = l.relation
                 join pg_namespace n on n.oid = c.relnamespace
             where not l.granted and c.relname = 'background_jobs' and n.nspname = any($1)",
        )
        .bind(&schemas)
        .fetch_one(&organisation.control)
        .await
        .expect("a count");
    }
    waiting
}

/// Architecture §2, §4: a job that was just announced is taken while the sweep of other organisations has come to a stop
/// at some whose database does not answer.
#[tokio::test]
async fn an_announced_job_does_not_wait_for_the_sweep() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let drivers = vec![driver(&tenant, "Ana", json!({})).await];
    let _ = add(&tenant, &scenario, job_at("J", 41.16, -8.63, json!({}))).await;
    let mut silent = silent_organisations().await;
    let worker = replica(2).await;
    // All places of the sweep are taken by those who do not answer.
    let mut stopped = false;
    for _ in 0..2400 {
        stopped = waiting_for(&mut silent).await >= 4;
        if stopped {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(stopped, "the sweep does not come to a stop");
    let _ = start(&tenant, &scenario, &drivers, 1).await;
    let mut ended = json!(null);
    for _ in 0..2400 {
        ended = tenant.planner.get(&format!("/optimise/background/scenarios/{scenario}")).await.ok();
        assert!(waiting_for(&mut silent).await > 0, "the sweep went on");
        if ended["status"] == "done" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(ended["status"], "done", "the job waits for the sweep");
    drop((silent, worker));
}

/// S-05: cancelling answers at once, also where another replica is at it, and the plan stays as it was.
#[tokio::test]
async fn a_cancelled_optimisation_leaves_the_plan_alone() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    porto_jobs(&tenant, &scenario).await;
    let drivers = porto_drivers(&tenant).await;
    let replica = replica(2).await;
    let _ = start(&tenant, &scenario, &drivers, 600).await;
    until_running(&tenant, &scenario).await;
    let cancelled = tenant.planner.delete(&format!("/optimise/background/scenarios/{scenario}")).await.ok();
    assert_eq!((&cancelled["status"], &cancelled["error"]), (&json!("failed"), &json!("Cancelled")));
    // The search itself ends, long before its ten minutes are over: another one gets a turn and ends.
    let began = Instant::now();
    let _ = start(&tenant, &scenario, &drivers[..1], 1).await;
    let ended = wait_for_end(&tenant, &scenario).await;
    assert_eq!(ended["status"], "done");
    assert!(began.elapsed() < Duration::from_secs(300));
    let runs = tenant.planner.get(&format!("/runs?scenario_id={scenario}")).await.ok();
    assert_eq!(runs["total_count"], 1);
    drop(replica);
}

/// Architecture §9: a worker dies while it writes a plan back: nothing is half done, the task fails, and the scenario can be
/// optimised again.
#[tokio::test]
async fn a_dead_worker_leaves_nothing_half_done() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let drivers = vec![driver(&tenant, "Ana", json!({})).await];
    for n in 0..4_u8 {
        let _ =
            add(&tenant, &scenario, job_at(&format!("J{n}"), 41.16 + 0.01 * f64::from(n), -8.63, json!({})))
                .await;
    }
    let body = json!({"driver_ids": ids(&drivers), "options": {"max_seconds": 60, "ignore_capacity": true}});
    let task =
        tenant.planner.post(&format!("/optimise/background/scenarios/{scenario}"), body.clone()).await.ok();
    let mut holding = tenant.organisation.database().await;
    hold_back(&mut holding, &task).await;
    tenant.organisation.may_watch_sessions().await;
    let first = replica(2).await;
    until_running(&tenant, &scenario).await;
    until(&mut holding, WAITS_FOR_LOCK).await;
    drop(first);
    sqlx::raw_sql("commit").execute(&mut holding).await.expect("a commit");
    // The lease is taken as over; the task itself counts as abandoned half a minute after its last sign of life.
    let mut database = tenant.organisation.database().await;
    sqlx::query(
        "update background_jobs set locked_until = now() - interval '1 minute' where state = 'running'",
    )
    .execute(&mut database)
    .await
    .expect("a lease");
    let runs: i64 =
        sqlx::query_scalar("select count(*) from runs").fetch_one(&mut database).await.expect("a count");
    assert_eq!(runs, 0, "nothing was written");
    let _ = tenant
        .planner
        .post(&format!("/optimise/background/scenarios/{scenario}"), body.clone())
        .await
        .refused(409);

    let second = replica(1).await;
    let ended = wait_for_end(&tenant, &scenario).await;
    assert_eq!(
        (&ended["status"], &ended["error"]),
        (&json!("failed"), &json!("The server was restarted during the optimisation"))
    );
    let short = json!({"driver_ids": ids(&drivers), "options": {"max_seconds": 1}});
    let _ = tenant.planner.post(&format!("/optimise/background/scenarios/{scenario}"), short).await.ok();
    assert_eq!(wait_for_end(&tenant, &scenario).await["status"], "done");
    let dead: i64 = sqlx::query_scalar("select count(*) from background_jobs where state = 'dead'")
        .fetch_one(&mut database)
        .await
        .expect("a count");
    assert_eq!(dead, 1);
    drop(second);
}

/// S-05: an optimisation in the background ends long before its time when it finds nothing better, and says so: until then its
/// progress never stands at the end, and never goes back.
#[tokio::test]
async fn what_cannot_become_better_ends_early() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let drivers = vec![driver(&tenant, "Ana", json!({})).await];
    for n in 0..9_u8 {
        let place = job_at(&format!("J{n}"), 41.16 + 0.01 * f64::from(n), -8.63, json!({}));
        let _ = add(&tenant, &scenario, place).await;
    }
    let replica = replica(1).await;
    let _ = start(&tenant, &scenario, &drivers, 240).await;
    let began = Instant::now();
    let mut progress = 0;
    let ended = loop {
        let task = tenant.planner.get(&format!("/optimise/background/scenarios/{scenario}")).await.ok();
        let now = task["progress"].as_i64().expect("a number");
        assert!(now >= progress, "progress went back from {progress} to {now}");
        progress = now;
        match task["status"].as_str() {
            Some("done" | "failed") => break task,
            _ => assert!(now < 100, "{task}"),
        }
        assert!(began.elapsed() < Duration::from_secs(180), "it takes its whole time: {task}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    assert_eq!((&ended["status"], &ended["unserved_count"]), (&json!("done"), &json!(0)));
    drop(replica);
}
