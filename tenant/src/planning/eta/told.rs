//! When a customer may expect a stop of a run under way: what the planner's screens say of it at the same moment.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use routewright_core::Result;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::outlook::{Drive, Reached, Spot, Stop, is_stale, outlook};
use crate::orders::customers::Range;
use crate::plan::Day;

/// Positions of the last hours: longer than anybody stands without being looked for.
const TRACK: Duration = Duration::hours(3);

/// When a stop is expected to be reached; in 8 of 10 cases it is reached between `from` and `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) at: DateTime<Utc>,
    pub(crate) from: DateTime<Utc>,
    pub(crate) to: DateTime<Utc>,
}

#[derive(FromRow)]
struct Row {
    scheduled_date: NaiveDate,
    shift_start: NaiveTime,
    shift_end: NaiveTime,
    planned_start_time: Option<DateTime<Utc>>,
    actual_start_time: Option<DateTime<Utc>>,
    id: i64,
    timezone: String,
    lat: f64,
    lon: f64,
    duration: f64,
    wait_seconds: i32,
    arrive_after: Option<NaiveTime>,
    eta: Option<DateTime<Utc>>,
    etd: Option<DateTime<Utc>>,
    updated_eta: Option<DateTime<Utc>>,
    proof_time: Option<DateTime<Utc>>,
}

/// When a job is expected on its run; none when the run is not on the road, has no times, or has been there.
///
/// # Errors
/// Database faults.
pub(crate) async fn expected(
    connection: &mut PgConnection,
    run: i64,
    job: i64,
    now: DateTime<Utc>,
) -> Result<Option<Expected>> {
    let all = expected_on(connection, run, now).await?;
    Ok(all.into_iter().find_map(|(id, expected)| if id == job { Some(expected) } else { None }))
}

/// When each job that a run has not been to is expected, in their order; nothing when it is not on the road.
///
/// # Errors
/// Database faults.
pub(crate) async fn expected_on(
    connection: &mut PgConnection,
    run: i64,
    now: DateTime<Utc>,
) -> Result<Vec<(i64, Expected)>> {
    let rows: Vec<Row> = sqlx::query_as(
        "select s.scheduled_date, r.shift_start, r.shift_end, r.planned_start_time, r.actual_start_time, j.id, j.timezone, j.lat,
             j.lon, j.duration, j.wait_seconds, j.arrive_after, j.eta, j.etd, j.updated_eta,
             (select max(p.record_time) from job_proofs p where p.job_id = j.id) as proof_time
         from runs r join scenarios s on s.id = r.scenario_id join jobs j on j.run_id = r.id
         where r.id = $1 and r.actual_start_time is not null and r.actual_end_time is null order by j.seq",
    )
    .bind(run)
    .fetch_all(&mut *connection)
    .await?;
    let Some(first) = rows.first() else { return Ok(Vec::new()) };
    let drive = Drive {
        planned_start: first.planned_start_time.map(milliseconds),
        actual_start: first.actual_start_time.map(milliseconds),
    };
    let stops: Vec<Stop> = rows.iter().map(Row::stop).collect();
    let track = track(connection, run).await?;
    let found = outlook(&drive, &stops, &track, milliseconds(now));
    Ok(found.into_iter().filter_map(|(id, reached)| Some((id, Expected::of(&reached)?))).collect())
}

/// Whether a position says where the vehicle was, not where it is.
pub(crate) fn is_old(recorded_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    is_stale(milliseconds(recorded_at), milliseconds(now))
}

/// The positions of a run up to its newest, one per 15 seconds as the screens have them.
async fn track(connection: &mut PgConnection, run: i64) -> Result<Vec<Spot>> {
    let rows: Vec<(f64, f64, DateTime<Utc>)> = sqlx::query_as(
        "select distinct on (floor(extract(epoch from g.recorded_at) / 15)) g.lat, g.lon, g.recorded_at from gps_points g
         where g.run_id = $1 and g.recorded_at >= (select max(n.recorded_at) from gps_points n where n.run_id = $1) - $2::interval
         order by floor(extract(epoch from g.recorded_at) / 15), g.recorded_at",
    )
    .bind(run)
    .bind(TRACK)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(lat, lon, at)| Spot { lat, lon, at: milliseconds(at) }).collect())
}

