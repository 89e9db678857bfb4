//! Trying a run at little cost: the times kept along it tell in constant time which positions break a rule of time, load and
//! types are the same at all of them, and what is left is bounded. Only what may still be told or offered is evaluated.

use std::sync::Arc;

use super::stage::Stage;
use super::{Added, Change, Found, MOST_MINUTES, NoRoom, Rank, Remedy, Use, bend, fits, keep, most};
use crate::evaluate;
use crate::load;
use crate::model::{FAR, Model, on_board};
use crate::plan::{Route, Violation};
use crate::timing::Lane;

/// Seconds of a minute.
const MINUTE: i64 = 60;

/// A run as it is.
#[derive(Debug)]
pub(super) struct Known {
    /// Timed; none for an empty run.
    pub(super) route: Option<Route>,
    pub(super) lane: Lane,
    /// The same without the break.
    restless: Lane,
    /// It breaks no rule, and its times and load tell whether it does with a stop more.
    pub(super) sound: bool,
}

impl Known {
    pub(super) fn new(model: &Model, vehicle: usize, stops: &[usize]) -> Self {
        let route = (!stops.is_empty()).then(|| evaluate::sketch(model, vehicle, stops));
        let lane = Lane::new(model, vehicle, stops.to_vec());
        let linked = |stop: &usize| model.stops[*stop].component.is_some();
        let plain_load = !on_board(model) || !stops.iter().any(linked);
        let sound = lane.feasible()
            && plain_load
            && !model.rules.ignore_time_window
            && route.as_ref().is_none_or(|route| route.violations.is_empty());
        Self { restless: lane.without_break(model), route, lane, sound }
    }
}

/// A run with a stop more, at whatever position.
pub(super) struct Quick {
    known: Arc<Known>,
    stop: usize,
    fits: bool,
    typed: bool,
    /// Part of the rank that is the same at all positions.
    hard: usize,
    excess: i64,
    /// Seconds more at least, beside the detour.
    added: i64,
    /// Driving that is saved elsewhere, as negative seconds.
    saved_driving: i64,
}

impl Quick {
    /// `together` are the stops of the run and the one that is tried; `saved` what is saved elsewhere, as a negative cost.
    pub(super) fn new(
        model: &Model,
        known: Arc<Known>,
        stop: usize,
        together: &[usize],
        saved: Added,
    ) -> Self {
        let vehicle = known.lane.vehicle;
        let over = load::excess(model, vehicle, &load::peak(model, vehicle, together));
        let part = |(_, load, limit): &(usize, i64, i64)| {
            i64::try_from(i128::from(load - limit) * 1000 / i128::from((*limit).max(1))).unwrap_or(i64::MAX)
        };
        let typed = model.type_fits(stop, vehicle);
        // A stop more can be served while the run waited before, at best.
        let waited = known.route.as_ref().map_or(0, |route| route.totals.waiting);
        Self {
            fits: fits(model, vehicle, together),
            typed,
            hard: usize::from(!typed),
            excess: over.iter().map(part).fold(0, i64::saturating_add),
            added: saved.duration + model.stops[stop].service - waited,
            saved_driving: saved.driving,
            known,
            stop,
        }
    }

    /// Least working time that the stop adds at a position, seconds.
    fn least_added(&self, model: &Model, at: usize) -> i64 {
        // Another hour of traffic may save more than the detour takes.
        if model.clock(self.known.lane.vehicle).is_some() {
            return i64::MIN;
        }
        let (detour, _) = self.known.lane.detour(model, self.stop, at);
        // Where a detour is none, the run may end before it needs its break.
        if (0..FAR / 2).contains(&detour) { self.added + detour } else { i64::MIN }
    }

    /// The rank at a position is no less.
    fn least_rank(&self, model: &Model, at: usize) -> Rank {
        let missed = self.known.restless.missed(model, self.stop, at);
        // A missing way is timed as none.
        let late = if missed < FAR / 2 { missed } else { 0 };
        Rank { hard: self.hard, excess: self.excess, late }
    }

    /// What keeps the stop off a position, as far as that is known without a look; else whether it may add more than so many
    /// seconds of driving, or more working time than the best so far.
    pub(super) fn bars(
        &self,
        model: &Model,
        at: usize,
        (most, best): (i64, Option<&Remedy>),
    ) -> Option<NoRoom> {
        let (detour, _) = self.known.lane.detour(model, self.stop, at);
        if !self.typed || detour >= FAR / 2 {
            return Some(NoRoom::Impossible);
        }
        if !self.fits {
            return Some(NoRoom::Full);
        }
        if !self.known.lane.admits(model, self.stop, at) {
            return Some(NoRoom::NoTime);
        }
        if detour + self.saved_driving > most {
            return Some(NoRoom::TooFar);
        }
        best.is_some_and(|best| self.least_added(model, at) > best.added.duration).then_some(NoRoom::TooFar)
    }

    /// Whether more minutes at the end of the shift, or of the stop's window, could make a position possible.
    fn bends(&self, model: &Model, at: usize, extended: &Lane, minutes: i64) -> bool {
        let data = &model.stops[self.stop];
        let lane = &self.known.lane;
        extended.admits(model, self.stop, at)
            || lane.admits_between(model, self.stop, at, (data.earliest, data.latest + minutes * MINUTE))
            || lane.admits_between(model, self.stop, at, (data.earliest - minutes * MINUTE, data.latest))
    }
}

/// Tries one run at every position that may matter; answers the least that is broken when there is no room, as long as it is
/// less than the limit.
pub(super) fn try_quickly(
    stage: &mut Stage<'_>,
    quick: &Quick,
    found: &mut Found,
    limit: Option<Rank>,
) -> Option<(Rank, Vec<Violation>)> {
    let vehicle = quick.known.lane.vehicle;
    let open = stage.uses(vehicle) == Use::Open;
    let mut least: Option<(Rank, Vec<Violation>)> = None;
    let mut room = false;
    let minutes = most(&found.window).min(MOST_MINUTES);
    let extended = quick.known.lane.extended(stage.model(), most(&found.shift) * MINUTE);
    for at in 0..=quick.known.lane.sequence.len() {
        let model = stage.model();
        let admits = quick.known.lane.admits(model, quick.stop, at);
        let added = quick.least_added(model, at);
        let dearer = |best: &Option<Remedy>| best.as_ref().is_some_and(|best| added > best.added.duration);
        let works = admits && quick.fits && quick.typed;
        room |= works;
        let bends = open
            && quick.fits
            && if quick.typed {
                !admits && quick.bends(model, at, &extended, minutes)
            } else {
                admits && !dearer(&found.types)
            };
        let bound = quick.least_rank(model, at);
        let nearer = |rank: Rank| {
            least.as_ref().is_none_or(|(least, _)| rank < *least) && limit.is_none_or(|limit| rank < limit)
        };
        let offered = works && !dearer(if open { &found.insert } else { &found.spare });
        if !offered && (works || (!bends && (room || !nearer(bound)))) {
            continue;
        }
        let mut sequence = quick.known.lane.sequence.clone();
        sequence.insert(at, quick.stop);
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
        if nearer(rank) {
            least = Some((rank, broken));
        }
    }
    least.filter(|_| !room)
}
