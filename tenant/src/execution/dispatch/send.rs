//! `POST /runs/dispatch`.

use std::collections::{BTreeSet, HashMap};

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use http::StatusCode;
use routewright_bus::queue::JobId;
use routewright_core::{Body, Error, Kind, Result, check};
use routewright_documents::run_sheet;
use routewright_identity::Caller;
use routewright_messaging::{About, Attachment, Channel, Content, NewMessage};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;
use sqlx::{Executor, FromRow};

use super::message::Sheet;
use super::settle::{self, SettleDispatch};
use crate::app::App;
use crate::audit;
use crate::execution::documents::{self, PDF};
use crate::orders::customers::{self, Occasion};
use crate::plan::{self, Status};
use crate::planning::{runs, scenarios};
use crate::realtime::{self, Event};
use crate::setup::information::{self, Dispatch, Notification};
use crate::setup::post;

const INCOMPLETE: &str = "Please ensure you have entered the needed information for driver dispatch methods.";
const SMS_OFF: &str = "SMS configuration is disabled in Organisation Settings.";

/// A run and how its sheet goes out.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DispatchItem")]
pub(super) struct Item {
    /// The run.
    run_id: i64,
    /// `email`, `sms` or `qrcode`; the run keeps it.
    method: Method,
    /// Why it is sent although something is wrong with the run; kept in the record.
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Method {
    Email,
    Sms,
    #[serde(alias = "qr_code")]
    Qrcode,
}

impl Method {
    /// As a run keeps it.
    fn stored(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Sms => "sms",
            Self::Qrcode => "qr_code",
        }
    }
}

/// What became of one run.
#[derive(Serialize, JsonSchema)]
pub(super) struct Dispatched {
    /// The run.
    run_id: i64,
    /// Whether it is on its way.
    success: bool,
    /// Addresses or numbers that a message goes to; none with a QR code, which nobody is sent.
    sent_to: Vec<String>,
    /// Why not.
    error: Option<String>,
}

/// What became of one run until its messages are sent: what to settle, by which job, who is written to; or why not.
type Outcome = (i64, std::result::Result<(SettleDispatch, JobId, Vec<String>), String>);

impl Dispatched {
    /// As long as the gateways have not answered.
    fn under_way((run_id, outcome): &Outcome) -> Self {
        let (sent_to, error) = match outcome {
            Ok((_, _, sent_to)) => (sent_to.clone(), None),
            Err(error) => (Vec::new(), Some(error.clone())),
        };
        Self { run_id: *run_id, success: error.is_none(), sent_to, error }
    }
}

/// What a dispatch needs to know of a run.
#[derive(FromRow)]
struct Row {
    id: i64,
    uid: String,
    token: String,
    scenario_id: i64,
    scenario: String,
    scheduled_date: NaiveDate,
    driver: String,
    email: Option<String>,
    phone_number: Option<String>,
    shift_start: NaiveTime,
    shift_end: NaiveTime,
    start_address: Option<String>,
    planned_start_time: Option<DateTime<Utc>>,
    jobs: i64,
    first_eta: Option<DateTime<Utc>>,
    start_odometer: bool,
    end_odometer: bool,
    started: bool,
    ended: bool,
}

/// What all runs of a request share.
struct Sender<'a> {
    app: &'a App,
    caller: &'a Caller,
    settings: Dispatch,
    /// Run sheets that go with mails, by run.
    attachments: HashMap<i64, Attachment>,
    /// One act of dispatching: what it says to whom, it says once.
    now: DateTime<Utc>,
}

/// `POST /runs/dispatch`: every run that is named is sent, again if it was sent before.
pub(super) async fn dispatch(
    mut db: Db,
    State(app): State<App>,
    Body(items): Body<Vec<Item>>,
) -> Result<Json<Vec<Dispatched>>> {
    let caller = db.caller().clone();
    let settings: Dispatch = information::of(&mut db).await?;
    let attachments =
        if settings.attach_pdf { attachments(&mut db, &app, &items).await? } else { HashMap::new() };
    let sender = Sender { app: &app, caller: &caller, settings, attachments, now: caller.now(&app.clock) };
    let mut sent: Vec<Outcome> = Vec::with_capacity(items.len());
    for item in &items {
        db.execute("savepoint run").await?;
        let outcome = match sender.one(&mut db, item).await {
            Ok((dispatch, sent_to)) => {
                let job = dispatch.queue(&mut db).await?;
                Ok((dispatch, job, sent_to))
            }
            // What is wrong with one run does not keep the others, and leaves nothing behind.
            Err(error) if matches!(error.kind(), Kind::BadRequest | Kind::NotFound) => {
                db.execute("rollback to savepoint run").await?;
                Err(error.description())
            }
            Err(error) => return Err(error),
        };
        sent.push((item.run_id, outcome));
    }
    // From here on the messages are on their way, whatever happens to this process.
    let any = sent.iter().any(|(_, outcome)| outcome.is_ok());
    let under_way: Vec<_> = sent.iter().map(Dispatched::under_way).collect();
    db.would_answer(StatusCode::OK, &under_way).await?;
    db.commit_then(async {
        if any {
            settle::hurry(&app, &caller).await;
        }
    })
    .await?;
    let mut answers = Vec::with_capacity(sent.len());
    for (run_id, outcome) in sent {
        let (error, sent_to) = match outcome {
            Ok((dispatch, job, sent_to)) => (dispatch.now(&mut db, &caller, job).await?, sent_to),
            Err(error) => (Some(error), Vec::new()),
        };
        let sent_to = if error.is_none() { sent_to } else { Vec::new() };
        answers.push(Dispatched { run_id, success: error.is_none(), sent_to, error });
    }
    Ok(Json(answers))
}

