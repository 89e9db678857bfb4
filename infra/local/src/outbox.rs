//! The outbox of the one-machine mode: what would have been mailed or texted, in a browser, links and files included.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use chrono::{DateTime, Utc};
use html_escape::{encode_double_quoted_attribute, encode_text};
use linkify::{LinkFinder, LinkKind};
use routewright_messaging::{Attachment, Content};
use routewright_storage::{Storage, StorageConfig};
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, FromRow, PgPool};

/// Messages that the list shows.
const SHOWN: usize = 200;
const STYLE: &str = include_str!("outbox.css");
/// The page of a message frames its HTML body, which may do nothing but show itself and open links.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'",
);
const BODY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; \
     sandbox allow-popups allow-popups-to-escape-sandbox",
);

#[derive(Clone)]
struct Outbox {
    database: PgPool,
    storage: Storage,
}

#[derive(FromRow)]
struct Line {
    schema: String,
    id: i64,
    channel: String,
    recipients: Vec<String>,
    subject: Option<String>,
    body_text: String,
    attachments: i32,
    state: String,
    error: Option<String>,
    created: DateTime<Utc>,
}

#[derive(FromRow)]
struct Message {
    channel: String,
    recipients: Vec<String>,
    subject: Option<String>,
    body_text: String,
    body_html: Option<String>,
    attachments: Json<Vec<Attachment>>,
    state: String,
    attempts: i32,
    error: Option<String>,
    created: DateTime<Utc>,
    sent_at: Option<DateTime<Utc>>,
}

/// A fault of the page itself; the person who reads it runs the program.
struct Fault(anyhow::Error);

impl<E: Into<anyhow::Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, format!("{:#}\n", self.0)).into_response()
    }
}

type Answer = Result<Response, Fault>;

/// The pages, relative to where they are mounted.
pub(crate) fn routes(database: PgPool, variables: &BTreeMap<String, String>) -> Result<Router> {
    let storage = Storage::new(&StorageConfig::from_source(variables)?);
    Ok(Router::new()
        .route("/", get(list))
        .route("/{schema}/{id}", get(message))
        .route("/{schema}/{id}/body", get(body))
        .route("/{schema}/{id}/attachments/{number}", get(attachment))
        .with_state(Outbox { database, storage }))
}

/// Schemas that have an outbox; the names come from the catalogue and are quoted by the database.
async fn schemas(database: &PgPool) -> sqlx::Result<BTreeMap<String, String>> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "select schemaname::text, quote_ident(schemaname)
         from pg_tables
         where tablename = 'messages' and (schemaname = 'control' or schemaname ~ '^org_[0-9]+$')",
    )
    .fetch_all(database)
    .await?;
    Ok(rows.into_iter().collect())
}

async fn list(State(outbox): State<Outbox>) -> Answer {
    let selects: Vec<String> = schemas(&outbox.database)
        .await?
        .values()
        .map(|schema| {
            format!(
                "(select '{schema}' as schema, id, channel, recipients, subject, body_text,
                         jsonb_array_length(attachments) as attachments, state, error, created
                  from {schema}.messages order by created desc, id desc limit {SHOWN})"
            )
        })
        .collect();
    let mut lines: Vec<Line> = Vec::new();
    if !selects.is_empty() {
        let statement = format!(
            "select schema, id, channel, recipients, subject, body_text, attachments, state, error, created
             from ({}) as messages order by created desc, id desc limit {SHOWN}",
            selects.join(" union all ")
        );
        lines = sqlx::query_as(AssertSqlSafe(statement)).fetch_all(&outbox.database).await?;
    }
    let rows: String = lines.iter().map(row).collect();
    let body = if rows.is_empty() {
        "<p class=\"empty\">Nothing has been sent yet.</p>".to_owned()
    } else {
        format!(
            "<table><thead><tr><th>Time<th>From<th>Way<th>To<th>Subject<th>State</tr></thead>\
             <tbody>{rows}</tbody></table>"
        )
    };
    let note = "<p>What would have been mailed or texted, newest first. The list renews itself.</p>";
    Ok(page("Outbox", "<meta http-equiv=\"refresh\" content=\"5\">", &format!("<h1>Outbox</h1>{note}{body}")))
}

