//! Why a stop has no good place, and what would give it one: every run is tried at every position by the evaluator.
//!
//! A remedy changes one thing (none, the end of a shift, a window, the types of a stop, another stop's run) and puts the
//! stop where, with that change, no rule is broken that holds without it. Offered is the cheapest of each kind: the fewest
//! minutes where minutes are bent, then the least added working time, then metres.

mod many;
mod quick;
mod room;
mod sequences;
mod stage;

use std::collections::HashMap;
use std::sync::Arc;

use crate::load;
use crate::model::{self, Model};
use crate::plan::{Violation, ViolationKind};
use crate::problem::{Problem, ProblemError, Sequences, TerritoryMode};

pub use room::NoRoom;

use quick::{Known, try_quickly};
use stage::Stage;

/// Most minutes by which a shift is extended or a window widened.
pub const MOST_MINUTES: i64 = 240;
/// Runs of which jobs are tried elsewhere to free capacity, the nearest first.
const MOST_FREED: usize = 8;

/// What may become of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It stays as it is.
    Kept,
    /// It may get other stops.
    Open,
    /// A driver without a run, who could get one.
    Spare,
}

/// What a change costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Added {
    /// Working time from departure to end, seconds.
    pub duration: i64,
    /// Metres.
    pub metres: i64,
    /// Of the working time, driving and service: seconds.
    pub work: i64,
    /// Of that, driving: seconds.
    pub driving: i64,
}

impl std::ops::AddAssign for Added {
    fn add_assign(&mut self, other: Self) {
        self.duration += other.duration;
        self.metres += other.metres;
        self.work += other.work;
        self.driving += other.driving;
    }
}

/// A run with a stop in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The run.
    pub vehicle: usize,
    /// All its stops in order.
    pub sequence: Vec<usize>,
    /// Arrival at the stop, seconds.
    pub arrival: i64,
    /// End of the run, seconds.
    pub end: i64,
}

/// The one thing that is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing: there is room.
    Nothing,
    /// The shift of the run ends later.
    ExtendShift {
        /// By so many minutes.
        minutes: i64,
    },
    /// The window of the stop opens earlier or closes later.
    WidenWindow {
        /// Minutes before.
        earlier: i64,
        /// Minutes behind.
        later: i64,
    },
    /// Another stop leaves the run for another one.
    FreeCapacity {
        /// Which.
        stop: usize,
        /// Where to.
        to: Placement,
    },
    /// The stop needs no types any more.
    DropTypes,
}

/// What would serve the stop without breaking another rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    /// What is changed.
    pub change: Change,
    /// Where the stop, and what is linked to it, goes.
    pub place: Placement,
    /// What all of it costs.
    pub added: Added,
    /// The same run by run.
    pub by_run: Vec<(usize, Added)>,
}

/// A run that cannot take the stop as things are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked {
    /// The run.
    pub vehicle: usize,
    /// Rules that it would break at the position where the least is broken.
    pub broken: Vec<Violation>,
}

/// What was found about a stop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// Stops that are linked to it and go along.
    pub linked: Vec<usize>,
    /// Runs that cannot take it, with the least first.
    pub blocked: Vec<Blocked>,
    /// The cheapest remedy of each kind, the one that bends least first.
    pub remedies: Vec<Remedy>,
    /// Full runs, further away than those that were, of which no stop was tried elsewhere.
    pub untried: usize,
}

/// A stop that goes elsewhere, and what that costs; by the run that it leaves.
type Elsewhere = HashMap<(usize, usize), Option<(Placement, Added)>>;

/// A plan in which stops are tried.
#[derive(Debug, Clone)]
pub struct Trial {
    pub(crate) model: Model,
    pub(crate) sequences: Sequences,
    pub(crate) uses: Vec<Use>,
    /// Stops that may not leave their run.
    pub(crate) fixed: Vec<bool>,
    /// Each run as it is.
    known: Vec<Arc<Known>>,
    /// Where stops could go while nothing is taken off a run.
    elsewhere: Elsewhere,
}

impl Trial {
    /// Prepares a plan; `uses` by vehicle, `fixed` by stop.
    ///
    /// # Errors
    /// [`ProblemError`] when the problem contradicts itself or the sequences name unknown or repeated stops.
    pub fn new(
        problem: &Problem,
        sequences: &Sequences,
        uses: Vec<Use>,
        fixed: Vec<bool>,
    ) -> Result<Self, ProblemError> {
        let model = Model::new(problem)?;
        model::check_sequences(problem, sequences)?;
        let mut sequences = sequences.clone();
        sequences.resize(problem.vehicles.len(), Vec::new());
        let known = sequences
            .iter()
            .enumerate()
            .map(|(vehicle, stops)| Arc::new(Known::new(&model, vehicle, stops)))
            .collect();
        let mut trial = Self { model, sequences, uses, fixed, known, elsewhere: Elsewhere::new() };
        trial.uses.resize(problem.vehicles.len(), Use::Open);
        trial.fixed.resize(problem.stops.len(), false);
        Ok(trial)
    }