/// Draws the sheets of the runs that are mailed, while no connection is held.
async fn attachments(db: &mut Db, app: &App, items: &[Item]) -> Result<HashMap<i64, Attachment>> {
    let caller = db.caller().clone();
    let mut runs = Vec::new();
    for item in items.iter().filter(|item| item.method == Method::Email) {
        // Who may not see a run is told so when it is its turn.
        if runs::find(db, &caller, item.run_id).await.is_ok() && !runs.contains(&item.run_id) {
            runs.push(item.run_id);
        }
    }
    if runs.is_empty() {
        return Ok(HashMap::new());
    }
    let mut sheets = Vec::with_capacity(runs.len());
    for run in runs {
        let sheet = documents::run_sheets(db, app, &caller, &[run]).await?.pop();
        sheets.extend(sheet.map(|sheet| (run, sheet)));
    }
    let heading = documents::heading(db, app, &caller, None).await?;
    let drawing = async {
        let head = heading.load(app, &caller).await?;
        let mut drawn = HashMap::with_capacity(sheets.len());
        for (run, sheet) in sheets {
            let (head, name) = (head.clone(), format!("runsheet-{}.pdf", sheet.run));
            let bytes = documents::draw(app, &caller, move || run_sheet::pdf(&head, &sheet)).await?;
            let content = Content::Base64(bytes);
            drawn.insert(run, Attachment { name, content_type: PDF.to_owned(), content });
        }
        Ok(drawn)
    };
    db.outside(drawing).await?
}

