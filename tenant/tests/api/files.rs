//! Files: upload, links, deletion; what the map is drawn with.

use http::header;
use serde_json::json;

use crate::support::{Tenant, tenant};

/// A PNG of one pixel.
pub(crate) const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63,
    0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0, 0x05, 0, 0x01, 0xff, 0x89, 0x99, 0x3d, 0x1d, 0, 0, 0, 0, 0x49, 0x45,
    0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// Uploads the pixel as the planner.
pub(crate) async fn picture(tenant: &Tenant) -> serde_json::Value {
    tenant.planner.upload("/files/upload", "proof.png", "image/png", PNG, &[("prefix", "proof-")]).await.ok()
}

/// P-451, X-304, X-477, X-535 to: an upload has id, uid and link; the link shows it to whoever knows it.
#[tokio::test]
async fn a_file_is_uploaded_read_and_deleted() {
    let tenant = tenant().await;
    let fields = [("prefix", "logo-")];
    let made = tenant.planner.upload("/files/upload", "Logo ü.png", "image/png", PNG, &fields).await.ok();
    let (id, link) = (&made["id"], made["link"].as_str().unwrap());
    assert_eq!(link, format!("/files/uid/{}", made["uid"].as_str().unwrap()));
    let record = tenant.planner.get(&format!("/files/{id}")).await.ok();
    assert_eq!((&record["name"], &record["prefix"]), (&json!("Logo ü.png"), &json!("logo-")));
    assert_eq!(record["created_by"], tenant.organisation.planner.id);

    let shown = tenant.planner.nobody().get(link).await;
    assert_eq!(shown.status, 200);
    assert!(shown.bytes.starts_with(&PNG[..8]));
    assert_eq!(shown.headers[header::CONTENT_TYPE], "image/png");
    assert_eq!(shown.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert_eq!(shown.headers[header::CONTENT_DISPOSITION], "inline");

    let temporary = tenant.planner.get(&format!("/files/get_temp_link/{id}")).await.ok();
    let shown = tenant.planner.nobody().get(temporary["link"].as_str().unwrap()).await;
    assert_eq!((shown.status.as_u16(), shown.bytes.len() as u64), (200, record["size"].as_u64().unwrap()));
    let mut forged = temporary["link"].as_str().unwrap().to_owned();
    forged.pop();
    assert_eq!(tenant.planner.nobody().get(&forged).await.status, 401);

    let other = tenant.organisation.person_with(&["jobs_read"]).await;
    tenant.app.gate.policies.forget_all();
    let other = tenant.planner.with_token(tenant.organisation.token(other));
    other.delete(&format!("/files/{id}")).await.refused(403);
    assert_eq!(tenant.planner.delete(&format!("/files/{id}")).await.ok(), json!({"id": id}));
    tenant.planner.nobody().get(link).await.refused(404);
    tenant.planner.get(&format!("/files/{id}")).await.refused(404);
}

/// V-04: a small file that unpacks to more than a camera takes is refused by its first bytes, as evidence of the road too, and
/// what it was sent with says why.
#[tokio::test]
async fn a_picture_that_unpacks_large_is_refused() {
    let tenant = tenant().await;
    let mut bomb = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(12_000, 12_000).write_to(&mut bomb, image::ImageFormat::Png).unwrap();
    let bomb = bomb.into_inner();
    for fields in [&[][..], &[("prefix", "proof-")]] {
        let refusal =
            tenant.planner.upload("/files/upload", "a.png", "image/png", &bomb, fields).await.refused(413);
        let text = "The picture has 144 megapixels; at most 51 are accepted. Please make it smaller.";
        assert_eq!(refusal["description"], text);
    }
}

/// S-37: content decides, 25 MB at most; nothing but images shows in the browser.
#[tokio::test]
async fn what_is_no_known_file_is_refused() {
    let tenant = tenant().await;
    let refusal = tenant
        .planner
        .upload("/files/upload", "photo.png", "image/png", b"<html><script>alert(1)</script></html>", &[])
        .await
        .refused(415);
    assert!(refusal["description"].as_str().unwrap().starts_with("The file type is not supported"));
    let large = vec![b'a'; 25 * 1024 * 1024 + 1];
    let refusal =
        tenant.planner.upload("/files/upload", "big.csv", "text/csv", &large, &[]).await.refused(413);
    assert_eq!(refusal["description"], "The file is larger than 25 MB");
    let refusal = tenant.planner.upload("/files/upload", "a.png", "image/png", b"", &[]).await.refused(400);
    assert_eq!(refusal["fields"]["file"], "The file is empty");
    let wrong = [("prefix", "../")];
    let refusal =
        tenant.planner.upload("/files/upload", "a.png", "image/png", PNG, &wrong).await.refused(400);
    assert!(refusal["fields"]["prefix"].is_string());
    tenant.planner.post("/files/upload", json!({})).await.refused(415);

    let csv = tenant.planner.upload("/files/upload", "list.csv", "text/csv", b"a,b\n1,2\n", &[]).await.ok();
    let shown = tenant.planner.nobody().get(csv["link"].as_str().unwrap()).await;
    let disposition = shown.headers[header::CONTENT_DISPOSITION].to_str().unwrap();
    assert!(disposition.starts_with("attachment; filename=\"list.csv\""), "{disposition}");
    let database = &mut tenant.organisation.database().await;
    let kept: i64 = sqlx::query_scalar("select count(*) from files").fetch_one(database).await.unwrap();
    assert_eq!(kept, 1, "a refused upload leaves nothing behind");
}

/// a file of another organisation is not there, and no id opens it.
#[tokio::test]
async fn files_stay_in_their_organisation() {
    let (ours, theirs) = (tenant().await, tenant().await);
    let made = picture(&ours).await;
    theirs.planner.get(&format!("/files/{}", made["id"])).await.refused(404);
    theirs.planner.get(&format!("/files/get_temp_link/{}", made["id"])).await.refused(404);
    theirs.planner.delete(&format!("/files/{}", made["id"])).await.refused(404);
    let guessed = ours.organisation.links.long(ours.organisation.id);
    ours.planner.nobody().get(&format!("/files/uid/{guessed}")).await.refused(404);
    ours.planner.nobody().get("/files/uid/nonsense").await.refused(401);
}

/// without tiles there are no styles; the browser then draws the outline of the world.
#[tokio::test]
async fn the_map_is_configured_for_signed_in_users() {
    let tenant = tenant().await;
    let config = tenant.planner.get("/map/config").await.ok();
    assert_eq!(config, json!({"styles": [], "google_key": null}));
    tenant.planner.nobody().get("/map/config").await.refused(401);
}
