//! The storage against a real S3 server: signing, paths, streams and refusals are those of the protocol.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::process::Command;

use bytes::Bytes;
use futures_util::StreamExt;
use routewright_core::full::{self, Place};
use routewright_s3_server::{Keys, S3Server};
use routewright_storage::{Storage, StorageConfig, StorageError};
use tempfile::TempDir;

struct Fixture {
    server: S3Server,
    config: StorageConfig,
    folder: TempDir,
}

fn keys() -> Keys {
    Keys { access_key: "test-access".to_owned(), secret_key: "test-secret".to_owned() }
}

async fn server() -> Fixture {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = S3Server::start(folder.path(), &keys(), 0).await.expect("a server");
    let config = configuration(&server);
    Fixture { server, config, folder }
}

fn configuration(server: &S3Server) -> StorageConfig {
    StorageConfig {
        endpoint: Some(server.endpoint()),
        region: "us-east-1".to_owned(),
        bucket: "routewright".to_owned(),
        access_key: keys().access_key,
        secret_key: keys().secret_key,
        path_style: true,
    }
}

async fn bucket() -> (Fixture, Storage) {
    let fixture = server().await;
    let storage = Storage::new(&fixture.config);
    storage.ensure_bucket().await.expect("the bucket");
    (fixture, storage)
}

#[tokio::test]
async fn ensure_bucket_twice_and_from_two_replicas() {
    let fixture = server().await;
    let (one, two) = (Storage::new(&fixture.config), Storage::new(&fixture.config));
    let (first, second) = tokio::join!(one.ensure_bucket(), two.ensure_bucket());
    first.expect("first replica");
    second.expect("second replica");
    one.ensure_bucket().await.expect("again");
}

#[tokio::test]
async fn what_was_put_is_streamed_back_with_its_type() {
    let (_server, storage) = bucket().await;
    let folder = storage.organisation(7);
    // Larger than one piece of the stream, and not the same byte all over.
    let content: Bytes = (0..3_000_000u32).map(|n| (n % 251) as u8).collect();
    folder.put("files/ab12", "image/png", content.clone()).await.expect("put");

    let object = folder.get("files/ab12").await.expect("get");
    assert_eq!(object.content_type.as_deref(), Some("image/png"));
    assert_eq!(object.size, 3_000_000);
    let mut received = Vec::new();
    let mut pieces = 0;
    let mut stream = Box::pin(object.into_stream());
    while let Some(piece) = stream.next().await {
        received.extend_from_slice(&piece.expect("a piece"));
        pieces += 1;
    }
    assert_eq!(received, content);
    assert!(pieces > 1, "the content must not be held in memory as a whole");
}

#[tokio::test]
async fn put_replaces_delete_removes_and_both_may_be_repeated() {
    let (_server, storage) = bucket().await;
    let folder = storage.organisation(7);
    assert!(!folder.exists("a").await.expect("exists"));
    folder.put("a", "text/csv", Bytes::from_static(b"old")).await.expect("put");
    folder.put("a", "text/csv", Bytes::from_static(b"new")).await.expect("put again");
    let read = folder.get("a").await.expect("get").into_bytes().await.expect("content");
    assert_eq!(read, "new");
    assert!(folder.exists("a").await.expect("exists"));
    folder.delete("a").await.expect("delete");
    folder.delete("a").await.expect("delete again");
    assert!(!folder.exists("a").await.expect("exists"));
    assert!(matches!(folder.get("a").await, Err(StorageError::NotFound)));
}

#[tokio::test]
async fn an_empty_file_stays_empty() {
    let (_server, storage) = bucket().await;
    let folder = storage.organisation(7);
    folder.put("empty", "text/csv", Bytes::new()).await.expect("put");
    let object = folder.get("empty").await.expect("get");
    assert_eq!(object.size, 0);
    assert!(object.into_bytes().await.expect("content").is_empty());
}

