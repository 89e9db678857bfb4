//! Making a rehearsal. Its organisation is entered in the books first, marked in the same transaction; provisioning and the
//! planning of its day follow in the background, whatever stops them meanwhile.

use axum::extract::State;
use chrono::{DateTime, Days, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use http::StatusCode;
use routewright_core::error::Kind;
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, OnConstraint as _, OrganisationId, Result};
use routewright_tenancy::Db;
use routewright_tenancy::provisioning::NewOrganisation;
use serde_json::json;
use sqlx::PgConnection;

use super::model::{Rehearsal, Wanted, found, required};
use super::remove;
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::{modules, organisations, scope};

/// Where the day is: its addresses are in Porto.
const ZONE: Tz = Tz::Europe__Lisbon;
/// When the simulated time begins: before the first shift, so that there is time to look around.
const BEGINS: (u32, u32) = (7, 45);
/// How long it runs at most: behind the last shift and what it may be late by.
const RUNS: TimeDelta = TimeDelta::hours(13);
/// After so many days it is removed by itself.
const KEPT: Days = Days::new(7);

/// `POST /rehearsal`.
pub(super) async fn make(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Body(wanted): Body<Wanted>,
) -> Result<Created<Rehearsal>> {
    scope::refuse_hauliers(&actor.caller)?;
    let (seed, speed) = wanted.checked()?;
    let home = actor.organisation()?;
    if let Some(there) = found(&mut db, home).await? {
        let text = format!("There is a rehearsal already: {}. Enter it, or start it again.", there.name);
        return Err(Error::conflict(text));
    }
    begin(&app, db, &actor, home, (seed, speed)).await
}

/// `POST /rehearsal/start_again`: a new one in place of the one that is there, from inside it as well.
pub(super) async fn start_again(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Body(wanted): Body<Wanted>,
) -> Result<Created<Rehearsal>> {
    scope::refuse_hauliers(&actor.caller)?;
    let mut wanted = wanted;
    let old = required(&mut db, actor.organisation()?).await?;
    wanted.speed = wanted.speed.or(Some(i64::from(old.speed)));
    let chosen = wanted.checked()?;
    remove::begin(&mut db, &actor, &old).await?;
    begin(&app, db, &actor, old.made_from, chosen).await
}

/// Enters the new organisation in the books and brings it into service.
async fn begin(
    app: &App,
    mut db: Db,
    actor: &Actor,
    home: OrganisationId,
    (seed, speed): (i64, i16),
) -> Result<Created<Rehearsal>> {
    scope::lock(&mut db, home).await?;
    room(app, &mut db).await?;
    let now = app.clock.now();
    let new = like(&mut db, home, seed).await?;
    let organisation = organisations::insert(&mut db, &new).await.map_err(|error| match error.kind() {
        Kind::BadRequest => Error::conflict(error.description()).caused_by(error),
        _ => error,
    })?;
    let begins = beginning(now)?;
    sqlx::query(
        "insert into rehearsals (organisation_id, made_from, made_by, seed, speed, began, begins, origin, ends, remove_at)
         values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9)",
    )
    .bind(organisation)
    .bind(home)
    .bind(actor.caller.user_id())
    .bind(seed)
    .bind(speed)
    .bind(now)
    .bind(begins)
    .bind(begins + RUNS)
    .bind(now.checked_add_days(KEPT).unwrap_or(now))
    .execute(&mut *db)
    .await
    .on_constraint("rehearsals_made_from_key", || {
        Error::conflict("There is a rehearsal already. Enter it, or start it again.")
    })?;
    Entry::new("rehearsal_made", format!("organisation:{organisation}"))
        .of(home)
        .after(&json!({ "name": new.name, "seed": seed, "speed": speed }))
        .write(&mut db, actor)
        .await?;
    let made = required(&mut db, organisation).await?;
    // Asked again after this process was lost, it is the rehearsal that was made.
    db.would_answer(StatusCode::CREATED, &made.clone().told(now, None)).await?;
    db.commit_then(app.provisioning.advance(organisation)).await??;
    app.gate.policies.forget(organisation);
    let made = required(&mut db, organisation).await?;
    Ok(Created(made.told(app.clock.now(), None)))
}

/// Refuses one more than the platform has room for.
async fn room(app: &App, connection: &mut PgConnection) -> Result<()> {
    let there: i64 = sqlx::query_scalar("select count(*) from rehearsals where not removing")
        .fetch_one(connection)
        .await?;
    if there < app.config.rehearsals {
        return Ok(());
    }
    let text = "As many rehearsals as this service has room for are under way. Please try again later.";
    Err(Error::conflict(text))
}

/// An organisation like the one whose people rehearse: what they learn there they find again at home. In Porto.
async fn like(connection: &mut PgConnection, home: OrganisationId, seed: i64) -> Result<NewOrganisation> {
    let (name, placement, keys): (String, String, Vec<String>) =
        sqlx::query_as("select name, placement, modules from organisations where id = $1")
            .bind(home)
            .fetch_one(connection)
            .await?;
    let name: String = name.chars().take(150).collect();
    Ok(NewOrganisation {
        settings: organisations::locale::settings(ZONE),
        modules: modules::from_keys(&keys)?,
        placement,
        ..NewOrganisation::named(format!("Rehearsal {seed} of {name}"), ZONE)
    })
}

/// The simulated moment at which a rehearsal begins that is made at a real one.
fn beginning(now: DateTime<Utc>) -> Result<DateTime<Utc>> {
    let time = NaiveTime::from_hms_opt(BEGINS.0, BEGINS.1, 0);
    let local = time.map(|time| now.with_timezone(&ZONE).date_naive().and_time(time));
    // Clocks change at night.
    let begins = local.and_then(|local| local.and_local_timezone(ZONE).earliest());
    begins.map(|begins| begins.to_utc()).ok_or_else(|| Error::internal("a day without a morning"))
}