impl Sender<'_> {
    /// Queues one run's messages and marks it as dispatched. Nothing is written when it is refused.
    async fn one(&self, connection: &mut PgConnection, item: &Item) -> Result<(SettleDispatch, Vec<String>)> {
        runs::find(connection, self.caller, item.run_id).await?;
        let row = row(connection, item.run_id).await?;
        let messages = match item.method {
            Method::Qrcode => Vec::new(),
            Method::Email => self.mails(&row)?,
            Method::Sms => self.texts(connection, &row).await?,
        };
        let mut ids = Vec::with_capacity(messages.len());
        for message in &messages {
            ids.push(post::queue(connection, self.caller, message).await?.id);
        }
        self.mark(connection, &row, item.method).await?;
        if let Some(reason) = item.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty()) {
            let change = audit::Change {
                id: row.id,
                field: "dispatch".to_owned(),
                old: Value::Null,
                new: json!(item.method.stored()),
            };
            audit::record(connection, "run", [change], Some(reason)).await?;
        }
        let sent_to = messages.into_iter().flat_map(|message| message.recipients).collect();
        let settle = SettleDispatch::new(row.id, self.now, ids).looked_at(self.app.clock.now());
        Ok((settle, sent_to))
    }

    /// A mail to each address: recipients do not see each other, and one bad address does not stop the others.
    fn mails(&self, row: &Row) -> Result<Vec<NewMessage>> {
        let list = row.email.as_deref().filter(|list| !list.trim().is_empty());
        let list = list.ok_or_else(|| Error::bad_request(INCOMPLETE))?;
        if !check::is_email_list(list) {
            return Err(Error::bad_request("Invalid email"));
        }
        let mut addresses = post::addresses(Some(list));
        for copy in post::addresses(Some(&self.settings.copy_to.join(","))) {
            if !addresses.iter().any(|known| known.eq_ignore_ascii_case(&copy)) {
                addresses.push(copy);
            }
        }
        let attachments: Vec<Attachment> = self.attachments.get(&row.id).cloned().into_iter().collect();
        let (subject, letter) = self.sheet(row).letter(&self.settings, self.caller.policy()?.timezone);
        Ok(addresses
            .into_iter()
            .map(|address| NewMessage {
                intent: self.intent(row, &address),
                channel: Channel::Email,
                recipients: vec![address],
                subject: Some(subject.clone()),
                body_text: letter.text(),
                body_html: Some(letter.html()),
                attachments: attachments.clone(),
                about: About::Run(row.id),
            })
            .collect())
    }

    /// A text message to each number, for the reason that [`Self::mails`] has.
    async fn texts(&self, connection: &mut PgConnection, row: &Row) -> Result<Vec<NewMessage>> {
        if !sms_is_on(connection).await? {
            return Err(Error::bad_request(SMS_OFF));
        }
        let list = row.phone_number.as_deref().unwrap_or_default();
        let numbers: BTreeSet<&str> =
            list.split(',').map(str::trim).filter(|text| !text.is_empty()).collect();
        if numbers.is_empty() {
            return Err(Error::bad_request(INCOMPLETE));
        }
        if !numbers.iter().all(|number| check::is_phone(number)) {
            return Err(Error::bad_request(check::PHONE));
        }
        let text = self.sheet(row).sms(&self.settings, self.caller.policy()?.timezone);
        Ok(numbers
            .into_iter()
            .map(|number| NewMessage {
                intent: self.intent(row, number),
                channel: Channel::Sms,
                recipients: vec![number.to_owned()],
                subject: None,
                body_text: text.clone(),
                body_html: None,
                attachments: Vec::new(),
                about: About::Run(row.id),
            })
            .collect())
    }

    fn intent(&self, row: &Row, recipient: &str) -> String {
        settle::intent(row.id, self.now, recipient)
    }

    fn sheet(&self, row: &Row) -> Sheet {
        Sheet {
            run: row.uid.clone(),
            driver: row.driver.clone(),
            scenario: row.scenario.clone(),
            date: row.scheduled_date,
            shift: (row.shift_start, row.shift_end),
            start_address: row.start_address.clone(),
            jobs: row.jobs,
            first_eta: row.first_eta,
            planned_start: row.planned_start_time,
            link: documents::link(self.app, &row.token),
        }
    }

    async fn mark(&self, connection: &mut PgConnection, row: &Row, method: Method) -> Result<()> {
        plan::lock(connection, row.scenario_id).await?;
        sqlx::query(
            "update runs set dispatched = true, dispatched_at = $2, preferred_method = $3 where id = $1",
        )
        .bind(row.id)
        .bind(self.now)
        .bind(method.stored())
        .execute(&mut *connection)
        .await?;
        scenarios::begin_tracking(connection, row.scenario_id).await?;
        let status = Status::of((row.start_odometer, row.end_odometer), (row.started, row.ended));
        let run = json!({ "id": row.id, "status": status, "dispatched": true, "dispatched_at": self.now });
        let payload = json!({ "scenario_id": row.scenario_id, "run": run, "jobs": [] });
        realtime::record(connection, self.caller, row.scenario_id, Event::RunUpdate, &payload).await?;
        let wanted: Notification = information::of(connection).await?;
        if !wanted.on_dispatch {
            return Ok(());
        }
        let jobs: Vec<i64> = sqlx::query_scalar("select id from jobs where run_id = $1 order by seq")
            .bind(row.id)
            .fetch_all(&mut *connection)
            .await?;
        for job in jobs {
            customers::tell_all(connection, self.app, self.caller, (job, None), Occasion::Dispatched, "run")
                .await?;
        }
        Ok(())
    }
}

async fn row(connection: &mut PgConnection, run: i64) -> Result<Row> {
    Ok(sqlx::query_as(
        "select r.id, r.uid, r.token, r.scenario_id, s.name as scenario, s.scheduled_date, d.uid as driver,
             coalesce(nullif(r.email, ''), d.email) as email,
             coalesce(nullif(r.phone_number, ''), d.phone_number) as phone_number, r.shift_start, r.shift_end,
             r.start_address, r.planned_start_time, (select count(*) from jobs j where j.run_id = r.id) as jobs,
             (select min(j.eta) from jobs j where j.run_id = r.id) as first_eta,
             r.start_odometer is not null as start_odometer, r.end_odometer is not null as end_odometer,
             r.actual_start_time is not null as started, r.actual_end_time is not null as ended
         from runs r join scenarios s on s.id = r.scenario_id join drivers d on d.id = r.driver_id where r.id = $1",
    )
    .bind(run)
    .fetch_one(connection)
    .await?)
}

async fn sms_is_on(connection: &mut PgConnection) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from secrets where name = 'sms_configuration')")
        .fetch_one(connection)
        .await?)
}
