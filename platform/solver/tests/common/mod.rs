//! Problems for tests: small ones by hand, random ones for properties.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test stops where its input is wrong")]
#![allow(clippy::allow_attributes, reason = "the parts used differ by test file")]

pub mod naive;

use proptest::prelude::*;
use routewright_solver::size::{Capacity, Size};
use routewright_solver::{
    Break, CapacityMode, Link, Matrix, Objective, Problem, RouteEnd, Rules, Stop, TerritoryMode, TimeWindow,
    Traffic, UNREACHABLE, Vehicle,
};

/// So many random cases, or as many as `PROPTEST_CASES` asks for.
pub fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = asked.unwrap_or(usual);
    // Some tests take only one drawn day in seven.
    let max_global_rejects = cases.saturating_mul(30).max(1024);
    ProptestConfig { cases, max_global_rejects, failure_persistence: None, ..ProptestConfig::default() }
}

/// Places on a line, so many metres from the origin; a metre takes a second.
pub fn line(positions: &[i64]) -> Matrix {
    let cells: Vec<u32> = positions
        .iter()
        .flat_map(|from| positions.iter().map(move |to| u32::try_from((from - to).abs()).unwrap()))
        .collect();
    Matrix::new(positions.len(), cells.clone(), cells).unwrap()
}

/// A stop at a place without any rule.
pub fn stop(place: usize) -> Stop {
    Stop { place, ..Stop::default() }
}

/// A vehicle at place 0 with a wide shift.
pub fn van() -> Vehicle {
    Vehicle { start: Some(0), shift: TimeWindow { earliest: 0, latest: 100_000 }, ..Vehicle::default() }
}

/// Stops at each place but the first, on a line, with the given vehicles.
pub fn problem(positions: &[i64], vehicles: Vec<Vehicle>) -> Problem {
    let stops = (1..positions.len()).map(stop).collect();
    let mut problem = Problem { stops, vehicles, matrix: line(positions), ..Problem::default() };
    problem.current = vec![Vec::new(); problem.vehicles.len()];
    problem
}

fn window(span: i64) -> impl Strategy<Value = Option<TimeWindow>> {
    prop_oneof![
        2 => Just(None),
        3 => (0..span, 0..span).prop_map(|(earliest, length)| Some(TimeWindow { earliest, latest: earliest + length })),
    ]
}

fn size() -> impl Strategy<Value = Size> {
    prop_oneof![
        Just(Size::default()),
        (0..6_i64).prop_map(|n| n.to_string().parse().unwrap()),
        (0..4_i64, 0..9_i64).prop_map(|(a, b)| format!("pallets:{a}&weight:{b}.5|{b}").parse().unwrap()),
    ]
}

fn capacity() -> impl Strategy<Value = Capacity> {
    prop_oneof![
        2 => Just(Capacity::UNLIMITED),
        2 => (1..14_i64).prop_map(|n| Capacity::parse(&n.to_string(), true).unwrap()),
        1 => (1..9_i64, 1..20_i64)
            .prop_map(|(a, b)| Capacity::parse(&format!("pallets:{a}&weight:{b}|weight:9|size:4"), true).unwrap()),
    ]
}

fn types() -> impl Strategy<Value = Vec<String>> {
    prop_oneof![
        2 => Just(Vec::new()),
        1 => Just(vec!["Frozen".to_owned()]),
        1 => Just(vec!["ambient".to_owned(), "frozen".to_owned()]),
    ]
}

fn territories() -> impl Strategy<Value = Vec<i64>> {
    prop_oneof![Just(Vec::new()), Just(vec![1]), Just(vec![1, 2])]
}

fn a_stop(places: usize, vehicles: usize) -> impl Strategy<Value = Stop> {
    (
        0..places,
        0..400_i64,
        window(2500),
        size(),
        types(),
        territories(),
        any::<bool>(),
        0..10 * vehicles.max(1),
    )
        .prop_map(move |(place, service, window, size, types, territories, priority, fixed)| Stop {
            place,
            service,
            window,
            size,
            types,
            territories,
            priority,
            optional_penalty: None,
            fixed_vehicle: (fixed < vehicles).then_some(fixed),
        })
}

fn a_vehicle(places: usize) -> impl Strategy<Value = Vehicle> {
    let end =
        prop_oneof![Just(RouteEnd::Start), (0..places).prop_map(RouteEnd::Place), Just(RouteEnd::Anywhere)];
    let lunch = prop_oneof![
        Just(None),
        (1..500_i64, 0..2000_i64, 0..800_i64).prop_map(|(duration, earliest, slack)| Some(Break {
            duration,
            earliest,
            latest: earliest + slack
        })),
    ];
    let departure = prop_oneof![
        3 => Just(None),
        1 => (0..500_i64, 0..900_i64)
            .prop_map(|(earliest, slack)| Some(TimeWindow { earliest, latest: earliest + slack })),
    ];
    let group = prop_oneof![3 => Just(None), 1 => Just(Some("A".to_owned()))];
    let speed = prop_oneof![2 => Just(1.0), 1 => Just(0.7), 1 => Just(1.3)];
    let start = prop_oneof![4 => (0..places).prop_map(Some), 1 => Just(None)];
    (
        (start, end, 0..300_i64, 500..5000_i64),
        (lunch, departure, capacity(), types()),
        (speed, group, territories()),
    )
        .prop_map(
            |((start, end, from, long), (lunch, departure, capacity, types), (speed, group, territories))| {
                Vehicle {
                    start,
                    end,
                    shift: TimeWindow { earliest: from, latest: from + long },
                    departure,
                    lunch,
                    capacity,
                    types,
                    speed,
                    alternatives_group: group,
                    territories,
                    ..Vehicle::default()
                }
            },
        )
}

