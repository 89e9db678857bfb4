//! Ways between places as the search reads them: what they cost and how long they take.

use std::sync::Arc;

use crate::cells::{Cells, Line, NO_WAY};
use crate::model::{FAR, Model};

/// Edge cost of a missing way where costs are added up; sums of a few of them stay inside `i64` and above every real cost.
const NO_EDGE: i32 = 1 << 29;

/// The way from one place to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// Edge cost.
    pub(super) cost: i32,
    seconds: i32,
}

impl Way {
    /// Driving seconds; [`FAR`] without a way.
    #[inline]
    pub(super) fn seconds(self) -> i64 {
        far(self.seconds)
    }
}

/// Costs and times of all ways. Where a way costs nothing but its time, or nothing but its length, they are those of the
/// problem's matrix: at 10,000 places others would take 200 MB.
#[derive(Debug)]
pub(super) struct Edges {
    places: usize,
    costs: Arc<Cells>,
    seconds: Arc<Cells>,
    /// The same turned round, so that a stop's row serves arrivals and departures.
    back_costs: Arc<Cells>,
    back_seconds: Arc<Cells>,
    /// Both ways cost the same everywhere, whatever time they take.
    symmetric: bool,
}

/// Ways from a place to all others, or from all others to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'e> {
    costs: Line<'e>,
    seconds: Line<'e>,
}

impl Row<'_> {
    #[inline]
    pub(super) fn at(self, place: usize) -> Way {
        Way { cost: self.costs.at(place), seconds: self.seconds.at(place) }
    }

    #[inline]
    pub(super) fn cost(self, place: usize) -> i64 {
        i64::from(self.costs.at(place))
    }
}

impl Edges {
    /// Ways of vehicles of a speed that pay so many points for a metre and for a second of driving, and the points of one unit of
    /// their cost.
    pub(super) fn new(model: &Model, profile: usize, metre: i64, driving: i64) -> (Self, i64) {
        let places = model.places;
        let seconds = Arc::clone(model.laid_seconds(profile));
        let (costs, scale) = match (metre, driving) {
            (0, 1..) => (Arc::clone(&seconds), driving),
            (1.., 0) => (Arc::clone(model.laid_metres(profile)), metre),
            _ => added(model.laid_metres(profile), &seconds, metre, driving),
        };
        let symmetric = costs.is_symmetric(places);
        let back_costs = if symmetric { Arc::clone(&costs) } else { Arc::new(costs.turned(places)) };
        let back_seconds = if Arc::ptr_eq(&costs, &seconds) {
            Arc::clone(&back_costs)
        } else if seconds.is_symmetric(places) {
            Arc::clone(&seconds)
        } else {
            Arc::new(seconds.turned(places))
        };
        (Self { places, costs, seconds, back_costs, back_seconds, symmetric }, scale)
    }

    /// Ways from a place.
    #[inline]
    pub(super) fn from(&self, place: usize) -> Row<'_> {
        Row { costs: self.costs_from(place), seconds: self.seconds.row(place, self.places) }
    }

    /// Ways to a place.
    #[inline]
    pub(super) fn to(&self, place: usize) -> Row<'_> {
        Row { costs: self.costs_to(place), seconds: self.back_seconds.row(place, self.places) }
    }

    /// Costs of the ways from a place.
    #[inline]
    pub(super) fn costs_from(&self, place: usize) -> Line<'_> {
        self.costs.row(place, self.places)
    }

    /// Costs of the ways to a place.
    #[inline]
    pub(super) fn costs_to(&self, place: usize) -> Line<'_> {
        self.back_costs.row(place, self.places)
    }

    /// Cost of one edge.
    #[inline]
    pub(super) fn cost(&self, from: u32, to: u32) -> i64 {
        i64::from(self.costs.at(from as usize * self.places + to as usize))
    }

    /// Cost and driving seconds of one edge.
    #[inline]
    pub(super) fn way(&self, from: u32, to: u32) -> (i64, i64) {
        let at = from as usize * self.places + to as usize;
        (i64::from(self.costs.at(at)), far(self.seconds.at(at)))
    }

    /// Whether both ways cost the same everywhere.
    pub(super) fn symmetric(&self) -> bool {
        self.symmetric
    }
}

