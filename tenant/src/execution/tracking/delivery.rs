//! One delivery as its customer sees it.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use geo::{Distance, Haversine, Point};
use routewright_core::place::Location;
use routewright_core::{Error, Jsonb, Kind, Link, Module, Result};
use routewright_identity::Caller;
use routewright_identity::authorise::NO_JOB;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgConnection;

use super::masked::masked;
use super::state::{Known, State};
use super::wishes::Wishes;
use crate::app::App;
use crate::execution::gps::{self, GpsPoint};
use crate::orders::customers::Range;
use crate::planning::eta;
use crate::setup::information::{self, DeliveryTracking, Reschedule};

/// Metres from the door at which a vehicle has arrived.
const ARRIVED: f64 = 150.0;
/// Age at which a position says nothing about where the vehicle is.
const STALE: Duration = Duration::minutes(10);

/// The job of a token with what its page needs; never anything of other jobs.
#[derive(sqlx::FromRow)]
pub(super) struct Tracked {
    pub(super) id: i64,
    pub(super) uid: String,
    customer_name: Option<String>,
    location: Jsonb<Location>,
    pub(super) timezone: String,
    pub(super) scheduled_date: Option<NaiveDate>,
    scenario_id: Option<i64>,
    comments: Option<String>,
    dock_location: Option<String>,
    customer_instructions: Option<String>,
    customer_safe_place: Option<String>,
    pub(super) idm: bool,
    eta: Option<DateTime<Utc>>,
    updated_eta: Option<DateTime<Utc>>,
    run_id: Option<i64>,
    pub(super) run_started: bool,
    run_ended: bool,
    stops_before: i64,
    driver_name: Option<String>,
    units_count: i64,
    returns_count: i64,
    pub(super) proof: Option<Jsonb<Outcome>>,
    requested: Option<Jsonb<Requested>>,
}

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// The run has not been started.
    Planned,
    /// The driver is on the road.
    OnTheWay,
    /// The vehicle is at the door.
    Arrived,
    /// It was delivered.
    Delivered,
    /// It could not be delivered.
    Failed,
}

impl From<State> for Status {
    fn from(state: State) -> Self {
        match state {
            State::Delivered => Self::Delivered,
            State::NotDelivered => Self::Failed,
            State::Received | State::NotPlanned | State::Planned => Self::Planned,
            State::Arrived => Self::Arrived,
            State::OutForDelivery | State::Next => Self::OnTheWay,
        }
    }
}

/// What became of a delivery.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct Outcome {
    /// Whether it went well.
    pub(super) success: bool,
    /// When, `YYYY-MM-DD HH:mm:ss` in UTC.
    pub(super) record_time: String,
    /// Reason the driver gave.
    pub(super) reason: Option<String>,
    /// Who signed.
    pub(super) signature_name: Option<String>,
}

/// Who comes.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownDriver {
    /// Name or number.
    pub(super) first_name: String,
}

/// Where the vehicle is.
#[derive(Serialize, JsonSchema)]
pub(super) struct Position {
    /// Degrees.
    pub(super) lat: f64,
    /// Degrees.
    pub(super) lon: f64,
    /// When it was there.
    pub(super) recorded_at: DateTime<Utc>,
    /// Whether that says where it was, not where it is.
    pub(super) stale: bool,
}

/// Who delivers.
#[derive(Serialize, JsonSchema)]
pub(super) struct Deliverer {
    /// Name.
    pub(super) name: String,
    /// Logo, below the API base.
    pub(super) logo: Option<String>,
    /// Colour of the page.
    pub(super) colour: Option<String>,
    /// Number for questions.
    pub(super) contact_phone: Option<String>,
    /// Address for questions.
    pub(super) contact_email: Option<String>,
    /// Keys of the organisation's modules.
    pub(super) modules: Vec<&'static str>,
}

/// Another day that the customer asked for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct Requested {
    /// The day.
    pub(super) date: NaiveDate,
    /// Not before, `HH:mm`.
    pub(super) time_from: Option<String>,
    /// Not after, `HH:mm`.
    pub(super) time_to: Option<String>,
    /// What the customer wrote.
    pub(super) note: Option<String>,
}

