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
                  from {schema}.messages order by created desc limit {SHOWN})"
            )
        })
        .collect();
    let mut lines: Vec<Line> = Vec::new();
    if !selects.is_empty() {
        let statement = format!("{} order by created desc limit {SHOWN}", selects.join(" union all "));
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
    let headline = line.subject.as_deref().unwrap_or_else(|| line.body_text.lines().next().unwrap_or_default());
    let files = if line.attachments > 0 { " <span title=\"with attachments\">&#128206;</span>" } else { "" };
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
        format!("<h2>As HTML</h2><iframe src=\"/outbox/{schema}/{id}/body\" sandbox=\"allow-popups\" title=\"Mail\"></iframe>")
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
    let headers = [(header::CONTENT_SECURITY_POLICY, BODY_POLICY), (header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"))];
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
    use super::with_links;

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
}
