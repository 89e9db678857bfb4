//! The demo organisation has weeks behind it.

#![expect(clippy::unwrap_used, reason = "what a test stands on is said where it is missing")]

mod product;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use chrono::{Days, Utc};
use product::{Product, checkout};
use serde_json::Value;

async fn until_told(data: &Path) {
    for _ in 0..1200 {
        if !data.join("demo-days-under-way").exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(!data.join("demo-days-under-way").exists(), "the past days are never told to their end");
}

fn rows(list: &Value) -> &[Value] {
    list["data"].as_array().unwrap()
}

/// The demo's home page has a course of weeks: days that were dispatched, driven, proved and validated, also when the
/// product is killed while it tells them. The plan of today stays the first in lists, and empty.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_has_weeks_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let (data, checkout) = (folder.path().join("data"), checkout(folder.path()));
    let mut product = Product::start(&checkout, &data).await;
    let token = product.administrator().await;
    while product.get(&token, "/job_proofs?per_page=1").await["total_count"].as_i64() < Some(40) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    product.process.start_kill().unwrap();
    let _ = product.process.wait().await;
    assert!(data.join("demo-days-under-way").exists(), "it was killed in the middle");

    let product = Product::start(&checkout, &data).await;
    until_told(&data).await;
    let token = product.administrator().await;
    let (today, first) = (Utc::now().date_naive(), Utc::now().date_naive() - Days::new(30));
    let days = product.get(&token, &format!("/kpi/days?start_date={first}&end_date={today}")).await;
    let days = days.as_array().unwrap();
    assert_eq!(days.len(), 20);
    let sum = |field: &str| -> i64 { days.iter().map(|day| day[field].as_i64().unwrap()).sum() };
    let (jobs, visited, successful, on_time) =
        (sum("jobs"), sum("visited"), sum("successful"), sum("on_time"));
    assert!(jobs > 400 && sum("unserved") > 0, "{jobs}");
    assert!(visited < jobs && successful < visited && on_time < visited, "{visited} {successful} {on_time}");
    assert!(visited * 10 > jobs * 9 && on_time * 10 > visited * 7, "{visited} {on_time}");
    // Nothing twice.
    let proofs = product.get(&token, "/job_proofs?per_page=1").await["total_count"].as_i64();
    assert_eq!(proofs, Some(visited));
    let runs = product.get(&token, "/runs?per_page=300").await;
    assert_eq!(rows(&runs).len(), 60);
    assert!(rows(&runs).iter().all(|run| !run["validated_at"].is_null() && run["dispatched"] == true));

    let scenarios = product.get(&token, "/scenarios?per_page=300").await;
    let named: BTreeSet<&str> = rows(&scenarios).iter().map(|plan| plan["name"].as_str().unwrap()).collect();
    assert_eq!((rows(&scenarios).len(), named.len()), (21, 21));
    assert_eq!(rows(&scenarios)[0]["stage"], "planning");
    let of_today = product.get(&token, &format!("/jobs?scenario_ids={}", rows(&scenarios)[0]["id"])).await;
    assert_eq!(of_today["total_count"], 0);
}
