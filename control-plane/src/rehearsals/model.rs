//! A rehearsal as it is stored and told.

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::simulated::FASTEST;
use routewright_core::{Error, OrganisationId, Result, SimulatedTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection};

/// What a rehearsal is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RehearsalState")]
pub(super) enum State {
    /// Its day is being planned.
    Preparing,
    /// Its drivers drive.
    Running,
    /// Its time stands until somebody lets it run.
    Paused,
    /// Its day has come to its end.
    Over,
    /// Its day could not be planned.
    Failed,
}

/// A rehearsal.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Rehearsal {
    /// The organisation that it is, to be entered by `POST /auth/rehearsal_token`.
    organisation_id: OrganisationId,
    /// Its name.
    name: String,
    /// The organisation whose people rehearse.
    made_from: OrganisationId,
    /// That organisation's name.
    made_from_name: String,
    /// Who made it.
    made_by: Option<String>,
    /// What decides everything that happens by chance: the same seed makes the same day.
    seed: i64,
    /// What it is doing.
    state: State,
    /// What is being prepared, in words.
    step: Option<String>,
    /// Why its day could not be planned.
    failure: Option<String>,
    /// Simulated seconds in a real one, 1 to 60.
    speed: i16,
    /// Whether its time stands.
    paused: bool,
    /// Its present moment.
    now: DateTime<Utc>,
    /// The moment at which its time stands still for good.
    ends: DateTime<Utc>,
    /// When it is removed by itself, in real time.
    remove_at: DateTime<Utc>,
}

/// A rehearsal as it is stored.
#[derive(Debug, Clone, FromRow)]
pub(super) struct Row {
    pub(super) organisation_id: OrganisationId,
    pub(super) name: String,
    pub(super) organisation_state: String,
    pub(super) made_from: OrganisationId,
    made_from_name: String,
    made_by_name: Option<String>,
    pub(super) seed: i64,
    pub(super) speed: i16,
    pub(super) paused: bool,
    began: DateTime<Utc>,
    origin: DateTime<Utc>,
    ends: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    failure: Option<String>,
    remove_at: DateTime<Utc>,
}

/// What makes a row.
pub(super) const SELECT: &str =
    "select r.organisation_id, o.name, o.state as organisation_state, r.made_from, h.name as made_from_name,
         coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), u.email) as made_by_name,
         r.seed, r.speed, r.paused, r.began, r.origin, r.ends, r.started_at, r.failure, r.remove_at
     from rehearsals r join organisations o on o.id = r.organisation_id join organisations h on h.id = r.made_from
         left join users u on u.id = r.made_by ";

/// The rehearsal of an organisation, or that it is.
///
/// # Errors
/// Database faults.
pub(super) async fn found(
    connection: &mut PgConnection,
    organisation: OrganisationId,
) -> Result<Option<Row>> {
    let statement = format!(
        "{SELECT} where not r.removing and o.state <> 'deleting' and $1 in (r.organisation_id, r.made_from)"
    );
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(statement)).bind(organisation).fetch_optional(connection).await?)
}

/// The same.
///
/// # Errors
/// 404 without one.
pub(super) async fn required(connection: &mut PgConnection, organisation: OrganisationId) -> Result<Row> {
    found(connection, organisation).await?.ok_or_else(|| Error::not_found("Rehearsal"))
}

impl Row {
    /// Its time.
    pub(super) fn time(&self) -> SimulatedTime {
        let paused = self.paused || self.started_at.is_none();
        SimulatedTime { began: self.began, origin: self.origin, ends: self.ends, speed: self.speed, paused }
    }

    /// Whether its day is still being planned.
    pub(super) fn is_preparing(&self) -> bool {
        self.started_at.is_none() && self.failure.is_none()
    }

    /// How it is told at a real moment. `step`: what is being prepared.
    pub(super) fn told(self, now: DateTime<Utc>, step: Option<String>) -> Rehearsal {
        let time = self.time();
        let state = match (&self.failure, self.started_at) {
            (Some(_), None) => State::Failed,
            (_, None) => State::Preparing,
            _ if time.is_over(now) => State::Over,
            _ if self.paused => State::Paused,
            _ => State::Running,
        };
        Rehearsal {
            organisation_id: self.organisation_id,
            name: self.name,
            made_from: self.made_from,
            made_from_name: self.made_from_name,
            made_by: self.made_by_name,
            seed: self.seed,
            state,
            step,
            failure: self.failure,
            speed: self.speed,
            paused: self.paused,
            now: time.at(now),
            ends: self.ends,
            remove_at: self.remove_at,
        }
    }
}

/// How a rehearsal is to be.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "NewRehearsal")]
pub(super) struct Wanted {
    /// What decides everything that happens by chance, 0 to 999999; one by chance unless given.
    pub(super) seed: Option<i64>,
    /// Simulated seconds in a real one, 1 to 60; 5 unless given.
    pub(super) speed: Option<i64>,
}

/// Largest seed: one that people can read out to each other.
pub(super) const LARGEST_SEED: i64 = 999_999;

/// A speed within its bounds.
pub(super) fn speed(given: i64, problems: &mut Problems) -> i16 {
    let speed = i16::try_from(given).ok().filter(|speed| (1..=FASTEST).contains(speed));
    problems.require(speed.is_some(), "speed", "Value must be between 1 and 60");
    speed.unwrap_or(1)
}

impl Wanted {
    /// Seed and speed.
    ///
    /// # Errors
    /// 400 naming the field.
    pub(super) fn checked(&self) -> Result<(i64, i16)> {
        let mut problems = Problems::default();
        let seed = self.seed.unwrap_or_else(|| rand::random_range(0..=LARGEST_SEED));
        problems.require((0..=LARGEST_SEED).contains(&seed), "seed", "Value must be between 0 and 999999");
        let speed = speed(self.speed.unwrap_or(5), &mut problems);
        problems.finish()?;
        Ok((seed, speed))
    }
}
