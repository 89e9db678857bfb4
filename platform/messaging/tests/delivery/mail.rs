//! Mails through a real SMTP conversation, read back by a mail parser.

use std::time::Duration;

use mail_parser::{MessageParser, MimeHeaders};
use routewright_messaging::{
    Letter, Mail, MailAttachment, Mailer, SendError, Sender, SmtpConfig, SmtpSecurity,
};
use routewright_testing::smtp::{Security, Sink};

fn config(sink: &Sink, security: SmtpSecurity) -> SmtpConfig {
    SmtpConfig {
        host: "localhost".to_owned(),
        port: sink.port,
        security,
        credentials: None,
        from: "Routewright <no-reply@routewright.test>".to_owned(),
        authority: Some(sink.certificate.clone()),
        timeout: Duration::from_secs(5),
    }
}

fn signed_in(config: SmtpConfig) -> SmtpConfig {
    SmtpConfig { credentials: Some(("user".to_owned(), "pass".to_owned())), ..config }
}

fn mail(to: &str) -> Mail {
    let letter = Letter::new().paragraph("Olá João").link("Run sheet", "https://example.org/runsheet?t=1");
    Mail {
        id: "0123456789abcdef".to_owned(),
        sender: Sender {
            name: Some("Demo Logística".to_owned()),
            reply_to: Some("office@demo.routewright.test".to_owned()),
        },
        to: vec![to.to_owned()],
        subject: "Run sheet D-1 2025/03/01 – São João".to_owned(),
        text: letter.text(),
        html: Some(letter.html()),
        attachments: vec![MailAttachment {
            name: "run-sheet D-1.pdf".to_owned(),
            content_type: "application/pdf".to_owned(),
            bytes: b"%PDF-1.7\n\xe2\xe3 the sheet".to_vec(),
        }],
    }
}

/// X-011, P-421: what is sent arrives with sender, subject, both bodies and the file.
#[tokio::test]
async fn a_mail_arrives_whole() {
    let sink = Sink::start(Security::None).await;
    let mailer = Mailer::smtp(&config(&sink, SmtpSecurity::None)).expect("a mailer");
    let id = mailer.send(&mail("ana@example.com")).await.expect("sent");
    assert_eq!(id.as_deref(), Some("<0123456789abcdef@routewright.test>"));

    let received = sink.mails();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].recipients, ["ana@example.com"]);
    let message = MessageParser::default().parse(&received[0].raw).expect("a mail");
    assert_eq!(message.message_id(), Some("0123456789abcdef@routewright.test"));
    assert_eq!(message.subject(), Some("Run sheet D-1 2025/03/01 – São João"));
    let from = message.from().and_then(|from| from.first()).expect("a sender");
    assert_eq!(from.name(), Some("Demo Logística"));
    assert_eq!(from.address(), Some("no-reply@routewright.test"));
    let reply_to = message.reply_to().and_then(|to| to.first()).expect("a reply address");
    assert_eq!(reply_to.address(), Some("office@demo.routewright.test"));
    assert!(message.date().is_some());
    assert!(message.body_text(0).is_some_and(|text| text.contains("Olá João")));
    assert!(message.body_html(0).is_some_and(|html| html.contains("<a href=\"https://example.org")));
    let file = message.attachment(0).expect("the file");
    assert_eq!(file.attachment_name(), Some("run-sheet D-1.pdf"));
    assert_eq!(file.contents(), b"%PDF-1.7\n\xe2\xe3 the sheet");
}

#[tokio::test]
async fn a_text_only_mail_arrives() {
    let sink = Sink::start(Security::None).await;
    let mailer = Mailer::smtp(&config(&sink, SmtpSecurity::None)).expect("a mailer");
    // A line of one dot ends a mail in SMTP.
    let text = "first\r\n.\r\nlast".to_owned();
    let plain = Mail { html: None, attachments: Vec::new(), text: text.clone(), ..mail("ana@example.com") };
    mailer.send(&plain).await.expect("sent");
    let received = sink.mails();
    let message = MessageParser::default().parse(&received[0].raw).expect("a mail");
    assert_eq!(message.body_text(0).map(|body| body.trim_end().to_owned()), Some(text));
}

#[tokio::test]
async fn starttls_and_tls_are_used_and_signed_in() {
    for (offered, wanted) in
        [(Security::StartTls, SmtpSecurity::StartTls), (Security::Tls, SmtpSecurity::Tls)]
    {
        let sink = Sink::start(offered).await;
        let mailer = Mailer::smtp(&signed_in(config(&sink, wanted))).expect("a mailer");
        mailer.send(&mail("ana@example.com")).await.expect("sent");
        let received = sink.mails();
        assert_eq!(received.len(), 1);
        assert!(received[0].signed_in);
    }
}