#[tokio::test]
async fn organisations_do_not_see_each_others_files() {
    let (_server, storage) = bucket().await;
    let (mine, other) = (storage.organisation(1), storage.organisation(12));
    mine.put("files/same", "text/csv", Bytes::from_static(b"mine")).await.expect("put");
    other.put("files/same", "text/csv", Bytes::from_static(b"other")).await.expect("put");
    other.put("files/more", "text/csv", Bytes::from_static(b"more")).await.expect("put");

    let read = mine.get("files/same").await.expect("get").into_bytes().await.expect("content");
    assert_eq!(read, "mine");
    assert_eq!(mine.keys().await.expect("keys"), ["files/same"]);

    for escape in ["../org_12/files/more", "files/../../org_12/files/more", "/org_12/files/more", "./x", ""] {
        assert!(
            matches!(mine.get(escape).await, Err(StorageError::InvalidKey(_))),
            "{escape:?} must not be a key"
        );
        let put = mine.put(escape, "text/csv", Bytes::from_static(b"x")).await;
        assert!(matches!(put, Err(StorageError::InvalidKey(_))), "{escape:?} must not be a key");
    }

    assert_eq!(other.delete_all().await.expect("delete all"), 2);
    assert!(other.keys().await.expect("keys").is_empty());
    assert!(mine.exists("files/same").await.expect("exists"), "organisation 1 keeps its file");
}

#[tokio::test]
async fn wrong_keys_are_refused() {
    let fixture = server().await;
    let config = StorageConfig { secret_key: "guessed".to_owned(), ..fixture.config.clone() };
    let refused = Storage::new(&config).organisation(1).get("a").await;
    assert!(matches!(refused, Err(StorageError::Refused(_))), "{refused:?}");
}

#[tokio::test]
async fn a_missing_bucket_is_not_found() {
    let fixture = server().await;
    let missing = Storage::new(&fixture.config).organisation(1).get("a").await;
    assert!(matches!(missing, Err(StorageError::NotFound)), "{missing:?}");
}

#[tokio::test]
async fn the_storage_recovers_when_the_server_comes_back() {
    let (fixture, storage) = bucket().await;
    let Fixture { server, folder, .. } = fixture;
    let port: u16 = server.endpoint().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    storage.organisation(1).put("a", "text/csv", Bytes::from_static(b"kept")).await.expect("put");
    server.stop().await;

    let away = storage.organisation(1).get("a").await;
    assert!(matches!(away, Err(StorageError::Unavailable(_))), "{away:?}");

    let _back = S3Server::start(folder.path(), &keys(), port).await.expect("the server again");
    let read = storage.organisation(1).get("a").await.expect("get").into_bytes().await.expect("content");
    assert_eq!(read, "kept");
}

#[test]
fn secrets_are_not_printed() {
    let config = StorageConfig {
        endpoint: None,
        region: "eu-west-1".to_owned(),
        bucket: "files".to_owned(),
        access_key: "AKIAEXAMPLE".to_owned(),
        secret_key: "hunter2".to_owned(),
        path_style: false,
    };
    let printed = format!("{config:?} {:?}", Storage::new(&config));
    assert!(!printed.contains("hunter2") && !printed.contains("AKIAEXAMPLE"), "{printed}");
}

/// A small disk of its own, where whoever runs the test may have one.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=6m", "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|mount| mount.status.success());
        mounted.then_some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).output();
    }
}

/// V-31: a server whose disk is full says so, keeps what it has, and takes more when there is room again. Whoever may not mount
/// anything has no disk to fill: a limit is the same.
#[tokio::test]
async fn v_31_a_full_disk_is_told() {
    if let Some(disk) = SmallDisk::mount() {
        let server = S3Server::start(disk.0.path(), &keys(), 0).await.expect("a server");
        fills_and_empties(server).await;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = S3Server::with_limit(folder.path(), &keys(), 0, Some(6 << 20)).await.expect("a server");
    fills_and_empties(server).await;
}

/// There is room for one large object and not for two.
async fn fills_and_empties(server: S3Server) {
    let storage = Storage::new(&configuration(&server));
    storage.ensure_bucket().await.expect("the bucket");
    let folder = storage.organisation(7);
    let large = Bytes::from(vec![7; 3_500_000]);
    folder.put("first", "image/png", large.clone()).await.expect("there is room");
    let refused = folder.put("second", "image/png", large.clone()).await;
    assert!(matches!(refused, Err(StorageError::Full(_))), "{refused:?}");
    assert!(full::lately(Place::Storage), "operators are told");
    assert!(!folder.exists("second").await.expect("an answer"));
    let kept = folder.get("first").await.expect("still there").into_bytes().await.expect("its bytes");
    assert_eq!(kept, large);
    folder.delete("first").await.expect("gone");
    folder.put("second", "image/png", large).await.expect("there is room again");
    server.stop().await;
}
