//! What the local search believes of its plans is what the evaluator says, also of pickups and deliveries.

use proptest::prelude::*;
use rand::SeedableRng;

use super::*;
use crate::engine::native::state::State;
use crate::evaluate;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::plan::Ended;
use crate::problem::{Break, CapacityMode, Link, Objective, Problem, Rules, Stop, TimeWindow, Vehicle};
use crate::size::Capacity;
use crate::traffic::Traffic;

/// A stop given as (x, y, earliest, length of the window, size).
type Draw = (i64, i64, i64, i64, i64);

/// The first stops in pairs, each a pickup with its delivery; the others alone.
fn day(stops: &[Draw], pairs: usize, rules: Rules, lunch: Option<Break>) -> Problem {
    let places: Vec<(i64, i64)> =
        std::iter::once((50, 50)).chain(stops.iter().map(|stop| (stop.0, stop.1))).collect();
    let cells: Vec<u32> = places
        .iter()
        .flat_map(|a| {
            places.iter().map(|b| u32::try_from(10 * ((a.0 - b.0).abs() + (a.1 - b.1).abs())).unwrap_or(0))
        })
        .collect();
    let stops: Vec<Stop> = stops
        .iter()
        .enumerate()
        .map(|(index, &(.., earliest, length, size))| Stop {
            place: index + 1,
            service: 60,
            window: Some(TimeWindow { earliest, latest: earliest + length }),
            size: size.to_string().parse().unwrap_or_default(),
            ..Stop::default()
        })
        .collect();
    let vehicle = Vehicle {
        start: Some(0),
        shift: TimeWindow { earliest: 0, latest: 40_000 },
        capacity: Capacity::parse("9", true).unwrap_or(Capacity::UNLIMITED),
        lunch,
        ..Vehicle::default()
    };
    Problem {
        links: (0..pairs.min(stops.len() / 2))
            .map(|pair| Link { pickup: 2 * pair, delivery: 2 * pair + 1 })
            .collect(),
        stops,
        vehicles: vec![vehicle; 12],
        matrix: Matrix::new(places.len(), cells.clone(), cells).unwrap_or_default(),
        rules,
        current: vec![Vec::new(); 12],
        ..Problem::default()
    }
}

