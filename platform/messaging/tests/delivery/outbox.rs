//! The outbox in a real database: written with its cause, taken by one worker, tried again, said once.

use std::collections::HashSet;
use std::time::Duration;

use bytes::Bytes;
use routewright_messaging::{
    About, Attachment, Channel, Content, Letter, Mailer, NewMessage, PostOffice, SendError, Sender,
    SmsGateway, SmtpConfig, SmtpSecurity, WayOut, claim_message, has_due_message, mark_failed, mark_sent,
    queue_message,
};
use routewright_s3_server::{Keys, S3Server};
use routewright_storage::{Storage, StorageConfig};
use routewright_testing::smtp::{Security, Sink};
use sqlx::PgPool;

fn message(intent: &str) -> NewMessage {
    let letter = Letter::new().paragraph("Your delivery is on its way.");
    NewMessage {
        intent: intent.to_owned(),
        channel: Channel::Email,
        recipients: vec!["ana@example.com".to_owned()],
        subject: Some("Demo: track your delivery A1".to_owned()),
        body_text: letter.text(),
        body_html: Some(letter.html()),
        attachments: Vec::new(),
        about: About::Nothing,
    }
}

async fn state(pool: &PgPool, id: i64) -> (String, i32, Option<String>, Option<String>) {
    sqlx::query_as("select state, attempts, error, message_id from messages where id = $1")
        .bind(id)
        .fetch_one(pool)
        .await
        .expect("the row")
}

/// Lets time pass for the outbox: the trigger would set `modified` back to now.
async fn pass(pool: &PgPool, interval: &str) {
    let mut owner = pool.begin().await.expect("a transaction");
    sqlx::query("alter table messages disable trigger touch_modified")
        .execute(&mut *owner)
        .await
        .expect("trigger off");
    sqlx::query("update messages set modified = modified - $1::text::interval")
        .bind(interval)
        .execute(&mut *owner)
        .await
        .expect("older");
    sqlx::query("alter table messages enable trigger touch_modified")
        .execute(&mut *owner)
        .await
        .expect("trigger on");
    owner.commit().await.expect("committed");
}

#[tokio::test]
async fn a_message_exists_exactly_when_its_cause_does() {
    for kind in ["tenant", "control"] {
        let pool = crate::database::schema(kind).await;
        let mut cause = pool.begin().await.expect("a transaction");
        queue_message(&mut cause, &message("lost")).await.expect("queued");
        cause.rollback().await.expect("rolled back");
        let mut conn = pool.acquire().await.expect("a connection");
        assert!(claim_message(&mut conn).await.expect("claim").is_none());

        let mut cause = pool.begin().await.expect("a transaction");
        queue_message(&mut cause, &message("kept")).await.expect("queued");
        assert!(claim_message(&mut conn).await.expect("claim").is_none(), "not before the commit");
        cause.commit().await.expect("committed");
        let claimed = claim_message(&mut conn).await.expect("claim").expect("a message");
        assert_eq!((claimed.intent.as_str(), claimed.attempt), ("kept", 1));
    }
}

/// P-421, X-011: repeating a request does not send twice.
#[tokio::test]
async fn the_same_intent_is_queued_once() {
    let pool = crate::database::schema("tenant").await;
    let mut conn = pool.acquire().await.expect("a connection");
    let first = queue_message(&mut conn, &message("tracking:1")).await.expect("queued");
    let changed = NewMessage { body_text: "other".to_owned(), ..message("tracking:1") };
    let second = queue_message(&mut conn, &changed).await.expect("queued");
    assert!(first.is_new && !second.is_new);
    assert_eq!(first.id, second.id);

    let claimed = claim_message(&mut conn).await.expect("claim").expect("a message");
    assert_eq!(claimed.body_text, message("tracking:1").body_text);
    mark_sent(&mut conn, &claimed, Some("<id@test>")).await.expect("noted");
    assert!(!queue_message(&mut conn, &message("tracking:1")).await.expect("queued").is_new);
    assert!(claim_message(&mut conn).await.expect("claim").is_none());
    assert_eq!(state(&pool, first.id).await, ("sent".to_owned(), 1, None, Some("<id@test>".to_owned())));
}

#[tokio::test]
async fn recipients_are_checked_and_counted_once() {
    let pool = crate::database::schema("tenant").await;
    let mut conn = pool.acquire().await.expect("a connection");
    let to = |channel, recipients: &[&str]| NewMessage {
        channel,
        recipients: recipients.iter().map(|&r| r.to_owned()).collect(),
        ..message("to")
    };
    for (wrong, reason) in [
        (to(Channel::Email, &[]), "There is no recipient"),
        (to(Channel::Email, &["ana@example.com", "nobody"]), "Invalid email address"),
        (to(Channel::Email, &["a@example.com\r\nBcc: b@example.com"]), "Invalid email address"),
        (
            to(Channel::Sms, &["ana@example.com"]),
            "Invalid phone number, must be international format (e.g +61412345678)",
        ),
        (to(Channel::Sms, &["+351912345678", "+351912345679"]), "A text message has one recipient"),
    ] {
        let error = queue_message(&mut conn, &wrong).await.expect_err("refused");
        assert_eq!(error.description(), reason);
        assert!(error.named_fields().contains_key("recipients"));
    }
    let twice = to(Channel::Email, &[" ana@example.com", "Ana@Example.com", "rui@example.com"]);
    queue_message(&mut conn, &twice).await.expect("queued");
    let claimed = claim_message(&mut conn).await.expect("claim").expect("a message");
    assert_eq!(claimed.recipients, ["ana@example.com", "rui@example.com"]);
}