fn row(line: &Line) -> String {
    let Line { schema, id, channel, state, .. } = line;
    let headline =
        line.subject.as_deref().unwrap_or_else(|| line.body_text.lines().next().unwrap_or_default());
    let files = if line.attachments > 0 { " (with files)" } else { "" };
    let error = line.error.as_deref().map(|error| format!(": {}", encode_text(error))).unwrap_or_default();
    format!(
        "<tr><td>{}<td>{schema}<td>{channel}<td>{}<td><a href=\"/outbox/{schema}/{id}\">{}</a>{files}\
         <td class=\"{state}\">{state}{error}</tr>",
        line.created.format("%Y-%m-%d %H:%M:%S"),
        encode_text(&line.recipients.join(", ")),
        encode_text(headline),
    )
}

impl Outbox {
    async fn find(&self, schema: &str, id: i64) -> Result<Option<Message>> {
        let schemas = schemas(&self.database).await?;
        let Some(quoted) = schemas.get(schema) else { return Ok(None) };
        let statement = format!(
            "select channel, recipients, subject, body_text, body_html, attachments, state, attempts, error, created, \
             sent_at from {quoted}.messages where id = $1"
        );
        Ok(sqlx::query_as(AssertSqlSafe(statement)).bind(id).fetch_optional(&self.database).await?)
    }
}

async fn message(State(outbox): State<Outbox>, Path((schema, id)): Path<(String, i64)>) -> Answer {
    let Some(message) = outbox.find(&schema, id).await? else { return Ok(missing()) };
    let subject = message.subject.clone().unwrap_or_else(|| "Text message".to_owned());
    let sent = message.sent_at.map_or_else(String::new, |at| format!(", {}", at.format("%Y-%m-%d %H:%M:%S")));
    let error = message.error.as_deref().map_or_else(String::new, |error| format!(" ({error})"));
    let facts: String = [
        ("To", message.recipients.join(", ")),
        ("Way", message.channel.clone()),
        ("From", schema.clone()),
        ("Made", message.created.format("%Y-%m-%d %H:%M:%S").to_string()),
        ("State", format!("{}{sent}, attempt {}{error}", message.state, message.attempts)),
    ]
    .iter()
    .map(|(name, value)| format!("<dt>{name}<dd>{}", encode_text(value)))
    .collect();
    let files: String = message
        .attachments
        .iter()
        .enumerate()
        .map(|(n, file)| {
            format!("<li><a href=\"/outbox/{schema}/{id}/attachments/{n}\">{}</a>", encode_text(&file.name))
        })
        .collect();
    let files = if files.is_empty() { files } else { format!("<h2>Attachments</h2><ul>{files}</ul>") };
    let framed = message.body_html.as_ref().map_or_else(String::new, |_| {
        format!("<h2>As HTML</h2><iframe src=\"/outbox/{schema}/{id}/body\" sandbox=\"allow-popups allow-popups-to-escape-sandbox\" title=\"Mail\"></iframe>")
    });
    Ok(page(
        &subject,
        "",
        &format!(
            "<p><a href=\"/outbox\">&larr; Outbox</a></p><h1>{}</h1><dl>{facts}</dl>{files}\
             <h2>As text</h2><pre>{}</pre>{framed}",
            encode_text(&subject),
            with_links(&message.body_text)
        ),
    ))
}

async fn body(State(outbox): State<Outbox>, Path((schema, id)): Path<(String, i64)>) -> Answer {
    let html = outbox.find(&schema, id).await?.and_then(|message| message.body_html);
    let Some(html) = html else { return Ok(missing()) };
    // Links in a frame would open in the frame.
    let html = html.replacen("<head>", "<head><base target=\"_blank\">", 1);
    let headers = [
        (header::CONTENT_SECURITY_POLICY, BODY_POLICY),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
    ];
    Ok((headers, Html(html)).into_response())
}