fn check<T: Timed>(data: &Data, start: &Sequences, seed: u64) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut polish = Polish::<T>::new(data, start);
    if polish.stops.len() < 2 {
        return;
    }
    let links = &data.model.problem.links;
    let mut other = Found::default();
    for round in 0..40 {
        polish.begin();
        if round == 10 {
            other.sequences = polish.sequences();
        }
        if round > 10 && round % 7 == 0 {
            polish.cross(&other, &mut rng);
        } else {
            polish.perturb(&mut rng);
        }
        polish.freely = round % 2 == 1;
        let before = polish.worth.cost(polish.penalties);
        polish.improve(&mut rng);
        // Only where no break may lie elsewhere than a move expected.
        let pays = polish.worth.cost(polish.penalties) <= before;
        assert!(pays || T::HOURLY || data.kinds.iter().any(|kind| kind.lunch.is_some()), "every move pays");
        if round % 5 == 4 {
            polish.undo();
        }
        let sequences = polish.sequences();
        let mut worth = Worth::default();
        for (vehicle, stops) in sequences.iter().enumerate().filter(|(_, stops)| !stops.is_empty()) {
            let fresh = Route::<T>::new(data, vehicle, stops);
            worth.points += fresh.points;
            worth.warp += fresh.time.warp;
            worth.excess += fresh.excess;
        }
        assert_eq!(worth, polish.worth);
        assert_eq!(sequences.iter().flatten().count(), start.iter().flatten().count());
        let at = |stop: usize| {
            sequences.iter().enumerate().find_map(|(run, stops)| {
                stops.iter().position(|other| *other == stop).map(|position| (run, position))
            })
        };
        for link in links.iter().filter(|link| start.iter().flatten().any(|stop| *stop == link.pickup)) {
            let (pickup, delivery) = (at(link.pickup), at(link.delivery));
            assert!(pickup.zip(delivery).is_some_and(|(a, b)| a.0 == b.0 && a.1 < b.1));
        }
        if worth.feasible() {
            let plan = evaluate::plan(data.model, &sequences, Ended::Retimed);
            assert_eq!(plan.violations().next(), None);
            let points = State::new(data, &sequences).tours.iter().map(|tour| tour.points).sum::<i64>();
            assert_eq!(worth.points, points);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// P-342, P-343: pickups stay before their deliveries in one run, and a plan held for feasible keeps every rule
    /// and costs what it is believed to.
    #[test]
    fn believes_what_the_evaluator_says(
        stops in prop::collection::vec((0..100_i64, 0..100_i64, 0..20_000_i64, 500..20_000_i64, 1..6_i64), 8..30),
        pairs in 0..14_usize,
        (on_board, few, rested) in (any::<bool>(), any::<bool>(), any::<bool>()),
        paces in prop_oneof![Just(Vec::new()), prop::collection::vec(0.4..1.3_f64, 3..9)],
        (timed, window) in (any::<bool>(), any::<bool>()),
        seed in any::<u64>(),
    ) {
        let rules = Rules {
            capacity_mode: if on_board { CapacityMode::OnBoard } else { CapacityMode::Sum },
            objective: match (few, timed) {
                (true, _) => Objective::FewestRuns,
                (_, true) => Objective::ShortestTime,
                _ => Objective::ShortestDistance,
            },
            ..Rules::default()
        };
        let lunch = rested.then_some(Break { duration: 1800, earliest: 11_000, latest: 15_000 });
        let mut problem = day(&stops, pairs, rules, lunch);
        let hourly = !paces.is_empty();
        if hourly {
            let paces = (0..).zip(paces).map(|(hour, pace)| (3600 * hour, pace)).collect();
            problem.traffic = vec![Traffic { usual: 0.8, paces }];
            for vehicle in &mut problem.vehicles {
                vehicle.traffic = Some(0);
                vehicle.departure = window.then_some(vehicle.shift);
            }
        }
        let model = Model::new(&problem).expect("a day without contradictions");
        let start = crate::repair::repaired(&model, problem.current.clone(), &|| false);
        let data = Data::new(&model);
        match (rested, hourly) {
            (false, false) => check::<Segment>(&data, &start, seed),
            (true, false) => check::<Rested>(&data, &start, seed),
            (false, true) => check::<Hourly<Segment>>(&data, &start, seed),
            (true, true) => check::<Hourly<Rested>>(&data, &start, seed),
        }
    }
}

/// A stop that only one vehicle of a group may serve comes back although another of the group is nearer to all others.
#[test]
fn no_stop_is_lost_where_one_vehicle_of_a_group_shuts_out_another() {
    let stops: Vec<Draw> = (0..6).map(|stop| (10 * stop, 10, 0, 30_000, 1)).collect();
    let mut problem = day(&stops, 0, Rules::default(), None);
    problem.stops[0].types = vec!["cold".to_owned()];
    problem.vehicles.truncate(2);
    problem.current.truncate(2);
    problem.vehicles[1].start = Some(6);
    for (vehicle, types) in problem.vehicles.iter_mut().zip(["cold", "dry"]) {
        vehicle.types = vec![types.to_owned()];
        vehicle.alternatives_group = Some("van".to_owned());
    }
    let model = Model::new(&problem).expect("a day without contradictions");
    let start = crate::repair::repaired(&model, vec![(0..6).collect(), Vec::new()], &|| false);
    assert_eq!(start[0].len(), 6);
    let data = Data::new(&model);
    let mut polish = Polish::<Segment>::new(&data, &start);
    let mut rng = SmallRng::seed_from_u64(1);
    for _ in 0..50 {
        polish.shuffle(&mut rng);
        let sequences = polish.sequences();
        assert_eq!((sequences[0].len(), sequences[1].len()), (6, 0));
        polish.begin();
        polish.perturb(&mut rng);
        assert_eq!(polish.sequences()[0].len(), 6);
    }
}
