//! What an optimisation made of the plan: figures before and after, and what was left out, by reason. The answer carries it,
//! and the task keeps it, so that it can be looked at again.

use std::collections::{BTreeMap, HashMap};

use routewright_core::Result;
use routewright_identity::Caller;
use routewright_solver::{Capacity, Plan, Size, Totals};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgConnection;

use crate::fleet::costing;
use crate::plan::{Planner, Snapshot};

/// Level without which nobody is told what a plan costs.
const RATES: &str = "billing_rates_read";
/// Seconds of a day.
const DAY: i64 = 24 * 3600;

/// A job on no run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct UnservedJob {
    /// The job.
    pub(super) id: i64,
    /// Its uid.
    pub(super) uid: String,
    /// `no_matching_type`, `capacity`, `time_window`, `shift`, `territory`, `linked_job`, `unreachable`,
    /// `not_enough_drivers`, or `changed` when it was changed while it was planned.
    pub(super) reason: String,
}

/// A plan before and after an optimisation.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OptimisationSummary")]
pub(super) struct Summary {
    /// The plan that was there.
    before: Figures,
    /// The plan that is there now.
    after: Figures,
    /// Where the times and distances come from: `great_circle` are straight-line estimates; null without routes.
    roads_source: Option<String>,
    /// What compact runs cost; null where they were not asked for, and where the plan that stood was kept.
    #[serde(default)]
    compact: Option<CompactRuns>,
}

/// A plan of compact runs beside the best plan that the same search found before it minded that, in six tenths of its time. Both
/// as they were found, before what changed meanwhile came in.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub(super) struct CompactRuns {
    /// The plan that was taken.
    with: CompactFigures,
    /// The plan that was left for it.
    without: CompactFigures,
}

/// One of both.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub(super) struct CompactFigures {
    /// Jobs on runs.
    served: i64,
    /// Runs with jobs.
    runs: i64,
    /// Metres.
    distance: i64,
    /// Seconds.
    driving_time: i64,
    /// Seconds from departure to end of all runs.
    working_time: i64,
    /// Jobs nearer to the centre of another run than to that of their own.
    strays: usize,
}

impl CompactRuns {
    /// The figures of a plan that was searched with compact runs; none for any other.
    pub(super) fn of(plan: &Plan) -> Option<Self> {
        let compact = plan.compact?;
        let figures = |totals: Totals, strays: usize| CompactFigures {
            served: totals.stops,
            runs: totals.routes,
            distance: totals.distance,
            driving_time: totals.driving,
            working_time: totals.duration,
            strays,
        };
        Some(Self {
            with: figures(plan.totals, compact.strays),
            without: figures(compact.without, compact.strays_without),
        })
    }
}

/// A plan in figures.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PlanFigures")]
pub(super) struct Figures {
    /// Jobs on runs.
    served: usize,
    /// Jobs on no run.
    unserved: usize,
    /// Of the served ones, those reached after their window.
    late: usize,
    /// Runs with jobs.
    runs: usize,
    /// Metres.
    distance: i64,
    /// Seconds.
    driving_time: i64,
    /// Seconds from departure to end of all runs.
    working_time: i64,
    /// Cost by the rates of the runs; null without rates, and for those who may not see them.
    cost: Option<f64>,
    /// What the runs carry and could carry, by measure.
    load: Vec<LoadFigure>,
}

/// One measure of what runs carry.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PlanLoad")]
pub(super) struct LoadFigure {
    /// `boxes`; `size` for sizes without a name.
    key: String,
    /// Carried by runs that limit it.
    value: f64,
    /// What these runs can carry.
    limit: f64,
}