async fn attachment(
    State(outbox): State<Outbox>,
    Path((schema, id, number)): Path<(String, i64, usize)>,
) -> Answer {
    let found = outbox.find(&schema, id).await?;
    let Some(file) = found.and_then(|message| message.attachments.0.into_iter().nth(number)) else {
        return Ok(missing());
    };
    let bytes = match file.content {
        Content::Base64(bytes) => bytes.into(),
        Content::Key(key) => {
            let organisation = schema.strip_prefix("org_").and_then(|id| id.parse().ok());
            let organisation = organisation.context("the file belongs to no organisation")?;
            outbox.storage.organisation(organisation).get(&key).await?.into_bytes().await?
        }
    };
    let name: String = file.name.chars().filter(|c| c.is_ascii_graphic() && !"\"\\/".contains(*c)).collect();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::try_from(file.content_type)?),
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(format!("attachment; filename=\"{name}\""))?),
    ];
    Ok((headers, bytes).into_response())
}

fn with_links(text: &str) -> String {
    LinkFinder::new()
        .spans(text)
        .map(|span| match span.kind() {
            Some(LinkKind::Url) => format!(
                "<a href=\"{}\" target=\"_blank\" rel=\"noopener\">{}</a>",
                encode_double_quoted_attribute(span.as_str()),
                encode_text(span.as_str())
            ),
            _ => encode_text(span.as_str()).into_owned(),
        })
        .collect()
}

