//! Violations of hand-made plans and reasons of unserved stops, one small day each.

#![expect(clippy::unwrap_used, reason = "a test stops where its input is wrong")]

mod common;

use common::{problem, van};
use routewright_solver::size::Capacity;
use routewright_solver::{
    Break, Budget, Cancel, CapacityMode, Link, Matrix, Plan, Problem, RouteEnd, TerritoryMode, TimeWindow,
    UNREACHABLE, UnservedReason, Vehicle, ViolationKind, default_engine, retime,
};

fn reasons(problem: &Problem) -> Vec<(usize, UnservedReason)> {
    let mut budget = Budget::seconds(1);
    budget.iterations = Some(50);
    let plan = default_engine().solve(problem, budget, &mut |_| {}, &Cancel::default()).unwrap();
    plan.unserved.iter().map(|unserved| (unserved.stop, unserved.reason)).collect()
}

fn kinds(plan: &Plan) -> Vec<(ViolationKind, Option<usize>, i64, i64)> {
    plan.violations()
        .map(|violation| (violation.kind, violation.stop, violation.value, violation.limit))
        .collect()
}

fn capacity(text: &str) -> Capacity {
    Capacity::parse(text, true).unwrap()
}

fn names(types: &[&str]) -> Vec<String> {
    types.iter().map(|name| (*name).to_owned()).collect()
}

/// P-342: a stop with types needs one in common; a vehicle without types serves only untyped stops.
#[test]
fn types() {
    let mut day = problem(&[0, 10, 20, 30], vec![Vehicle { types: names(&["Frozen"]), ..van() }, van()]);
    day.stops[0].types = names(&["frozen", "ambient"]);
    day.stops[1].types = names(&["ambient"]);
    assert_eq!(reasons(&day), [(1, UnservedReason::NoMatchingType)]);
    let forced = retime(&day, &vec![vec![], vec![0, 2]]).unwrap();
    assert_eq!(kinds(&forced), [(ViolationKind::TypeMismatch, Some(0), 0, 0)]);
    day.rules.ignore_type = true;
    assert!(reasons(&day).is_empty());
}

/// P-343: the sum of the sizes per key stays within one of the capacity's layouts.
#[test]
fn capacities() {
    let mut day = problem(
        &[0, 10, 20],
        vec![Vehicle { capacity: capacity("pallets:3&weight:100|weight:200"), ..van() }],
    );
    day.stops[0].size = "pallets:2&weight:90".parse().unwrap();
    day.stops[1].size = "pallets:2&weight:60.5".parse().unwrap();
    assert!(reasons(&day).is_empty(), "the second layout holds both");
    day.stops[1].size = "pallets:2&weight:110.5".parse().unwrap();
    assert_eq!(reasons(&day).len(), 1);
    assert_eq!(reasons(&day)[0].1, UnservedReason::Capacity);
    let forced = retime(&day, &vec![vec![0, 1]]).unwrap();
    assert_eq!(kinds(&forced), [(ViolationKind::Capacity, None, 200_500, 200_000)]);
    day.rules.ignore_capacity = true;
    assert!(reasons(&day).is_empty());
}

/// Linked stops load at the pickup and unload at the delivery: two pairs fit one after the other on board
/// where their sum does not.
#[test]
fn on_board() {
    let mut day = problem(&[0, 10, 20, 30, 40], vec![Vehicle { capacity: capacity("5"), ..van() }]);
    day.links = vec![Link { pickup: 0, delivery: 1 }, Link { pickup: 2, delivery: 3 }];
    for stop in &mut day.stops {
        stop.size = "5".parse().unwrap();
    }
    assert_eq!(reasons(&day).len(), 4);
    day.rules.capacity_mode = CapacityMode::OnBoard;
    assert!(reasons(&day).is_empty());
    let plan = retime(&day, &vec![vec![0, 1, 2, 3]]).unwrap();
    let loads: Vec<i64> =
        plan.routes[0].visits.iter().map(|visit| visit.load.amount("size").unwrap()).collect();
    assert_eq!(loads, [5000, 0, 5000, 0]);
    assert_eq!(plan.violations().count(), 0);
    let crossed = retime(&day, &vec![vec![0, 2, 1, 3]]).unwrap();
    assert_eq!(kinds(&crossed), [(ViolationKind::Capacity, None, 10_000, 5000)]);
}