impl Requested {
    /// "2026/11/25 09:00 – 12:00".
    pub(super) fn text(&self) -> String {
        let times = match (&self.time_from, &self.time_to) {
            (None, None) => String::new(),
            (from, to) => {
                format!(" {} – {}", from.as_deref().unwrap_or("…"), to.as_deref().unwrap_or("…"))
            }
        };
        format!("{}{times}", self.date.format("%Y/%m/%d"))
    }
}

/// Whether and how the customer may ask for another day.
#[derive(Serialize, JsonSchema)]
pub(super) struct RescheduleTerms {
    /// Whether the organisation lets customers ask.
    pub(super) enabled: bool,
    /// Hours before the planned day begins.
    pub(super) min_notice_hours: i64,
    /// Days from today.
    pub(super) max_days_ahead: i64,
    /// Names of weekdays.
    pub(super) allowed_days: Vec<String>,
    /// Whether a note is taken.
    pub(super) allow_note: bool,
    /// Whether the parcel may be left at a safe place.
    pub(super) allow_safe_drop: bool,
    /// What was asked for and not yet dealt with.
    pub(super) requested: Option<Requested>,
}

/// What the customer sees.
#[derive(Serialize, JsonSchema)]
pub(super) struct Delivery {
    /// Number of the delivery.
    pub(super) uid: String,
    /// Who gets it.
    pub(super) customer_name: Option<String>,
    /// Where it goes.
    pub(super) location: Location,
    /// IANA name of the time zone of the times shown.
    pub(super) timezone: String,
    /// The planned day.
    pub(super) scheduled_date: Option<NaiveDate>,
    /// Where it stands, roughly.
    pub(super) status: Status,
    /// Where it stands.
    pub(super) state: State,
    /// Whether it comes later than was planned.
    pub(super) delayed: bool,
    /// When it is expected, as a span; null when it is not to come or nobody knows. While the run is on the road it is reached
    /// within it in 8 of 10 cases.
    pub(super) eta_range: Option<Range>,
    /// When it is expected now.
    pub(super) updated_eta: Option<DateTime<Utc>>,
    /// When the vehicle was heard of last, where that is so long ago that the expected time may not hold.
    pub(super) not_heard_since: Option<DateTime<Utc>>,
    /// Stops that come first.
    pub(super) stops_before: Option<i64>,
    /// Delivery instructions.
    pub(super) comments: Option<String>,
    /// Dock.
    pub(super) dock_location: Option<String>,
    /// Units.
    pub(super) units_count: i64,
    /// Returns.
    pub(super) returns_count: i64,
    /// Who comes.
    pub(super) driver: Option<ShownDriver>,
    /// Where the vehicle is.
    pub(super) vehicle_position: Option<Position>,
    /// What became of it.
    pub(super) proof: Option<Outcome>,
    /// Who delivers.
    pub(super) organisation: Deliverer,
    /// Whether the customer may interact.
    pub(super) idm: bool,
    /// Whether and how another day may be asked for.
    pub(super) reschedule: RescheduleTerms,
    /// What the customer asked of the driver, and what he may.
    pub(super) wishes: Wishes,
}

/// The job of the caller's token.
///
/// # Errors
/// 401 'Job not found.' for an unknown or expired token, and where customers may not follow deliveries.
pub(super) async fn tracked(db: &mut Db, app: &App) -> Result<(Tracked, DeliveryTracking)> {
    let caller = db.caller().clone();
    of_link(db, &caller, app).await
}