    /// Tries a stop, and what is linked to it, everywhere. A stop that is on a run is taken off it first.
    pub fn diagnose(&mut self, stop: usize) -> Diagnosis {
        self.look(stop, false)
    }

    /// With `brief` only the run that is nearest to taking the stop is told.
    fn look(&mut self, stop: usize, brief: bool) -> Diagnosis {
        let Some(mut stage) = Stage::set(self, stop) else { return Diagnosis::default() };
        let mut found = Found::default();
        let mut blocked: Vec<(Rank, usize, Vec<Violation>)> = Vec::new();
        let mut full = Vec::new();
        for vehicle in 0..stage.vehicles() {
            if stage.uses(vehicle) == Use::Kept {
                continue;
            }
            let limit = blocked.iter().map(|(rank, ..)| *rank).min().filter(|_| brief);
            match stage.excluded(vehicle) {
                Some(violation) => {
                    blocked.push((Rank::of(std::slice::from_ref(&violation)), vehicle, vec![violation]))
                }
                None => {
                    let least = match stage.quick(vehicle) {
                        Some(quick) => try_quickly(&mut stage, &quick, &mut found, limit),
                        None => try_run(&mut stage, vehicle, &mut found),
                    };
                    if let Some((rank, broken)) = least {
                        blocked.push((rank, vehicle, broken));
                    }
                    if stage.uses(vehicle) == Use::Open && stage.is_full(vehicle) {
                        full.push(vehicle);
                    }
                }
            }
        }
        let mut untried = 0;
        if stage.may_leave_its_run() {
            untried = full.len().saturating_sub(MOST_FREED);
            for vehicle in stage.nearest(full, MOST_FREED) {
                free_capacity(&mut stage, vehicle, &mut found);
            }
        } else {
            found = Found::default();
        }
        blocked.sort_by_key(|(rank, vehicle, _)| (*rank, *vehicle));
        if brief {
            blocked.truncate(1);
        }
        Diagnosis {
            linked: stage.linked(),
            blocked: blocked.into_iter().map(|(_, vehicle, broken)| Blocked { vehicle, broken }).collect(),
            remedies: found.remedies(),
            untried,
        }
    }
}

/// The best remedy of each kind so far.
#[derive(Default)]
struct Found {
    insert: Option<Remedy>,
    spare: Option<Remedy>,
    shift: Option<(i64, Remedy)>,
    window: Option<(i64, Remedy)>,
    types: Option<Remedy>,
    freed: Option<Remedy>,
}

impl Found {
    fn remedies(self) -> Vec<Remedy> {
        let bent = [self.shift, self.window].into_iter().map(|found| found.map(|(_, remedy)| remedy));
        let [shift, window] = bent.collect::<Vec<_>>().try_into().unwrap_or_default();
        [self.insert, self.freed, shift, window, self.spare, self.types].into_iter().flatten().collect()
    }
}

/// Keeps the cheaper of two.
fn keep(best: &mut Option<Remedy>, remedy: Remedy) {
    if best.as_ref().is_none_or(|best| remedy.added < best.added) {
        *best = Some(remedy);
    }
}

/// Keeps the one that bends less, then the cheaper.
fn keep_bent(best: &mut Option<(i64, Remedy)>, minutes: i64, remedy: Remedy) {
    if best.as_ref().is_none_or(|(least, best)| (minutes, remedy.added) < (*least, best.added)) {
        *best = Some((minutes, remedy));
    }
}

/// Tries one run at every position; answers the least that is broken when there is no room.
fn try_run(stage: &mut Stage<'_>, vehicle: usize, found: &mut Found) -> Option<(Rank, Vec<Violation>)> {
    let mut least: Option<(Rank, Vec<Violation>)> = None;
    let mut room = false;
    let open = stage.uses(vehicle) == Use::Open;
    for sequence in stage.positions(vehicle) {
        let (route, broken) = stage.evaluate(vehicle, &sequence);
        if broken.is_empty() {
            room = true;
            let remedy = stage.remedy(Change::Nothing, &route, sequence);
            keep(if open { &mut found.insert } else { &mut found.spare }, remedy);
            continue;
        }
        if open {
            bend(stage, vehicle, &sequence, &broken, found);
        }
        let rank = Rank::of(&broken);
        if least.as_ref().is_none_or(|(least, _)| rank < *least) {
            least = Some((rank, broken));
        }
    }
    least.filter(|_| !room)
}