#[test]
fn shift_and_drivers() {
    let short = Vehicle { shift: TimeWindow { earliest: 0, latest: 45 }, ..van() };
    let mut day = problem(&[0, 10, 20, 30], vec![short.clone()]);
    assert_eq!(reasons(&day), [(2, UnservedReason::Shift)], "30 there and 30 back");
    day = problem(&[0, 20, -20], vec![short.clone()]);
    let one_left = reasons(&day);
    assert_eq!((one_left.len(), one_left[0].1), (1, UnservedReason::Shift));
    // One run is full, the other too short: more drivers would help.
    let mut full = Vehicle { capacity: capacity("1"), ..van() };
    full.shift.latest = 100;
    day = problem(&[0, 15, 15, -15], vec![short, full]);
    day.stops.iter_mut().for_each(|stop| stop.service = 10);
    day.stops.iter_mut().for_each(|stop| stop.size = "1".parse().unwrap());
    let left = reasons(&day);
    assert_eq!((left.len(), left[0].1), (1, UnservedReason::NotEnoughDrivers));
}

#[test]
fn territories() {
    let mut day = problem(&[0, 10, 20, 30], vec![Vehicle { territories: vec![1], ..van() }]);
    day.stops[0].territories = vec![2];
    day.stops[1].territories = vec![1, 2];
    day.rules.territory_mode = TerritoryMode::Only;
    assert_eq!(reasons(&day), [(0, UnservedReason::Territory)]);
    let forced = retime(&day, &vec![vec![0, 1, 2]]).unwrap();
    assert_eq!(kinds(&forced), [(ViolationKind::Territory, Some(0), 0, 0)]);
    day.rules.territory_mode = TerritoryMode::Prefer;
    assert!(reasons(&day).is_empty());
}

#[test]
fn links() {
    let mut day = problem(&[0, 10, 20, 30], vec![van(), van()]);
    day.links = vec![Link { pickup: 2, delivery: 0 }];
    assert!(reasons(&day).is_empty());
    let forced = retime(&day, &vec![vec![0, 2], vec![1]]).unwrap();
    assert_eq!(kinds(&forced), [(ViolationKind::LinkOrder, Some(0), 2, 0)]);
    let apart = retime(&day, &vec![vec![0], vec![2]]).unwrap();
    let other = ViolationKind::LinkOtherRun;
    assert_eq!(kinds(&apart), [(other, Some(0), 2, 0), (other, Some(2), 0, 0)]);
    day.stops[2].types = names(&["frozen"]);
    assert_eq!(reasons(&day), [(0, UnservedReason::LinkedJob), (2, UnservedReason::NoMatchingType)]);
    day.stops[2].types.clear();
    day.links.push(Link { pickup: 0, delivery: 2 });
    assert_eq!(reasons(&day), [(0, UnservedReason::LinkedJob), (2, UnservedReason::LinkedJob)]);
    assert_eq!(routewright_solver::links::cycle(3, &day.links), Some(vec![0, 2, 0]));
}

#[test]
fn no_way() {
    let far = UNREACHABLE;
    let cells = vec![0, 5, far, 5, 0, far, 5, 5, 0];
    let mut day = problem(&[0, 1, 2], vec![van()]);
    day.matrix = Matrix::new(3, cells.clone(), cells).unwrap();
    assert_eq!(reasons(&day), [(1, UnservedReason::Unreachable)]);
    let forced = retime(&day, &vec![vec![0, 1]]).unwrap();
    assert_eq!(kinds(&forced), [(ViolationKind::Unreachable, Some(1), 0, 0)]);
    let odd = [Some(0.0), Some(f64::NAN), None, Some(0.4)];
    let matrix = Matrix::from_cells(2, &odd, &odd).unwrap();
    assert_eq!((matrix.seconds(0, 1), matrix.seconds(1, 0), matrix.seconds(1, 1)), (None, None, Some(0)));
}

/// Each vehicle travels by the matrix it names: a truck does not get where a bicycle does, and takes its own time.
#[test]
fn matrices_of_their_own() {
    let far = UNREACHABLE;
    let truck = Matrix::new(3, vec![0, 5, far, 5, 0, far, far, far, 0], vec![0; 9]).unwrap();
    let mut day = problem(&[0, 10, 20], vec![Vehicle { matrix: Some(0), ..van() }]);
    day.others = vec![truck];
    assert_eq!(reasons(&day), [(1, UnservedReason::Unreachable)]);
    let timed = retime(&day, &vec![vec![0]]).unwrap();
    assert_eq!((timed.routes[0].totals.driving, timed.routes[0].totals.distance), (10, 0));
    day.vehicles.push(van());
    day.current = vec![Vec::new(); 2];
    assert!(reasons(&day).is_empty());
    let timed = retime(&day, &vec![vec![], vec![0]]).unwrap();
    assert_eq!(timed.routes[0].totals.driving, 20);
    day.others = vec![Matrix::new(2, vec![0; 4], vec![0; 4]).unwrap()];
    assert!(retime(&day, &vec![vec![], vec![]]).is_err(), "of other places");
    day.others.clear();
    assert!(retime(&day, &vec![vec![], vec![]]).is_err(), "no such matrix");
}

