//! W-087: a suspended organisation as its users, drivers and customers meet it.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::execution::ready;
use crate::jobs::scenario;
use crate::realtime::{Socket, replica, ws_token};
use crate::support::{Tenant, tenant};

/// As the control plane does it; with an empty reason it is resumed.
async fn suspend(tenant: &Tenant, reason: &str) {
    let mut connection = tenant.organisation.control.acquire().await.unwrap();
    sqlx::query(
        "update organisations set suspended_at = case when $2 = '' then null else now() end,
             suspension_reason = nullif($2, '') where id = $1",
    )
    .bind(tenant.organisation.id)
    .bind(reason)
    .execute(&mut *connection)
    .await
    .unwrap();
    routewright_tenancy::migration::announce_policy(&mut connection, tenant.organisation.id).await.unwrap();
    tenant.app.gate.policies.forget(tenant.organisation.id);
}

/// Users are refused, drivers and customers are told kindly to come back, by a status after which phones bring their records
/// again; nothing is lost.
#[tokio::test]
async fn w_087_links_and_run_sheets_of_a_suspended_organisation_wait() {
    let ready = ready().await;
    let nobody = ready.tenant.planner.nobody();
    let tracking = format!("/jobs/tracking/{}", ready.jobs[0]["tracking_token"].as_str().unwrap());
    let token = json!({"token_uid": ready.run["token"]});
    let sheet = nobody.post("/auth/runsheet_token", token.clone()).await.ok();
    let driver = nobody.with_token(sheet["runsheet_token"].as_str().unwrap().to_owned());
    let _ = driver.get("/v2/runsheet").await.ok();
    let proof = json!({"job_id": ready.jobs[0]["id"], "record_time": "2026-11-23 08:10:00"});
    let proofs = format!("/runsheet/{}/job_proofs", ready.run["token"].as_str().unwrap());

    suspend(&ready.tenant, "unpaid").await;
    assert_eq!(ready.tenant.planner.get("/jobs").await.refused(403)["error"], "organisation_suspended");
    for told in [
        nobody.get(&tracking).await.refused(503),
        nobody.post("/auth/runsheet_token", token).await.refused(503),
        driver.get("/v2/runsheet").await.refused(503),
        nobody.post(&proofs, proof.clone()).await.refused(503),
    ] {
        assert_eq!(told["error"], "organisation_suspended");
        assert!(told["description"].as_str().is_some_and(|text| text.contains("Nothing is lost")), "{told}");
        assert!(!told.to_string().contains("unpaid"), "{told}");
    }
    let worker = ready.tenant.app.gate.worker(ready.tenant.organisation.id).await;
    assert!(worker.is_err(), "background work waits");
    let at_work = ready.tenant.app.gate.policies.organisations().await.unwrap();
    assert!(!at_work.contains(&ready.tenant.organisation.id));

    suspend(&ready.tenant, "").await;
    let _ = nobody.post(&proofs, proof).await.ok();
    let _ = driver.get("/v2/runsheet").await.ok();
    let _ = nobody.get(&tracking).await.ok();
    let _ = ready.tenant.planner.get("/jobs").await.ok();
}

/// Who listens hears no more at once: people with their own session, and links. The others go on listening, and operators who
/// look after it do too.
#[tokio::test]
async fn w_087_sockets_of_a_suspended_organisation_end_at_once() {
    let (here, elsewhere) = (tenant().await, tenant().await);
    let replica = replica(0).await;
    let (ours, theirs) = (scenario(&here).await, scenario(&elsewhere).await);
    let token = here.organisation.token(here.organisation.planner);
    let link = ws_token(&here, &ours).await;
    let foreign = elsewhere.organisation.token(elsewhere.organisation.planner);
    let mut sockets = vec![
        Socket::plan(&replica, &token, &ours).await,
        Socket::signed_in(&replica, "/tracking", &token, &ours).await,
        Socket::connect(&replica, "/tracking", &link).await,
    ];
    let mut others = vec![
        Socket::signed_in(&replica, "/tracking", &foreign, &theirs).await,
        Socket::connect(&replica, "/tracking", &ws_token(&elsewhere, &theirs).await).await,
    ];
    for (_, answer) in sockets.iter().chain(&others) {
        assert!(answer["sid"].is_string(), "{answer}");
    }
    let began = Instant::now();
    suspend(&here, "unpaid").await;
    for (socket, _) in &mut sockets {
        socket.ends().await;
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    for (socket, _) in &mut others {
        assert!(socket.is_quiet().await);
    }
    let (_, refused) = Socket::plan(&replica, &token, &ours).await;
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("suspended")), "{refused}");
    let (_, refused) = Socket::connect(&replica, "/tracking", &link).await;
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("Nothing is lost")), "{refused}");

    suspend(&here, "").await;
    // The other replica hears of it a moment later; a page asks again by itself.
    let mut answer = json!(null);
    for _ in 0..100 {
        (_, answer) = Socket::plan(&replica, &token, &ours).await;
        if answer["sid"].is_string() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{answer}");
}