/// Jobs on no run under the names that they have now; what was deleted meanwhile is left out.
pub(super) async fn named(
    connection: &mut PgConnection,
    left: &[(i64, &'static str)],
) -> Result<Vec<UnservedJob>> {
    let ids: Vec<i64> = left.iter().map(|(id, _)| *id).collect();
    let uids: Vec<(i64, String)> =
        sqlx::query_as("select id, uid from jobs where id = any($1)").bind(ids).fetch_all(connection).await?;
    let uids: HashMap<i64, String> = uids.into_iter().collect();
    let job = |(id, reason): &(i64, &'static str)| {
        Some(UnservedJob { id: *id, uid: uids.get(id)?.clone(), reason: (*reason).to_owned() })
    };
    Ok(left.iter().filter_map(job).collect())
}

impl Summary {
    /// Reads the plan as it is now and puts it beside what it was.
    pub(super) async fn since(
        before: Figures,
        connection: &mut PgConnection,
        planner: &Planner<'_>,
        scenario: i64,
    ) -> Result<Self> {
        let after = Figures::read(connection, planner, scenario).await?;
        // One run on estimates makes the whole an estimate.
        let roads_source = sqlx::query_scalar(
            "select roads_source from runs where scenario_id = $1 and roads_source is not null
             order by roads_source <> 'great_circle', id limit 1",
        )
        .bind(scenario)
        .fetch_optional(connection)
        .await?;
        Ok(Self { before, after, roads_source, compact: None })
    }

    /// The same with what compact runs cost.
    pub(super) fn with_compact(self, compact: Option<CompactRuns>) -> Self {
        Self { compact, ..self }
    }

    /// Without what the caller may not see.
    pub(super) fn seen_by(mut self, caller: &Caller) -> Self {
        if !caller.holds(RATES) {
            self.before.cost = None;
            self.after.cost = None;
        }
        self
    }
}

impl Figures {
    /// Reads the plan of a scenario.
    pub(super) async fn read(
        connection: &mut PgConnection,
        planner: &Planner<'_>,
        scenario: i64,
    ) -> Result<Self> {
        let snapshot = Snapshot::load(connection, scenario, &[]).await?;
        let used: Vec<i64> =
            snapshot.sequences.iter().filter(|(_, jobs)| !jobs.is_empty()).map(|(run, _)| *run).collect();
        let (distance, driving_time, working_time): (i64, i64, i64) = sqlx::query_as(
            "select coalesce(sum(distance), 0)::bigint, coalesce(sum(total_driving_time), 0)::bigint,
                 coalesce(sum(extract(epoch from planned_end_time - planned_start_time)), 0)::bigint
             from runs where id = any($1)",
        )
        .bind(&used)
        .fetch_one(&mut *connection)
        .await?;
        let costs = costing::of_runs(connection, &used).await?;
        let costs: Vec<f64> = costs.iter().filter_map(costing::CostedRun::cost).collect();
        let served = snapshot.jobs.values().filter(|job| job.run_id.is_some()).count();
        Ok(Self {
            served,
            unserved: snapshot.jobs.len() - served,
            late: late(planner, &snapshot),
            runs: used.len(),
            distance,
            driving_time,
            working_time,
            cost: (!costs.is_empty()).then(|| (costs.iter().sum::<f64>() * 100.0).round() / 100.0),
            load: load(&snapshot, planner.settings.optimisation.zero_capacity_is_unlimited),
        })
    }
}

/// Jobs that are planned after the end of their windows.
fn late(planner: &Planner<'_>, snapshot: &Snapshot) -> usize {
    let terms = planner.terms(snapshot);
    let late = |run: i64, job: i64| {
        let (Some(run), Some(job)) = (snapshot.runs.get(&run), snapshot.jobs.get(&job)) else { return false };
        let (Some(eta), Some(leave_by)) = (job.eta, job.leave_by) else { return false };
        let overnight = run.shift_end <= run.shift_start;
        // On a night shift a window that closes before its start means the next morning.
        let next_morning = overnight && leave_by < run.shift_start;
        let latest = terms.day.at(leave_by) + if next_morning { DAY } else { 0 };
        terms.day.of(eta) > latest
    };
    snapshot
        .sequences
        .iter()
        .flat_map(|(run, jobs)| jobs.iter().map(|job| (*run, *job)))
        .filter(|(run, job)| late(*run, *job))
        .count()
}

/// What the runs carry of each measure that they limit, by the first layout of their capacity.
fn load(snapshot: &Snapshot, zero_is_unlimited: bool) -> Vec<LoadFigure> {
    let mut sums: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for (run, jobs) in snapshot.sequences.iter().filter(|(_, jobs)| !jobs.is_empty()) {
        let Some(run) = snapshot.runs.get(run) else { continue };
        let capacity = Capacity::parse(&run.capacity, zero_is_unlimited).unwrap_or(Capacity::UNLIMITED);
        let Some(layout) = capacity.0.first() else { continue };
        for part in &layout.0 {
            sums.entry(part.key.clone()).or_default().1 += part.amount;
        }
        for size in
            jobs.iter().filter_map(|job| snapshot.jobs.get(job)?.size.as_deref()?.parse::<Size>().ok())
        {
            for part in capacity.counted(&size).into_iter().flat_map(|clause| &clause.0) {
                if layout.amount(&part.key).is_some() {
                    sums.entry(part.key.clone()).or_default().0 += part.amount;
                }
            }
        }
    }
    let figure = |(key, (value, limit)): (String, (i64, i64))| LoadFigure {
        key,
        value: thousandths(value),
        limit: thousandths(limit),
    };
    sums.into_iter().map(figure).collect()
}

#[expect(clippy::cast_precision_loss, reason = "sizes of a day are far below 2^53 thousandths")]
fn thousandths(amount: i64) -> f64 {
    amount as f64 / 1000.0
}