/// S-04: at most one run of an alternatives group.
#[test]
fn alternatives() {
    let grouped = Vehicle {
        alternatives_group: Some("Ana".into()),
        shift: TimeWindow { earliest: 0, latest: 45 },
        ..van()
    };
    let day = problem(
        &[0, 20, -20],
        vec![grouped.clone(), Vehicle { alternatives_group: Some("ana ".into()), ..grouped }],
    );
    assert_eq!(reasons(&day).len(), 1);
    let forced = retime(&day, &vec![vec![0], vec![1]]).unwrap();
    assert_eq!(forced.violations().filter(|v| v.kind == ViolationKind::AlternativesGroup).count(), 2);
}

/// The break starts in its window, as early as it costs nothing, on the road when that is where one is.
#[test]
fn lunch() {
    let lunch = Some(Break { duration: 30, earliest: 100, latest: 130 });
    let mut day = problem(&[0, 90, 120], vec![Vehicle { lunch, ..van() }]);
    let plan = retime(&day, &vec![vec![0, 1]]).unwrap();
    let placed = plan.routes[0].lunch.unwrap();
    assert_eq!((placed.start, placed.end, placed.before, placed.wait), (100, 130, 1, 0));
    assert_eq!(plan.routes[0].visits[1].arrival, 150);
    assert_eq!(plan.routes[0].end, 270);
    // Over before the latest start: no break is needed.
    day.vehicles[0].end = RouteEnd::Anywhere;
    let plan = retime(&day, &vec![vec![0, 1]]).unwrap();
    assert_eq!((plan.routes[0].lunch, plan.routes[0].end), (None, 120));
    // Without the break all is in time, with it the second stop is late: that is told.
    day.vehicles[0].end = RouteEnd::Start;
    day.stops[1].window = Some(TimeWindow { earliest: 0, latest: 120 });
    day.stops[1].service = 20;
    day.stops[0].service = 0;
    let plan = retime(&day, &vec![vec![0, 1]]).unwrap();
    assert!(plan.violations().any(|violation| violation.kind == ViolationKind::Break));
    assert!(plan.violations().any(|violation| violation.kind == ViolationKind::LateArrival));
}

/// within the departure window the run leaves as late as it loses nothing.
#[test]
fn departure_window() {
    let mut day = problem(&[0, 50], vec![van()]);
    day.stops[0].window = Some(TimeWindow { earliest: 500, latest: 600 });
    let waits = retime(&day, &vec![vec![0]]).unwrap();
    assert_eq!((waits.routes[0].departure, waits.totals.waiting), (0, 450));
    day.vehicles[0].departure = Some(TimeWindow { earliest: 100, latest: 300 });
    let later = retime(&day, &vec![vec![0]]).unwrap();
    assert_eq!((later.routes[0].departure, later.totals.waiting), (300, 150));
    day.vehicles[0].departure = Some(TimeWindow { earliest: 100, latest: 3000 });
    let just = retime(&day, &vec![vec![0]]).unwrap();
    assert_eq!((just.routes[0].departure, just.totals.waiting), (450, 0));
}

#[test]
fn costs_and_totals() {
    let costs = routewright_solver::Costs { fixed: 10_000, per_km: 500, per_hour: 36_000, per_drop: 250 };
    let day = problem(&[0, 1000, 2000], vec![Vehicle { costs, ..van() }]);
    let plan = retime(&day, &vec![vec![0, 1]]).unwrap();
    assert_eq!((plan.totals.distance, plan.totals.driving, plan.totals.duration), (4000, 4000, 4000));
    assert_eq!(plan.totals.cost, 10_000 + 4 * 500 + 40_000 + 2 * 250);
}

/// Faults of the caller are refused with what is wrong, never a panic.
#[test]
fn contradictions_are_refused() {
    let good = problem(&[0, 10], vec![van()]);
    let refused = |change: &dyn Fn(&mut Problem)| {
        let mut day = good.clone();
        change(&mut day);
        retime(&day, &vec![vec![0]]).unwrap_err().to_string()
    };
    assert_eq!(refused(&|day| day.stops[0].place = 7), "stop 0 is at unknown place 7");
    assert_eq!(refused(&|day| day.vehicles[0].start = Some(2)), "start of vehicle 0 is at unknown place 2");
    assert_eq!(refused(&|day| day.links = vec![Link { pickup: 0, delivery: 4 }]), "unknown stop 4");
    assert_eq!(refused(&|day| day.vehicles[0].speed = f64::NAN), "speed of vehicle 0 is out of range");
    assert_eq!(refused(&|day| day.stops[0].service = -1), "service of stop 0 is out of range");
    assert_eq!(refused(&|day| day.current = vec![vec![0, 0]]), "stop 0 appears twice in the plan");
    assert!(Matrix::new(2, vec![0; 3], vec![0; 4]).is_err());
    assert!(retime(&good, &vec![vec![], vec![0]]).is_err());
}