/// The job of a caller's token; see [`tracked`].
async fn of_link(
    connection: &mut PgConnection,
    caller: &Caller,
    app: &App,
) -> Result<(Tracked, DeliveryTracking)> {
    let unknown = || Error::new(Kind::Unauthorized, NO_JOB);
    let settings: DeliveryTracking = information::of(connection).await?;
    let row: Option<Tracked> = sqlx::query_as(
        "select j.id, j.uid, j.customer_name,
             jsonb_build_object('address', j.address, 'lat', j.lat, 'lon', j.lon) as location, j.timezone, s.scheduled_date,
             j.scenario_id, j.comments, j.dock_location,
             j.customer_instructions, j.customer_safe_place, j.idm, j.eta, j.updated_eta, j.run_id,
             r.actual_start_time is not null as run_started, r.actual_end_time is not null as run_ended,
             (select count(*) from jobs o where o.run_id = j.run_id and o.seq < j.seq
                 and not exists (select from job_proofs p where p.job_id = o.id)) as stops_before,
             d.uid as driver_name,
             (select count(*) from units u where u.job_id = j.id) as units_count,
             (select count(*) from returns t where t.job_id = j.id) as returns_count,
             (select jsonb_build_object('success', p.success, 'reason', n.name, 'signature_name', p.signature_name,
                 'record_time', to_char(p.record_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'))
              from job_proofs p left join reasons n on n.id = p.reason_id
              where p.job_id = j.id order by p.record_time desc, p.id desc limit 1) as proof,
             (select jsonb_build_object('date', q.date, 'time_from', to_char(q.time_from, 'HH24:MI'),
                 'time_to', to_char(q.time_to, 'HH24:MI'), 'note', q.note)
              from reschedule_requests q where q.job_id = j.id and q.handled_at is null
              order by q.id desc limit 1) as requested
         from jobs j
         left join scenarios s on s.id = j.scenario_id
         left join runs r on r.id = j.run_id
         left join drivers d on d.id = r.driver_id
         where j.tracking_token = $1",
    )
    .bind(caller.link(Link::Tracking)?)
    .fetch_optional(connection)
    .await?;
    let row = row.filter(|_| settings.enabled).ok_or_else(unknown)?;
    let today = caller.policy()?.today(&app.clock);
    let valid_days = Duration::days(settings.link_valid_days);
    if row.scheduled_date.is_some_and(|date| today > date + valid_days) {
        return Err(unknown());
    }
    Ok((row, settings))
}

/// The delivery of the caller's token and its job's id.
pub(super) async fn shown(db: &mut Db, app: &App) -> Result<(i64, Delivery)> {
    let caller = db.caller().clone();
    shown_to(db, &caller, app).await
}

/// The delivery of a caller's token and its job's id.
///
/// # Errors
/// As [`tracked`].
pub(super) async fn shown_to(
    connection: &mut PgConnection,
    caller: &Caller,
    app: &App,
) -> Result<(i64, Delivery)> {
    let (row, settings) = of_link(connection, caller, app).await?;
    let policy = caller.policy()?;
    let now = caller.now(&app.clock);
    let position = match row.run_id {
        Some(run) if row.is_on_the_road() => gps::latest_of_run(connection, run).await?,
        _ => None,
    };
    let expected = match row.run_id {
        Some(run) if row.is_on_the_road() => eta::expected(connection, run, row.id, now).await?,
        _ => None,
    };
    let known = Known { expected: expected.map(|found| found.range()), ..row.known(position.as_ref(), now) };
    let state = known.state();
    let status = Status::from(state);
    let forecast = known.forecast(now);
    let reached = expected.map(|found| found.at).or(row.updated_eta);
    let near = reached
        .or(row.eta)
        .is_some_and(|eta| eta - now <= Duration::minutes(settings.position_visible_minutes));
    // Whose turn it is not sees nobody's way; nor does who has had it.
    let follows = matches!(state, State::Next | State::Arrived) && near;
    let terms: Reschedule = information::of(connection).await?;
    let logo = logo(connection, &settings, policy.logo_file_uid.as_deref()).await?;
    let job = row.id;
    let delivery = Delivery {
        uid: row.uid,
        customer_name: row.customer_name.as_deref().map(masked),
        location: row.location.0,
        timezone: row.timezone,
        scheduled_date: row.scheduled_date,
        status,
        state,
        delayed: forecast.delayed,
        eta_range: forecast.range.filter(|_| settings.show_eta_range),
        updated_eta: reached.filter(|_| settings.show_eta_range && forecast.range.is_some()),
        not_heard_since: position
            .as_ref()
            .map(|point| point.recorded_at)
            .filter(|at| forecast.range.is_some() && eta::is_old(*at, now)),
        stops_before: (settings.show_stops_before && status == Status::OnTheWay).then_some(row.stops_before),
        comments: row.comments.as_deref().map(masked),
        dock_location: row.dock_location.as_deref().map(masked),
        units_count: row.units_count,
        returns_count: row.returns_count,
        driver: row
            .driver_name
            .filter(|_| settings.show_driver_name)
            .and_then(|name| first_name(&name))
            .map(|first_name| ShownDriver { first_name }),
        vehicle_position: position.filter(|_| settings.show_vehicle_position && follows).map(|point| {
            Position {
                lat: point.lat,
                lon: point.lon,
                recorded_at: point.recorded_at,
                stale: eta::is_old(point.recorded_at, now),
            }
        }),
        proof: row.proof.map(|proof| proof.0),
        organisation: Deliverer {
            name: policy.name.clone(),
            logo,
            colour: settings.primary_colour,
            contact_phone: settings.contact_phone,
            contact_email: settings.contact_email,
            modules: policy.modules().iter().copied().map(Module::key).collect(),
        },
        idm: row.idm,
        wishes: Wishes {
            may_instruct: settings.allow_instructions,
            may_name_place: terms.allow_safe_drop,
            instructions: row.customer_instructions.as_deref().map(masked),
            safe_place: row.customer_safe_place.as_deref().map(masked),
        },
        reschedule: RescheduleTerms {
            enabled: terms.enabled,
            min_notice_hours: terms.min_notice_hours,
            max_days_ahead: terms.max_days_ahead,
            allowed_days: terms.allowed_days,
            allow_note: terms.allow_note,
            allow_safe_drop: terms.allow_safe_drop,
            requested: row
                .requested
                .map(|Jsonb(asked)| Requested { note: asked.note.as_deref().map(masked), ..asked }),
        },
    };
    Ok((job, delivery))
}

impl Tracked {
    /// Whether the vehicle is under way and this delivery still to be made.
    fn is_on_the_road(&self) -> bool {
        self.proof.is_none() && self.run_started && !self.run_ended
    }

    fn at_the_door(&self, position: Option<&GpsPoint>, now: DateTime<Utc>) -> bool {
        let place = &self.location.0;
        position.is_some_and(|point| {
            now - point.recorded_at <= STALE
                && Haversine.distance(Point::new(point.lon, point.lat), Point::new(place.lon, place.lat))
                    <= ARRIVED
        })
    }

    fn known(&self, position: Option<&GpsPoint>, now: DateTime<Utc>) -> Known {
        Known {
            success: self.proof.as_ref().map(|proof| proof.success),
            has_day: self.scenario_id.is_some(),
            has_run: self.run_id.is_some(),
            driving: self.is_on_the_road(),
            stops_before: self.stops_before,
            at_the_door: self.at_the_door(position, now),
            eta: self.eta,
            updated_eta: self.updated_eta,
            expected: None,
        }
    }
}

/// What a customer may call a driver; nothing for a number such as "Driver 11".
fn first_name(name: &str) -> Option<String> {
    let first = name.split_whitespace().next()?;
    (!name.chars().any(char::is_numeric)).then(|| first.to_owned())
}

/// The logo of the page: its own, else the organisation's.
async fn logo(
    connection: &mut PgConnection,
    settings: &DeliveryTracking,
    organisation: Option<&str>,
) -> Result<Option<String>> {
    let own: Option<String> = match settings.logo_file_id {
        Some(id) => {
            sqlx::query_scalar("select uid from files where id = $1 and state = 'ready'")
                .bind(id)
                .fetch_optional(connection)
                .await?
        }
        None => None,
    };
    Ok(own.as_deref().or(organisation).map(|uid| format!("/files/uid/{uid}")))
}
