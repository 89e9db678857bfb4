//! Run sheets and proofs of delivery as files.

use std::process::Command;

use serde_json::json;

use crate::execution::ready;
use crate::files::PNG;

/// What a PDF says, by poppler.
pub(crate) fn text(pdf: &[u8]) -> String {
    assert!(pdf.starts_with(b"%PDF"), "not a PDF");
    let folder = std::env::temp_dir().join(format!("rw-{}.pdf", routewright_core::token::random(12)));
    std::fs::write(&folder, pdf).unwrap();
    let output =
        Command::new("pdftotext").arg("-layout").arg(&folder).arg("-").output().expect("pdftotext runs");
    std::fs::remove_file(&folder).unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// V-08: run sheets as PDF and as printable workbook; nothing is held while they are
/// drawn.
#[tokio::test]
async fn run_sheets_are_printed() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let one = planner.get(&format!("/runs/{}/runsheet_pdf", ready.run["id"])).await;
    assert_eq!(one.headers["content-type"], "application/pdf");
    let words = text(&one.bytes);
    for part in ["Ana", "2026/11/23", "Customer J1", "Rua J2", "boxes", "Ring twice"] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let all = planner.get(&format!("/scenarios/{}/runsheets_pdf", ready.scenario["id"])).await;
    let name = format!("scenario-{}.pdf", ready.scenario["id"]);
    assert!(all.headers["content-disposition"].to_str().unwrap().contains(&name));
    assert!(text(&all.bytes).contains("Customer J3"));
    let excel = planner.get(&format!("/scenarios/{}/runsheets_excel", ready.scenario["id"])).await;
    assert!(excel.bytes.starts_with(b"PK"));
    planner.get("/runs/999/runsheet_pdf").await.refused(404);
    let body = json!({"name": "Empty", "scheduled_date": "2026-11-24"});
    let empty = planner.post("/scenarios", body).await.ok();
    planner.get(&format!("/scenarios/{}/runsheets_pdf", empty["id"])).await.refused(404);
    let reader = ready.tenant.organisation.person_with(&["runs_read"]).await;
    ready.tenant.app.gate.policies.forget_all();
    let reader = planner.with_token(ready.tenant.organisation.token(reader));
    reader.get(&format!("/scenarios/{}/runsheets_excel", ready.scenario["id"])).await.refused(403);
}

/// V-08: the proof of delivery for the office, the driver, and many in a
/// zip; nothing is held while photos are fetched and drawn.
#[tokio::test]
async fn proofs_of_delivery_are_printed() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let planner = &ready.tenant.planner;
    let job = &ready.jobs[0]["id"];
    planner.get(&format!("/pod_pdfs/jobs/{job}")).await.refused(404);
    let photo = driver.upload("/v2/runsheet/upload/file", "door.png", "image/png", PNG, &[]).await.ok();
    let fields = json!({
        "record_time": "2026-11-23 07:45:00", "photo_ids": [photo["id"]], "signature_id": photo["id"],
        "signature_name": "Maria Silva", "comments": "Left at the door", "lat": 41.15, "lon": -8.61,
    });
    let _ = ready.prove(0, fields).await;
    for answer in [
        planner.get(&format!("/pod_pdfs/jobs/{job}")).await,
        driver.get(&format!("/runsheet/jobs/{job}/proof_of_delivery_pdf")).await,
        planner.get(&format!("/runsheet/jobs/{job}/proof_of_delivery_pdf")).await,
    ] {
        let words = text(&answer.bytes);
        for part in ["J1", "Customer J1", "Maria Silva", "Left at the door", "07:45"] {
            assert!(words.contains(part), "{part} in {words}");
        }
    }
    // V-04: the pictures were taken apart once; small copies of them are kept, and go with their originals.
    let folder = ready.tenant.app.storage.organisation(ready.tenant.organisation.id.get());
    let copies = async || {
        let mut keys = folder.keys().await.unwrap();
        keys.retain(|key| key.starts_with("copies/"));
        keys.sort();
        keys
    };
    let kept = copies().await;
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(kept[0].starts_with("copies/photo/files/") && kept[1].starts_with("copies/signature/files/"));
    let bytes = folder.get(&kept[0]).await.unwrap().into_bytes().await.unwrap();
    assert!(bytes.starts_with(&[0xff, 0xd8]), "a photo is kept as JPEG");
    // What has not changed is not drawn again; what has, is.
    let path = format!("/pod_pdfs/jobs/{job}");
    assert_eq!(planner.get(&path).await.bytes, planner.get(&path).await.bytes);
    let _ = planner.patch(&format!("/jobs/{job}"), json!({"customer_name": "Renamed Ltd"})).await.ok();
    assert!(text(&planner.get(&path).await.bytes).contains("Renamed Ltd"));
    driver.get("/pod_pdfs/jobs/1").await.refused(401);
    let reader = ready.tenant.organisation.person_with(&["jobs_read", "proofs_read"]).await;
    ready.tenant.app.gate.policies.forget_all();
    let reader = planner.with_token(ready.tenant.organisation.token(reader));
    reader.get(&format!("/pod_pdfs/jobs/{job}")).await.refused(403);

    let zip = planner.get(&format!("/pod_pdfs/jobs?scenario_id={}", ready.scenario["id"])).await;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip.bytes.clone())).unwrap();
    assert_eq!(archive.len(), 1);
    let mut file = archive.by_name("pod-J1.pdf").unwrap();
    let mut pdf = Vec::new();
    std::io::Read::read_to_end(&mut file, &mut pdf).unwrap();
    assert!(text(&pdf).contains("Maria Silva"));
    planner.get("/pod_pdfs/jobs?job_ids=999").await.refused(404);
    planner.get("/pod_pdfs/jobs").await.refused(400);
}