fn page(title: &str, head: &str, body: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">{head}<title>{} - Routewright</title>\
         <style>{STYLE}</style></head><body>{body}</body></html>",
        encode_text(title)
    );
    ([(header::CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(html)).into_response()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "There is no such message.\n").into_response()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::process::Command;
    use std::str::FromStr as _;

    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use routewright_messaging::{About, Channel, Letter, NewMessage, queue_message};
    use sqlx::migrate::Migrator;
    use sqlx::postgres::PgConnectOptions;
    use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
    use tower::ServiceExt as _;

    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

    #[test]
    fn links_are_clickable_and_markup_is_text() {
        let text = "Run sheet: http://127.0.0.1:8080/runsheet?token=a&b=1\n<script>alert(1)</script> javascript:alert(1)";
        assert_eq!(
            with_links(text),
            "Run sheet: <a href=\"http://127.0.0.1:8080/runsheet?token=a&amp;b=1\" target=\"_blank\" \
             rel=\"noopener\">http://127.0.0.1:8080/runsheet?token=a&amp;b=1</a>\n\
             &lt;script&gt;alert(1)&lt;/script&gt; javascript:alert(1)"
        );
    }

    /// A database of its own, so that its schemas may have the product's names.
    async fn database() -> PgConnectOptions {
        let address = std::env::var("DATABASE_URL").unwrap_or_else(|_| {
            let script = PathBuf::from(ROOT).join("infra/ci/postgres.sh");
            let started = Command::new(script).output().expect("the test database");
            String::from_utf8(started.stdout).expect("an address").trim().to_owned()
        });
        let options = PgConnectOptions::from_str(&address).expect("an address");
        let mut owner = PgConnection::connect_with(&options).await.expect("a connection");
        let name = format!("outbox_{}", std::process::id());
        for statement in
            [format!("drop database if exists {name} with (force)"), format!("create database {name}")]
        {
            sqlx::query(AssertSqlSafe(statement)).execute(&mut owner).await.expect("a database");
        }
        options.database(&name)
    }

    async fn schema(database: &PgConnectOptions, name: &str, kind: &str) -> PgConnection {
        let mut owner =
            database.clone().options([("search_path", name)]).connect().await.expect("a connection");
        let create = format!("create schema {name}");
        sqlx::query(AssertSqlSafe(create)).execute(&mut owner).await.expect("a schema");
        let migrations = PathBuf::from(ROOT).join("migrations").join(kind);
        let mut migrator = Migrator::new(migrations).await.expect("migrations");
        migrator.set_locking(false);
        migrator.run(&mut owner).await.expect("migrated");
        owner
    }

    fn message(intent: &str, subject: Option<&str>, text: &str) -> NewMessage {
        NewMessage {
            intent: intent.to_owned(),
            channel: if subject.is_some() { Channel::Email } else { Channel::Sms },
            recipients: vec![if subject.is_some() { "ana@example.com" } else { "+351912345678" }.to_owned()],
            subject: subject.map(str::to_owned),
            body_text: text.to_owned(),
            body_html: subject.map(|_| Letter::new().paragraph(text).html()),
            attachments: Vec::new(),
            about: About::Nothing,
        }
    }

    async fn get(site: &Router, path: &str) -> (StatusCode, Response<()>, String) {
        let request = Request::builder().uri(path).body(Body::empty()).expect("a request");
        let (parts, body) = site.clone().oneshot(request).await.expect("an answer").into_parts();
        let bytes = to_bytes(body, 1 << 20).await.expect("a body");
        (parts.status, Response::from_parts(parts, ()), String::from_utf8_lossy(&bytes).into_owned())
    }

    #[tokio::test]
    async fn messages_of_all_organisations_are_shown_newest_first_with_links_and_files() {
        let options = database().await;
        let mut control = schema(&options, "control", "control").await;
        let mut organisation = schema(&options, "org_7", "tenant").await;
        queue_message(&mut control, &message("a", Some("Reset <b>"), "http://127.0.0.1/r?token=1"))
            .await
            .expect("queued");
        let attachments = vec![Attachment {
            name: "sheet \"1\".pdf".to_owned(),
            content_type: "application/pdf".to_owned(),
            content: Content::Base64(b"%PDF-1.7".to_vec()),
        }];
        let sheet = NewMessage { attachments, ..message("b", Some("Run sheet"), "See the file") };
        queue_message(&mut organisation, &sheet).await.expect("queued");
        queue_message(&mut organisation, &message("c", None, "Run 1: 3 jobs")).await.expect("queued");

        let pool = PgPool::connect_with(options).await.expect("a pool");
        let variables = [
            ("S3_ENDPOINT", "http://127.0.0.1:9"),
            ("S3_BUCKET", "b"),
            ("S3_ACCESS_KEY", "a"),
            ("S3_SECRET_KEY", "s"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let site = routes(pool, &variables).expect("the pages");

        let (status, _, list) = get(&site, "/").await;
        assert_eq!(status, StatusCode::OK, "{list}");
        let place = |text: &str| list.find(text).unwrap_or_else(|| panic!("{text} is missing in {list}"));
        assert!(place("Run 1: 3 jobs") < place("Run sheet") && place("Run sheet") < place("Reset &lt;b&gt;"));

        let (_, _, mail) = get(&site, "/control/1").await;
        assert!(mail.contains("<a href=\"http://127.0.0.1/r?token=1\""), "{mail}");
        let (_, framed, _) = get(&site, "/control/1/body").await;
        let policy = framed.headers()[header::CONTENT_SECURITY_POLICY].to_str().expect("a policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");

        let (_, file, content) = get(&site, "/org_7/1/attachments/0").await;
        assert_eq!(content, "%PDF-1.7");
        assert_eq!(file.headers()[header::CONTENT_DISPOSITION], "attachment; filename=\"sheet1.pdf\"");

        for missing in ["/org_7/99", "/org_8/1", "/pg_catalog/1", "/org_7/1/attachments/1", "/org_7/2/body"] {
            assert_eq!(get(&site, missing).await.0, StatusCode::NOT_FOUND, "{missing}");
        }
    }
}