#[inline]
fn far(seconds: i32) -> i64 {
    if seconds == NO_WAY { FAR } else { i64::from(seconds) }
}

/// Points of length and time together, divided to fit 32 bits, and by what.
fn added(metres: &Cells, seconds: &Cells, metre: i64, driving: i64) -> (Arc<Cells>, i64) {
    let points = |(metres, seconds): (i32, i32)| {
        (seconds != NO_WAY).then(|| {
            let length = metre.saturating_mul(i64::from(metres));
            length.saturating_add(driving.saturating_mul(i64::from(seconds)))
        })
    };
    let most = metres.iter().zip(seconds.iter()).filter_map(points).max().unwrap_or(0);
    let scale = most / i64::from(NO_EDGE / 8) + 1;
    let cost = |way| points(way).and_then(|points| i32::try_from(points / scale).ok()).unwrap_or(NO_EDGE);
    (Arc::new(Cells::Wide(metres.iter().zip(seconds.iter()).map(cost).collect())), scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{Matrix, UNREACHABLE};
    use crate::problem::{Objective, Problem, Rules, Vehicle};

    const SECONDS: [u32; 9] = [0, 5, 7, 6, 0, UNREACHABLE, 9, 8, 0];
    const METRES: [u32; 9] = [0, 50, 70, 50, 0, UNREACHABLE, 90, 80, 0];

    fn model(objective: Objective) -> Model {
        let matrix = Matrix::new(3, SECONDS.to_vec(), METRES.to_vec()).unwrap();
        let rules = Rules { objective, ..Rules::default() };
        let vehicles = vec![Vehicle::default()];
        Model::new(&Problem { matrix, rules, vehicles, ..Problem::default() }).unwrap()
    }

    /// V-09: at 10,000 places each further matrix is 200 MB.
    #[test]
    fn ways_that_cost_time_alone_or_length_alone_take_no_memory_of_their_own() {
        let model = model(Objective::ShortestTime);
        let (timed, scale) = Edges::new(&model, 0, 0, 3);
        assert!(Arc::ptr_eq(&timed.costs, model.laid_seconds(0)) && scale == 3);
        assert!(Arc::ptr_eq(&timed.back_costs, &timed.back_seconds));
        let (long, scale) = Edges::new(&model, 0, 10, 0);
        assert!(Arc::ptr_eq(&long.costs, model.laid_metres(0)) && scale == 10);
    }

    #[test]
    fn rows_are_the_same_there_and_back() {
        let model = model(Objective::LowestCost);
        for (metre, driving) in [(0, 1), (10, 0), (2, 1)] {
            let (edges, scale) = Edges::new(&model, 0, metre, driving);
            for from in 0..3_u32 {
                for to in 0..3_u32 {
                    let (a, b) = (from as usize, to as usize);
                    let (cost, seconds) = edges.way(from, to);
                    let (there, back) = (edges.from(a).at(b), edges.to(b).at(a));
                    assert_eq!(
                        (edges.cost(from, to), edges.from(a).cost(b), edges.to(b).cost(a)),
                        (cost, cost, cost)
                    );
                    assert_eq!((there.seconds(), back.seconds()), (seconds, seconds));
                    if a == 1 && b == 2 {
                        assert!(seconds == FAR && cost >= i64::from(NO_EDGE));
                    } else {
                        assert_eq!(seconds, model.driving(0, a, b));
                        assert_eq!(cost * scale, metre * model.metres(0, a, b) + driving * seconds);
                    }
                }
            }
        }
    }
}