#[tokio::test]
async fn an_unprotected_or_unknown_server_gets_nothing() {
    // The server does not offer STARTTLS: nothing may be sent in the open instead.
    let open = Sink::start(Security::None).await;
    let mailer = Mailer::smtp(&config(&open, SmtpSecurity::StartTls)).expect("a mailer");
    assert!(mailer.send(&mail("ana@example.com")).await.is_err());
    assert!(open.mails().is_empty());

    // A certificate that nobody vouches for.
    let stranger = Sink::start(Security::Tls).await;
    let config = signed_in(SmtpConfig { authority: None, ..config(&stranger, SmtpSecurity::Tls) });
    let mailer = Mailer::smtp(&config).expect("a mailer");
    assert!(mailer.send(&mail("ana@example.com")).await.is_err());
    assert!(stranger.mails().is_empty());

    // Plain SMTP beyond this machine.
    let far = SmtpConfig { host: "mail.example.com".to_owned(), security: SmtpSecurity::None, ..config };
    let error = Mailer::smtp(&far).expect_err("refused");
    assert_eq!(error.variable, "SMTP_SECURITY");
}

#[tokio::test]
async fn refusals_tell_whether_trying_again_helps() {
    let sink = Sink::start(Security::None).await;
    let mailer = Mailer::smtp(&config(&sink, SmtpSecurity::None)).expect("a mailer");
    let unknown = mailer.send(&mail("unknown@example.com")).await;
    assert!(matches!(unknown, Err(SendError::Permanent(_))), "{unknown:?}");
    let busy = mailer.send(&mail("busy@example.com")).await;
    assert!(matches!(busy, Err(SendError::Temporary(_))), "{busy:?}");
    mailer.send(&mail("ana@example.com")).await.expect("the connection is still usable");

    let mut gone = config(&sink, SmtpSecurity::None);
    drop(sink);
    gone.timeout = Duration::from_millis(500);
    let unreachable = Mailer::smtp(&gone).expect("a mailer").send(&mail("ana@example.com")).await;
    assert!(matches!(unreachable, Err(SendError::Temporary(_))), "{unreachable:?}");
}

#[tokio::test]
async fn connections_are_used_again() {
    let sink = Sink::start(Security::StartTls).await;
    let config = signed_in(config(&sink, SmtpSecurity::StartTls));
    let mailer = Mailer::smtp(&config).expect("a mailer");
    for _ in 0..10 {
        mailer.clone().send(&mail("ana@example.com")).await.expect("sent");
    }
    assert_eq!(sink.mails().len(), 10);
    // A connection goes back to the pool a moment after its mail, when the next mail may already want one.
    assert!(sink.connections() <= 3, "{} connections for 10 mails", sink.connections());
}

#[tokio::test]
async fn nothing_that_is_put_in_becomes_a_header() {
    let sink = Sink::start(Security::None).await;
    let mailer = Mailer::smtp(&config(&sink, SmtpSecurity::None)).expect("a mailer");
    let mut evil = mail("ana@example.com");
    evil.subject = "Hello\r\nBcc: thief@example.org\r\n\r\nNew body".to_owned();
    evil.sender.name = Some("Demo\nBcc: thief@example.org".to_owned());
    evil.attachments[0].name = "a.pdf\"\r\nX-Evil: 1".to_owned();
    mailer.send(&evil).await.expect("sent");

    let received = sink.mails();
    assert_eq!(received[0].recipients, ["ana@example.com"]);
    let message = MessageParser::default().parse(&received[0].raw).expect("a mail");
    assert!(message.bcc().is_none() && message.header("X-Evil").is_none());
    assert!(message.attachment(0).is_some_and(|file| !file.headers().iter().any(|h| h.name() == "X-Evil")));
    assert_eq!(message.subject(), Some("Hello Bcc: thief@example.org New body"));

    for to in ["ana@example.com\r\nRCPT TO:<thief@example.org>", "ana@example.com>", "ana", ""] {
        let refused = mailer.send(&mail(to)).await;
        assert!(matches!(refused, Err(SendError::Permanent(_))), "{to:?}: {refused:?}");
    }
    let reply_to = Some("office@example.com\r\nBcc: thief@example.org".to_owned());
    let evil = Mail { sender: Sender { name: None, reply_to }, ..mail("ana@example.com") };
    assert!(matches!(mailer.send(&evil).await, Err(SendError::Permanent(_))));
    assert_eq!(sink.mails().len(), 1);
}