/// What would make one order of one run possible.
fn bend(stage: &mut Stage<'_>, vehicle: usize, sequence: &[usize], broken: &[Violation], found: &mut Found) {
    let stop = stage.stop;
    let of_types =
        |violation: &Violation| violation.kind == ViolationKind::TypeMismatch && violation.stop == Some(stop);
    if broken.iter().all(of_types) {
        let (route, _) = stage.evaluate(vehicle, sequence);
        keep(&mut found.types, stage.remedy(Change::DropTypes, &route, sequence.to_vec()));
    }
    let of_time = |violation: &Violation| {
        matches!(
            violation.kind,
            ViolationKind::LateArrival | ViolationKind::OutsideShift | ViolationKind::Break
        )
    };
    if !broken.iter().all(of_time) {
        return;
    }
    if let Some((minutes, route)) =
        stage.least(most(&found.shift), |stage, minutes| stage.with_shift(vehicle, minutes, sequence))
    {
        let remedy = stage.remedy(Change::ExtendShift { minutes }, &route, sequence.to_vec());
        keep_bent(&mut found.shift, minutes, remedy);
    }
    if !stage.has_window() {
        return;
    }
    if let Some((later, route)) =
        stage.least(most(&found.window), |stage, later| stage.with_window(vehicle, (0, later), sequence))
    {
        let change = Change::WidenWindow { earlier: 0, later };
        let remedy = stage.remedy(change, &route, sequence.to_vec());
        keep_bent(&mut found.window, later, remedy);
    }
    if let Some((earlier, route)) =
        stage.least(most(&found.window), |stage, earlier| stage.with_window(vehicle, (earlier, 0), sequence))
    {
        let change = Change::WidenWindow { earlier, later: 0 };
        let remedy = stage.remedy(change, &route, sequence.to_vec());
        keep_bent(&mut found.window, earlier, remedy);
    }
}

/// Most minutes that are still worth trying.
fn most(best: &Option<(i64, Remedy)>) -> i64 {
    best.as_ref().map_or(MOST_MINUTES, |(least, _)| *least)
}

/// Moves each stop of a full run to another one in turn and tries the run again.
fn free_capacity(stage: &mut Stage<'_>, vehicle: usize, found: &mut Found) {
    for stop in stage.removable(vehicle) {
        let Some((to, moved)) = stage.elsewhere(vehicle, stop) else { continue };
        let limit = found.freed.as_ref().map_or(i64::MAX, |best| best.added.duration - moved.duration);
        let Some((place, added)) = stage.without(vehicle, stop, limit) else { continue };
        let parts = [(vehicle, added), (to.vehicle, moved)];
        keep(&mut found.freed, stage.costed(Change::FreeCapacity { stop, to }, place, &parts));
    }
}

/// How far a run is from taking a stop: of several positions and runs the nearest is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Rules that no minutes help against.
    hard: usize,
    /// How much is too much, in thousandths of what is allowed.
    excess: i64,
    /// Seconds too late.
    late: i64,
}

impl Rank {
    fn of(broken: &[Violation]) -> Self {
        let mut rank = Self { hard: 0, excess: 0, late: 0 };
        for violation in broken {
            let over = violation.value.saturating_sub(violation.limit);
            match violation.kind {
                ViolationKind::LateArrival | ViolationKind::OutsideShift | ViolationKind::Break => {
                    // A break in the way begins in time.
                    rank.late = rank.late.saturating_add(over.max(0));
                }
                ViolationKind::Capacity => {
                    let part = i128::from(over) * 1000 / i128::from(violation.limit.max(1));
                    rank.excess = rank.excess.saturating_add(i64::try_from(part).unwrap_or(i64::MAX));
                }
                _ => rank.hard += 1,
            }
        }
        rank
    }
}

/// Whether the load of these stops fits, whatever the rules say about it.
fn fits(model: &Model, vehicle: usize, stops: &[usize]) -> bool {
    load::fits(model, vehicle, &load::peak(model, vehicle, stops))
}

/// Whether territories keep a stop off a run.
fn outside(model: &Model, vehicle: usize, stop: usize) -> bool {
    model.rules.territory_mode == TerritoryMode::Only && !model.territory_fits(stop, vehicle)
}
