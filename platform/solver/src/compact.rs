//! Compact runs: how far the stops of a run lie from its centre.
//!
//! Drivers and planners trust runs that keep to an area of their own. Of the measures that Rossit, Vigo, Tohmé and Frutos
//! compare (Visual attractiveness in routing problems: a review, Computers & Operations Research 103, 2019) the way between
//! each stop and the centre of its run is taken as what is minimised, because it adds up over the stops, and the number of
//! stops nearer to the centre of another run (Poot, Kant and Wagelmans, A savings based method for real-life vehicle
//! routing problems, JORS 53, 2002) as what is told. There are no coordinates here: a run's centre is the stop from which
//! the way to all others of the run is least.

use crate::model::{FAR, Model};
use crate::objective::Weights;
use crate::plan::{Compactness, Plan};

/// A second away from the centre costs so many on the road.
const PRICE: i64 = 3;
/// Most points of one stop: a missing way is worse than any other, and sums stay far inside `i64`.
const MOST: i64 = 1 << 32;

/// Points of serving a stop in a run with the given centre.
pub(crate) fn apart(model: &Model, vehicle: usize, centre: usize, stop: usize) -> i64 {
    let profile = model.vehicles[vehicle].profile;
    let weights = Weights::of(model, vehicle);
    let (a, b) = (model.stops[centre].place, model.stops[stop].place);
    let one_way = |from: usize, to: usize| {
        let driving = model.driving(profile, from, to);
        if driving >= FAR { MOST } else { weights.detour(driving, model.metres(profile, from, to)).min(MOST) }
    };
    one_way(a, b).midpoint(one_way(b, a)) * PRICE
}

/// The centre of a run, and the points of all its stops together; `None` without stops.
pub(crate) fn centre(model: &Model, vehicle: usize, stops: &[usize]) -> Option<(usize, i64)> {
    let sum = |centre: &usize| stops.iter().map(|stop| apart(model, vehicle, *centre, *stop)).sum::<i64>();
    stops.iter().map(|stop| (sum(stop), *stop)).min().map(|(points, stop)| (stop, points))
}

/// Points of all runs of a plan.
pub(crate) fn points<'s>(model: &Model, runs: impl Iterator<Item = (usize, &'s [usize])>) -> i64 {
    runs.filter_map(|(vehicle, stops)| centre(model, vehicle, stops)).map(|(_, points)| points).sum()
}

/// What compact runs cost: a plan that was made so beside the best one found before.
pub(crate) fn compactness(model: &Model, plan: &Plan, without: &Plan) -> Compactness {
    Compactness {
        strays: strays(model, plan),
        without: without.totals,
        strays_without: strays(model, without),
    }
}

/// Stops nearer to the centre of another run than to that of their own.
fn strays(model: &Model, plan: &Plan) -> usize {
    let runs: Vec<(usize, Vec<usize>)> = plan
        .routes
        .iter()
        .map(|route| (route.vehicle, route.visits.iter().map(|visit| visit.stop).collect()))
        .collect();
    let centres: Vec<Option<usize>> = runs
        .iter()
        .map(|(vehicle, stops)| centre(model, *vehicle, stops).map(|(centre, _)| centre))
        .collect();
    let away = |run: usize, stop: usize| {
        centres[run].map_or(i64::MAX, |centre| apart(model, runs[run].0, centre, stop))
    };
    let stray = |run: usize, stop: usize| (0..runs.len()).any(|other| away(other, stop) < away(run, stop));
    let of_run = |(run, (_, stops)): (usize, &(usize, Vec<usize>))| {
        stops.iter().filter(|stop| stray(run, **stop)).count()
    };
    runs.iter().enumerate().map(of_run).sum()
}