impl Row {
    fn stop(&self) -> Stop {
        let zone = self.timezone.parse().unwrap_or(chrono_tz::UTC);
        let opens = self.arrive_after.map(|time| {
            let day = Day::new(self.scheduled_date, zone);
            // What opens before a night shift begins, opens the next morning.
            let tomorrow = self.shift_end <= self.shift_start && time < self.shift_start;
            day.moment(day.at(time)) + Duration::days(i64::from(tomorrow))
        });
        Stop {
            id: self.id,
            place: (self.lat, self.lon),
            duration: self.duration,
            eta: self.eta.map(milliseconds),
            etd: self.etd.map(milliseconds),
            updated_eta: self.updated_eta.map(milliseconds),
            wait: f64::from(self.wait_seconds) * 1000.0,
            opens: opens.map(milliseconds),
            proof_time: self.proof_time.map(milliseconds),
            visited: self.proof_time.is_some(),
        }
    }
}

impl Expected {
    /// The span that customers are told.
    pub(crate) fn range(&self) -> Range {
        Range { from: self.from, to: self.to }
    }

    fn of(reached: &Reached) -> Option<Self> {
        Some(Self { at: moment(reached.at)?, from: moment(reached.from)?, to: moment(reached.to)? })
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 are exact")]
fn milliseconds(moment: DateTime<Utc>) -> f64 {
    moment.timestamp_millis() as f64
}

#[expect(clippy::cast_possible_truncation, reason = "a float cast saturates, and no such moment is one")]
fn moment(milliseconds: f64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(milliseconds.round() as i64)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// The table that the planner's screens are held against as well.
    const CASES: &str = include_str!("../../../../planner-web/src/road/expected-cases.json");

    #[derive(Deserialize)]
    struct Case {
        name: String,
        now: DateTime<Utc>,
        run: Run,
        stops: Vec<Given>,
        track: Vec<(f64, f64, DateTime<Utc>)>,
        expected: Vec<Right>,
    }

    /// A job, and when it is reached: at, from, to.
    #[derive(Deserialize)]
    struct Right(i64, DateTime<Utc>, DateTime<Utc>, DateTime<Utc>);

    #[derive(Deserialize)]
    struct Run {
        scheduled_date: NaiveDate,
        shift_start: String,
        shift_end: String,
        planned_start_time: Option<DateTime<Utc>>,
        actual_start_time: Option<DateTime<Utc>>,
    }

    #[derive(Deserialize)]
    struct Given {
        id: i64,
        timezone: String,
        lat: f64,
        lon: f64,
        duration: f64,
        wait_seconds: i32,
        arrive_after: Option<String>,
        eta: Option<DateTime<Utc>>,
        etd: Option<DateTime<Utc>>,
        updated_eta: Option<DateTime<Utc>>,
        proof_time: Option<DateTime<Utc>>,
    }

    fn time(text: &str) -> NaiveTime {
        NaiveTime::parse_from_str(text, "%H:%M").expect("a time")
    }

    fn of(case: &Case) -> Vec<(i64, Reached)> {
        let stop = |given: &Given| {
            Row {
                scheduled_date: case.run.scheduled_date,
                shift_start: time(&case.run.shift_start),
                shift_end: time(&case.run.shift_end),
                planned_start_time: case.run.planned_start_time,
                actual_start_time: case.run.actual_start_time,
                id: given.id,
                timezone: given.timezone.clone(),
                lat: given.lat,
                lon: given.lon,
                duration: given.duration,
                wait_seconds: given.wait_seconds,
                arrive_after: given.arrive_after.as_deref().map(time),
                eta: given.eta,
                etd: given.etd,
                updated_eta: given.updated_eta,
                proof_time: given.proof_time,
            }
            .stop()
        };
        let drive = Drive {
            planned_start: case.run.planned_start_time.map(milliseconds),
            actual_start: case.run.actual_start_time.map(milliseconds),
        };
        let track: Vec<Spot> = case
            .track
            .iter()
            .map(|(lat, lon, at)| Spot { lat: *lat, lon: *lon, at: milliseconds(*at) })
            .collect();
        outlook(&drive, &case.stops.iter().map(stop).collect::<Vec<_>>(), &track, milliseconds(case.now))
    }

    /// Issue 13.3: customers are told what the office sees. Both sides reckon the same for each case of the table.
    #[test]
    fn customers_are_told_what_the_office_sees() {
        let cases: Vec<Case> = serde_json::from_str(CASES).expect("the table");
        assert!(cases.len() > 10);
        for case in cases {
            let mut found = of(&case);
            found.sort_by_key(|(id, _)| *id);
            assert_eq!(found.len(), case.expected.len(), "{}: {found:?}", case.name);
            for ((id, reached), Right(right, at, from, to)) in found.iter().zip(&case.expected) {
                assert_eq!(id, right, "{}", case.name);
                for (one, other) in [(reached.at, at), (reached.from, from), (reached.to, to)] {
                    // The table is in whole milliseconds.
                    assert!((one - milliseconds(*other)).abs() <= 1.0, "{}: {id} {reached:?}", case.name);
                }
            }
        }
    }
}