#[tokio::test]
async fn workers_share_the_messages_without_taking_one_twice() {
    let pool = crate::database::schema("tenant").await;
    for n in 0..40 {
        let mut conn = pool.acquire().await.expect("a connection");
        queue_message(&mut conn, &message(&format!("m{n}"))).await.expect("queued");
    }
    let workers: Vec<_> = (0..4)
        .map(|_| {
            let pool = pool.clone();
            tokio::spawn(async move {
                let mut taken = Vec::new();
                let mut conn = pool.acquire().await.expect("a connection");
                while let Some(message) = claim_message(&mut conn).await.expect("claim") {
                    taken.push(message.id);
                }
                taken
            })
        })
        .collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.expect("a worker"));
    }
    let distinct: HashSet<_> = all.iter().collect();
    assert_eq!((all.len(), distinct.len()), (40, 40));
}

#[tokio::test]
async fn a_temporary_failure_is_tried_again_after_a_growing_pause_and_given_up_in_the_end() {
    let pool = crate::database::schema("tenant").await;
    let mut conn = pool.acquire().await.expect("a connection");
    let id = queue_message(&mut conn, &message("later")).await.expect("queued").id;
    let busy = SendError::Temporary("451 try again".to_owned());
    let mut identities = HashSet::new();
    for attempt in 1..=10 {
        let claimed = claim_message(&mut conn).await.expect("claim").expect("due");
        assert_eq!(claimed.attempt, attempt);
        identities.insert(claimed.mail_id.clone());
        mark_failed(&mut conn, &claimed, &busy).await.expect("noted");
        assert!(claim_message(&mut conn).await.expect("claim").is_none(), "a pause follows");
        let pause = 3600.min(30 * (1 << (attempt - 1)));
        pass(&pool, &format!("{} seconds", pause - 1)).await;
        assert!(claim_message(&mut conn).await.expect("claim").is_none(), "attempt {attempt} was too early");
        pass(&pool, "2 seconds").await;
    }
    assert_eq!(identities.len(), 1, "every attempt is the same mail");
    assert_eq!(state(&pool, id).await, ("failed".to_owned(), 10, Some("451 try again".to_owned()), None));
}

#[tokio::test]
async fn a_permanent_failure_is_not_tried_again() {
    let pool = crate::database::schema("tenant").await;
    let mut conn = pool.acquire().await.expect("a connection");
    let id = queue_message(&mut conn, &message("never")).await.expect("queued").id;
    let claimed = claim_message(&mut conn).await.expect("claim").expect("a message");
    mark_failed(&mut conn, &claimed, &SendError::Permanent("550 unknown".to_owned())).await.expect("noted");
    pass(&pool, "1 day").await;
    assert!(claim_message(&mut conn).await.expect("claim").is_none());
    assert_eq!(state(&pool, id).await.0, "failed");
}

/// V-30: a message whose worker was lost while it handed it over is not sent again by itself; it is told as unknown, and the
/// late word of a worker that was only slow counts.
#[tokio::test]
async fn v_30_a_message_of_a_lost_worker_is_told_as_unknown() {
    for kind in ["tenant", "control"] {
        let pool = crate::database::schema(kind).await;
        let mut conn = pool.acquire().await.expect("a connection");
        let id = queue_message(&mut conn, &message("stuck")).await.expect("queued").id;
        let slow = claim_message(&mut conn).await.expect("claim").expect("a message");
        pass(&pool, "9 minutes").await;
        assert!(claim_message(&mut conn).await.expect("claim").is_none());
        assert_eq!(state(&pool, id).await.0, "sending");
        pass(&pool, "2 minutes").await;
        assert!(has_due_message(&mut conn).await.expect("asked"), "somebody has to look at it");
        assert!(claim_message(&mut conn).await.expect("claim").is_none(), "it is not sent again");
        assert!(!has_due_message(&mut conn).await.expect("asked"));
        let (told, attempts, error, _) = state(&pool, id).await;
        assert_eq!((told.as_str(), attempts), ("unknown", 1));
        assert!(error.expect("a reason").contains("it may have been sent"));
        pass(&pool, "1 day").await;
        assert!(claim_message(&mut conn).await.expect("claim").is_none());

        // What a person has sent again is another attempt of the same mail.
        sqlx::query("update messages set state = 'pending', attempts = 1, modified = now() where id = $1")
            .bind(id)
            .execute(&pool)
            .await
            .expect("sent again");
        pass(&pool, "1 minute").await;
        let second = claim_message(&mut conn).await.expect("claim").expect("again");
        assert_eq!((second.id, second.attempt), (id, 2));
        assert_eq!(second.mail_id, slow.mail_id, "a mailbox recognises the copy");
        mark_failed(&mut conn, &slow, &SendError::Temporary("late".to_owned())).await.expect("ignored");
        mark_sent(&mut conn, &second, Some("<a@b>")).await.expect("noted");
        assert_eq!(state(&pool, id).await.0, "sent");

        let id = queue_message(&mut conn, &message("slow")).await.expect("queued").id;
        let slow = claim_message(&mut conn).await.expect("claim").expect("a message");
        pass(&pool, "11 minutes").await;
        assert!(claim_message(&mut conn).await.expect("claim").is_none());
        mark_sent(&mut conn, &slow, Some("<c@d>")).await.expect("noted");
        assert_eq!(state(&pool, id).await.0, "sent", "it was slow, not lost");
    }
}

