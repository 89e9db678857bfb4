//! Pieces of work in processes of their own (issue 10.1, V-01, V-04): one that is killed in the midst of it, as by a system that
//! is out of memory, is the refusal of that request alone. Nothing of it is kept, and the same works afterwards.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use axum::body::Body;
use http::Request;
use routewright_core::Clock;
use routewright_tenant::Config;
use routewright_testing::{Client, TestOrganisation, variables};
use serde_json::{Value, json};

use crate::files::PNG;

/// The program for pieces of work, which is killed as soon as it has begun while `mark` is there.
fn killed_while(mark: &Path, program: &str) -> String {
    let mark = mark.display();
    format!("#!/bin/sh\nif [ -e '{mark}' ]; then read -r part; kill -9 $$; fi\nexec '{program}' \"$@\"\n")
}

#[tokio::test]
async fn a_piece_that_is_killed_ends_alone() {
    let organisation = TestOrganisation::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (mark, script) = (folder.path().join("mark"), folder.path().join("program"));
    let mut variables = variables();
    std::fs::write(&script, killed_while(&mark, &variables["PIECES_PROGRAM"])).unwrap();
    std::fs::set_permissions(&script, Permissions::from_mode(0o700)).unwrap();
    variables.insert("PIECES_PROGRAM".to_owned(), script.to_str().unwrap().to_owned());
    let config = Config::from_source(&variables).unwrap();
    let service = routewright_tenant::build(config, Clock::system()).await.unwrap();
    let admin = Client::new(service.router, Some(organisation.token(organisation.admin)));

    let upload = || admin.upload("/files/upload", "proof.png", "image/png", PNG, &[("prefix", "proof-")]);
    let read = || {
        let request = Request::post("/jobs/read_file").header("content-type", "application/octet-stream");
        admin.send(request.body(Body::from("uid,address\nJ1,Rua 1\n")).unwrap())
    };
    std::fs::write(&mark, "").unwrap();
    for (what, refused) in [("picture", upload().await), ("file", read().await)] {
        let refused = refused.refused(413);
        let text = refused["description"].as_str().unwrap();
        assert!(text.contains(what), "{text}");
    }
    let mut database = organisation.database().await;
    let kept: i64 = sqlx::query_scalar("select count(*) from files").fetch_one(&mut database).await.unwrap();
    assert_eq!(kept, 0, "a picture whose reading was killed leaves nothing behind");

    std::fs::remove_file(&mark).unwrap();
    assert!(upload().await.ok()["link"].is_string());
    let file: Value = read().await.ok();
    assert_eq!(file["rows"][0]["cells"], json!(["J1", "Rua 1"]));
}