fn rules() -> impl Strategy<Value = Rules> {
    let objective = prop_oneof![
        Just(Objective::ShortestTime),
        Just(Objective::ShortestDistance),
        Just(Objective::FewestRuns),
        Just(Objective::Balanced),
        Just(Objective::LowestCost),
    ];
    let territory =
        prop_oneof![Just(TerritoryMode::Off), Just(TerritoryMode::Prefer), Just(TerritoryMode::Only)];
    let load = prop_oneof![Just(CapacityMode::Sum), Just(CapacityMode::OnBoard)];
    let ignore = prop::bool::weighted(0.1);
    (objective, territory, load, ignore, ignore, ignore).prop_map(
        |(objective, territory_mode, capacity_mode, ignore_type, ignore_time_window, ignore_capacity)| {
            Rules {
                objective,
                capacity_mode,
                territory_mode,
                ignore_type,
                ignore_time_window,
                ignore_capacity,
                compact: false,
            }
        },
    )
}

fn matrix(places: usize) -> impl Strategy<Value = Matrix> {
    let cell = prop_oneof![30 => 1..600_u32, 1 => Just(UNREACHABLE)];
    let cells = || prop::collection::vec(cell.clone(), places * places);
    (cells(), cells()).prop_map(move |(seconds, metres)| Matrix::new(places, seconds, metres).unwrap())
}

/// Random problems with every rule, small enough for trying everything; a third of them in traffic that changes.
pub fn any_problem(most_stops: usize, most_vehicles: usize) -> impl Strategy<Value = Problem> {
    prop_oneof![
        2 => any_steady_problem(most_stops, most_vehicles),
        1 => any_problem_by_the_hour(most_stops, most_vehicles),
    ]
}

/// Likewise where ways take as long at any time.
fn any_steady_problem(most_stops: usize, most_vehicles: usize) -> impl Strategy<Value = Problem> {
    (1..=most_stops, 1..=most_vehicles, 2..6_usize).prop_flat_map(|(stops, vehicles, places)| {
        let links = prop::collection::vec((0..stops, 0..stops), 0..=2);
        (
            prop::collection::vec(a_stop(places, vehicles), stops),
            prop::collection::vec((a_vehicle(places), prop::bool::weighted(0.2)), vehicles),
            (matrix(places), matrix(places)),
            links,
            rules(),
        )
            .prop_map(|(stops, vehicles, (matrix, other), links, rules)| {
                let by = |(vehicle, by_other): (Vehicle, bool)| Vehicle {
                    matrix: by_other.then_some(0),
                    ..vehicle
                };
                let vehicles: Vec<Vehicle> = vehicles.into_iter().map(by).collect();
                let current = vec![Vec::new(); vehicles.len()];
                let links = links.into_iter().map(|(pickup, delivery)| Link { pickup, delivery }).collect();
                Problem {
                    stops,
                    vehicles,
                    matrix,
                    others: vec![other],
                    traffic: Vec::new(),
                    links,
                    rules,
                    current,
                }
            })
    })
}

/// The same in traffic that changes every quarter of an hour, but for some vehicles.
pub fn any_problem_by_the_hour(most_stops: usize, most_vehicles: usize) -> impl Strategy<Value = Problem> {
    let paces = prop::collection::vec(0.3..1.5_f64, 2..9);
    let free = prop::collection::vec(prop::bool::weighted(0.2), most_vehicles);
    (any_steady_problem(most_stops, most_vehicles), paces, 0.5..1.2_f64, -900..900_i64, free).prop_map(
        |(mut problem, paces, usual, from, free)| {
            let from = from.div_euclid(900) * 900;
            let paces = (0..).zip(paces).map(|(quarter, pace)| (from + 900 * quarter, pace)).collect();
            problem.traffic = vec![Traffic { usual, paces }];
            for (vehicle, free) in problem.vehicles.iter_mut().zip(free) {
                vehicle.traffic = (!free).then_some(0);
            }
            problem
        },
    )
}

/// A random distribution of all stops over the vehicles.
pub fn any_sequences(problem: &Problem) -> impl Strategy<Value = Vec<Vec<usize>>> + use<> {
    let (stops, vehicles) = (problem.stops.len(), problem.vehicles.len());
    let order = Just((0..stops).collect::<Vec<_>>()).prop_shuffle();
    (order, prop::collection::vec(0..=vehicles, stops)).prop_map(move |(order, to)| {
        let mut sequences = vec![Vec::new(); vehicles];
        for (stop, vehicle) in order.into_iter().zip(to) {
            if let Some(sequence) = sequences.get_mut(vehicle) {
                sequence.push(stop);
            }
        }
        sequences
    })
}