#[tokio::test]
async fn the_same_intent_of_two_organisations_is_two_mails() {
    let mut identities = HashSet::new();
    for _ in 0..2 {
        let pool = crate::database::schema("tenant").await;
        let mut conn = pool.acquire().await.expect("a connection");
        queue_message(&mut conn, &message("run:1")).await.expect("queued");
        identities.insert(claim_message(&mut conn).await.expect("claim").expect("a message").mail_id);
    }
    assert_eq!(identities.len(), 2);
}

/// a run sheet goes out by mail, with a file from the storage and one from the row.
#[tokio::test]
async fn the_post_office_delivers_what_was_queued() {
    let pool = crate::database::schema("control").await;
    let mut conn = pool.acquire().await.expect("a connection");
    let files = tempfile::tempdir().expect("a folder");
    let keys = Keys { access_key: "a".to_owned(), secret_key: "s".to_owned() };
    let server = S3Server::start(files.path(), &keys, 0).await.expect("a file storage");
    let storage = Storage::new(&StorageConfig {
        endpoint: Some(server.endpoint()),
        region: "us-east-1".to_owned(),
        bucket: "files".to_owned(),
        access_key: keys.access_key,
        secret_key: keys.secret_key,
        path_style: true,
    });
    storage.ensure_bucket().await.expect("the bucket");
    let folder = storage.organisation(1);
    folder.put("exports/jobs", "text/csv", Bytes::from_static(b"uid\nA1\n")).await.expect("a file");

    let attach = |name: &str, content_type: &str, content| Attachment {
        name: name.to_owned(),
        content_type: content_type.to_owned(),
        content,
    };
    let attachments = vec![
        attach("sheet.pdf", "application/pdf", Content::Base64(b"%PDF-1.7 sheet".to_vec())),
        attach("jobs.csv", "text/csv", Content::Key("exports/jobs".to_owned())),
    ];
    queue_message(&mut conn, &NewMessage { attachments, ..message("sheet") }).await.expect("queued");
    let claimed = claim_message(&mut conn).await.expect("claim").expect("a message");

    let sink = Sink::start(Security::None).await;
    let mailer = Mailer::smtp(&SmtpConfig {
        host: "localhost".to_owned(),
        port: sink.port,
        security: SmtpSecurity::None,
        credentials: None,
        from: "no-reply@routewright.test".to_owned(),
        authority: None,
        timeout: Duration::from_secs(5),
    })
    .expect("a mailer");
    let office = PostOffice { mailer, sms: SmsGateway::new(true).expect("a gateway") };
    let id = office
        .send(&WayOut::of_platform(), &claimed, Some(&folder), &Sender::default(), None)
        .await
        .expect("sent");
    mark_sent(&mut conn, &claimed, id.as_deref()).await.expect("noted");

    let received = sink.mails();
    let mail = mail_parser::MessageParser::default().parse(&received[0].raw).expect("a mail");
    assert_eq!(mail.attachment(0).map(mail_parser::MessagePart::contents), Some(&b"%PDF-1.7 sheet"[..]));
    let table = mail.attachment(1).map(|part| String::from_utf8_lossy(part.contents()).replace("\r\n", "\n"));
    assert_eq!(table.as_deref(), Some("uid\nA1\n"));
    assert_eq!(state(&pool, claimed.id).await.3, id);

    // A storage that is away for a while delays the mail, a file that is gone fails it.
    folder.delete("exports/jobs").await.expect("deleted");
    let gone = office.send(&WayOut::of_platform(), &claimed, Some(&folder), &Sender::default(), None).await;
    assert!(matches!(gone, Err(SendError::Permanent(_))), "{gone:?}");
    server.stop().await;
    let away = office.send(&WayOut::of_platform(), &claimed, Some(&folder), &Sender::default(), None).await;
    assert!(matches!(away, Err(SendError::Temporary(_))), "{away:?}");
}
