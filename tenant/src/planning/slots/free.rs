//! All days and times that are free for a job. What was found is kept as long as the plans of those days stay the same.

use std::time::{Duration, Instant};

use chrono::NaiveDate;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use serde::{Deserialize, Serialize};

use super::Sought;
use super::day::{DayPlan, Standing, planned, scenario_of, standing};
use super::spans::{FreeDay, Span};
use crate::app::App;
use crate::drawn;
use crate::plan::{self, Planner};

/// Longest that plans are looked at; days that are left then are not told.
const LONGEST: Duration = Duration::from_secs(6);
/// Seconds after which what was found is looked for again, whatever the plans say.
const FRESH: i64 = 300;

/// The days that can be asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Free {
    /// In order. Days on which no run has room are absent.
    pub(crate) days: Vec<FreeDay>,
    /// So many planned days were not looked at, as it took too long.
    pub(crate) left_out: usize,
}

/// What of these days is free for a job. No transaction may be open meanwhile.
///
/// # Errors
/// 404 without the job; 503 when the organisation's turn does not come in time.
pub(crate) async fn free(app: &App, caller: &Caller, sought: Sought, dates: &[NaiveDate]) -> Result<Free> {
    let planner = Planner::new(app, caller)?;
    let mut work = app.tenants.of(caller)?.begin().await?;
    let own = scenario_of(&mut work, sought.job).await?;
    let job = plan::guests(&mut work, sought.job).await?;
    let standing = standing(&mut work, dates).await?;
    let ids: Vec<i64> = standing.iter().map(|scenario| scenario.id).collect();
    let versions = plan::versions(&mut work, &ids).await?;
    work.rollback().await?;
    let shown = (
        (sought.job, own, &job),
        (dates, &ids, versions),
        (sought.most_driving, &planner.settings.optimisation),
        app.clock.now().timestamp() / FRESH,
    );
    let version = drawn::version(caller.organisation()?, &("free slots", shown));
    let find = async {
        let found = find(app, caller, sought, own, dates, &standing).await?;
        serde_json::to_vec(&found).map_err(Error::internal)
    };
    let found = app.drawn.get(version, find).await?;
    serde_json::from_slice(&found).map_err(Error::internal)
}

async fn find(
    app: &App,
    caller: &Caller,
    sought: Sought,
    own: Option<i64>,
    dates: &[NaiveDate],
    standing: &[Standing],
) -> Result<Free> {
    let began = Instant::now();
    let mut found = Free::default();
    for date in dates {
        let of_day: Vec<&Standing> =
            standing.iter().filter(|scenario| scenario.scheduled_date == *date).collect();
        let plans = planned(&of_day, own);
        if plans.is_empty() {
            found.days.push(FreeDay { date: *date, open: true, spans: Vec::new() });
            continue;
        }
        if began.elapsed() > LONGEST {
            found.left_out += 1;
            continue;
        }
        let mut spans: Vec<Span> = Vec::new();
        for scenario in plans {
            let day = DayPlan::read(app, caller, scenario, own, sought.job).await?;
            let asked = day.spans();
            let windows = asked.clone();
            let (_, rooms) = day
                .rooms(app, caller, sought.most_driving, |day| {
                    windows.iter().map(|span| day.window(*span)).collect()
                })
                .await?;
            let room = asked.into_iter().zip(rooms).filter(|(_, room)| room.is_ok()).map(|(span, _)| span);
            spans.extend(room);
        }
        spans.sort_by_key(|span| span.from);
        spans.dedup();
        if !spans.is_empty() {
            found.days.push(FreeDay { date: *date, open: false, spans });
        }
    }
    Ok(found)
}
