//! Whether a run has room for a stop as things are: nothing is bent, and no other stop leaves its run.

use super::stage::Stage;
use super::{Change, Rank, Remedy, Trial, Use, keep};
use crate::problem::TimeWindow;

/// What keeps a stop off all runs; the one that is nearest to taking it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoRoom {
    /// No run may serve it: types, territories, links, no way, or no run that is open.
    Impossible,
    /// Where it may be served the load is too much.
    Full,
    /// Where it could be loaded, its window, another one, the shift or the break would be missed.
    NoTime,
    /// Where there is time, it takes more driving than is wanted.
    TooFar,
}

impl Trial {
    /// The cheapest place for a stop, and what is linked to it, on an open run, with this window for the stop and at most so
    /// many seconds of driving more in all. A stop that is on a run is taken off it first, and keeps the window.
    ///
    /// # Errors
    /// What keeps it off all runs.
    pub fn room(
        &mut self,
        stop: usize,
        window: Option<TimeWindow>,
        most_driving: i64,
    ) -> Result<Remedy, NoRoom> {
        self.model.set_window(stop, window);
        let stage = Stage::set(self, stop).filter(Stage::may_leave_its_run).ok_or(NoRoom::Impossible)?;
        let mut best: Option<Remedy> = None;
        let mut nearest = NoRoom::Impossible;
        for vehicle in 0..stage.vehicles() {
            if stage.uses(vehicle) == Use::Open && stage.excluded(vehicle).is_none() {
                nearest = nearest.max(look(&stage, vehicle, most_driving, &mut best));
            }
        }
        best.ok_or(nearest)
    }
}

/// Looks at every position of a run that may matter; answers what is nearest to keeping the stop off.
fn look(stage: &Stage<'_>, vehicle: usize, most: i64, best: &mut Option<Remedy>) -> NoRoom {
    let mut nearest = NoRoom::Impossible;
    let positions = match stage.quick(vehicle) {
        Some(quick) => {
            let mut positions = Vec::new();
            for at in 0..=stage.length(vehicle) {
                match quick.bars(stage.model(), at, (most, best.as_ref())) {
                    Some(bar) => nearest = nearest.max(bar),
                    None => positions.push(stage.at(vehicle, at)),
                }
            }
            positions
        }
        None => stage.positions(vehicle),
    };
    for sequence in positions {
        let (route, broken) = stage.evaluate(vehicle, &sequence);
        if broken.is_empty() {
            let remedy = stage.remedy(Change::Nothing, &route, sequence);
            nearest = NoRoom::TooFar;
            if remedy.added.driving <= most {
                keep(best, remedy);
            }
            continue;
        }
        let rank = Rank::of(&broken);
        nearest = nearest.max(match (rank.hard, rank.excess) {
            (0, 0) => NoRoom::NoTime,
            (0, _) => NoRoom::Full,
            _ => NoRoom::Impossible,
        });
    }
    nearest
}
