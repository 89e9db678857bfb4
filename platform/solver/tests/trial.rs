//! W-002, W-100: what is offered for a stop without a place really serves it, and nothing of its kind is cheaper. Both are
//! held against the evaluator alone, by trying everything.

#![expect(clippy::unwrap_used, reason = "a test stops where its input is wrong")]

mod common;

use common::{any_problem, any_sequences, cases, problem, van};
use proptest::prelude::*;
use routewright_solver::trial::{Added, Change, Diagnosis, MOST_MINUTES, NoRoom, Remedy, Trial, Use};
use routewright_solver::{
    Capacity, Plan, Problem, Sequences, TimeWindow, Vehicle, Violation, ViolationKind, retime,
};

/// The problem as a change makes it.
fn changed(problem: &Problem, stop: usize, remedy: &Remedy) -> Problem {
    let mut problem = problem.clone();
    match &remedy.change {
        Change::ExtendShift { minutes } => {
            problem.vehicles[remedy.place.vehicle].shift.latest += minutes * 60;
        }
        Change::WidenWindow { earlier, later } => {
            let window = problem.stops[stop].window.as_mut().unwrap();
            window.earliest -= earlier * 60;
            window.latest += later * 60;
        }
        Change::DropTypes => problem.stops[stop].types.clear(),
        Change::Nothing | Change::FreeCapacity { .. } => {}
    }
    problem
}

fn applied(sequences: &Sequences, remedy: &Remedy) -> Sequences {
    let moved: Vec<usize> = match &remedy.change {
        Change::FreeCapacity { stop, .. } => vec![*stop],
        _ => Vec::new(),
    };
    let gone = |stop: &usize| remedy.place.sequence.contains(stop) || moved.contains(stop);
    let mut after: Sequences =
        sequences.iter().map(|run| run.iter().copied().filter(|stop| !gone(stop)).collect()).collect();
    after[remedy.place.vehicle].clone_from(&remedy.place.sequence);
    if let Change::FreeCapacity { to, .. } = &remedy.change {
        after[to.vehicle].clone_from(&to.sequence);
    }
    after
}

fn served(sequences: &Sequences, stop: usize) -> bool {
    sequences.iter().flatten().filter(|other| **other == stop).count() == 1
}

fn without(sequences: &Sequences, unit: &[usize]) -> Sequences {
    sequences.iter().map(|run| run.iter().copied().filter(|stop| !unit.contains(stop)).collect()).collect()
}

/// Violations of a plan that `before` does not have, or has less of; all of the unit's own count.
fn new_violations(before: &Plan, after: &Plan, unit: &[usize]) -> Vec<Violation> {
    let held = |violation: &Violation| {
        !before.violations().any(|known| {
            (known.kind, known.vehicle, known.stop, &known.key)
                == (violation.kind, violation.vehicle, violation.stop, &violation.key)
                && known.value >= violation.value
        })
    };
    let own = |violation: &Violation| violation.stop.is_some_and(|stop| unit.contains(&stop));
    after.violations().filter(|violation| own(violation) || held(violation)).cloned().collect()
}

fn cost(plan: &Plan) -> Added {
    Added {
        duration: plan.totals.duration,
        metres: plan.totals.distance,
        work: plan.totals.driving + plan.totals.service,
        driving: plan.totals.driving,
    }
}

fn minus(after: Added, before: Added) -> Added {
    Added {
        duration: after.duration - before.duration,
        metres: after.metres - before.metres,
        work: after.work - before.work,
        driving: after.driving - before.driving,
    }
}

fn diagnose(problem: &Problem, sequences: &Sequences, stop: usize) -> Diagnosis {
    Trial::new(problem, sequences, Vec::new(), Vec::new()).unwrap().diagnose(stop)
}

/// A day's plan that breaks no rule: stops join the drawn runs as long as that is so.
fn sound(problem: &Problem, drawn: &Sequences) -> Sequences {
    let mut sequences: Sequences = vec![Vec::new(); problem.vehicles.len()];
    for (vehicle, stops) in drawn.iter().enumerate() {
        for stop in stops {
            let elsewhere = problem.stops[*stop].fixed_vehicle.is_some_and(|fixed| fixed != vehicle);
            sequences[vehicle].push(*stop);
            if elsewhere || retime(problem, &sequences).unwrap().violations().next().is_some() {
                sequences[vehicle].pop();
            }
        }
    }
    sequences
}

/// All plans with the stop at some place of some run, linked stops left aside.
fn placements(problem: &Problem, sequences: &Sequences, stop: usize) -> Vec<(usize, Sequences)> {
    let mut all = Vec::new();
    for vehicle in 0..problem.vehicles.len() {
        if problem.stops[stop].fixed_vehicle.is_some_and(|fixed| fixed != vehicle) {
            continue;
        }
        for at in 0..=sequences[vehicle].len() {
            let mut next = sequences.clone();
            next[vehicle].insert(at, stop);
            all.push((vehicle, next));
        }
    }
    all
}

/// The cheapest of a kind by trying everything: minutes bent, then what is added.
fn brute_force(problem: &Problem, sequences: &Sequences, stop: usize, kind: &Change) -> Option<(i64, Added)> {
    let before = retime(problem, sequences).unwrap();
    let fine = |problem: &Problem, next: &Sequences| -> Option<Added> {
        let after = retime(problem, next).unwrap();
        new_violations(&before, &after, &[stop]).is_empty().then(|| minus(cost(&after), cost(&before)))
    };
    let all = placements(problem, sequences, stop);
    let strictly: Vec<&(usize, Sequences)> =
        all.iter().filter(|(_, next)| fine(problem, next).is_none()).collect();
    let bent = |change: &dyn Fn(usize, i64) -> Problem| {
        (1..=MOST_MINUTES).find_map(|minutes| {
            let costs = strictly.iter().filter_map(|(vehicle, next)| fine(&change(*vehicle, minutes), next));
            costs.min().map(|added| (minutes, added))
        })
    };
    match kind {
        Change::Nothing => {
            all.iter().filter_map(|(_, next)| fine(problem, next)).min().map(|added| (0, added))
        }
        Change::ExtendShift { .. } => bent(&|vehicle, minutes| {
            let mut problem = problem.clone();
            problem.vehicles[vehicle].shift.latest += minutes * 60;
            problem
        }),
        Change::WidenWindow { .. } => {
            problem.stops[stop].window?;
            let widened = |earlier: i64, later: i64| {
                let mut problem = problem.clone();
                if let Some(window) = problem.stops[stop].window.as_mut() {
                    window.earliest -= earlier * 60;
                    window.latest += later * 60;
                }
                problem
            };
            let either = [bent(&|_, minutes| widened(0, minutes)), bent(&|_, minutes| widened(minutes, 0))];
            either.into_iter().flatten().min()
        }
        Change::DropTypes => {
            let mut untyped = problem.clone();
            untyped.stops[stop].types.clear();
            strictly.iter().filter_map(|(_, next)| fine(&untyped, next)).min().map(|added| (0, added))
        }
        Change::FreeCapacity { .. } => freed(problem, sequences, stop, &fine).map(|added| (0, added)),
    }
}

fn freed(
    problem: &Problem,
    sequences: &Sequences,
    stop: usize,
    fine: &dyn Fn(&Problem, &Sequences) -> Option<Added>,
) -> Option<Added> {
    let mut best = None;
    for vehicle in 0..problem.vehicles.len() {
        let mut full = sequences.clone();
        full[vehicle].push(stop);
        let over =
            |violation: &Violation| violation.kind == ViolationKind::Capacity && violation.vehicle == vehicle;
        if !retime(problem, &full).unwrap().violations().any(over) {
            continue;
        }
        for away in &sequences[vehicle] {
            let rest = without(sequences, &[*away]);
            for (_, with_stop) in
                placements(problem, &rest, stop).into_iter().filter(|(to, _)| *to == vehicle)
            {
                let back = placements(problem, &with_stop, *away);
                for (_, next) in back.into_iter().filter(|(to, _)| *to != vehicle) {
                    best = [best, fine(problem, &next)].into_iter().flatten().min();
                }
            }
        }
    }
    best
}

proptest! {
    #![proptest_config(cases(100))]

    /// Whatever state the plan is in: applying a remedy serves the stop and what is linked to it, and breaks nothing that held.
    #[test]
    fn a_remedy_serves_the_stop_and_breaks_nothing(
        (problem, sequences) in any_problem(7, 3)
            .prop_flat_map(|problem| (Just(problem.clone()), any_sequences(&problem)))
    ) {
        for stop in 0..problem.stops.len() {
            let found = diagnose(&problem, &sequences, stop);
            let unit: Vec<usize> = found.linked.iter().copied().chain([stop]).collect();
            let bare = retime(&problem, &without(&sequences, &unit)).unwrap();
            let before = retime(&problem, &sequences).unwrap();
            for remedy in &found.remedies {
                let after = applied(&sequences, remedy);
                for member in &unit {
                    prop_assert!(served(&after, *member), "{remedy:?}");
                }
                let plan = retime(&changed(&problem, stop, remedy), &after).unwrap();
                let broken = new_violations(&bare, &plan, &unit);
                // Excluding runs may be broken already by the runs that are driven.
                let broken: Vec<_> =
                    broken.iter().filter(|found| found.kind != ViolationKind::AlternativesGroup).collect();
                prop_assert!(broken.is_empty(), "{remedy:?} breaks {broken:?}");
                prop_assert_eq!(remedy.added, minus(cost(&plan), cost(&before)), "{:?}", remedy);
            }
        }
    }

    /// On a plan that breaks no rule nothing of the same kind is cheaper, and what exists is found.
    #[test]
    fn nothing_of_the_same_kind_is_cheaper(
        (problem, drawn) in any_problem(6, 3).prop_flat_map(|mut problem| {
            problem.links.clear();
            (Just(problem.clone()), any_sequences(&problem))
        })
    ) {
        let sequences = sound(&problem, &drawn);
        let empty = Change::ExtendShift { minutes: 0 };
        let window = Change::WidenWindow { earlier: 0, later: 0 };
        for stop in (0..problem.stops.len()).filter(|stop| !served(&sequences, *stop)) {
            let found = diagnose(&problem, &sequences, stop);
            for kind in [Change::Nothing, empty.clone(), window.clone(), Change::DropTypes] {
                let same = |remedy: &&Remedy| {
                    std::mem::discriminant(&remedy.change) == std::mem::discriminant(&kind)
                };
                let offered = found.remedies.iter().find(same).map(|remedy| (bent(&remedy.change), remedy.added));
                prop_assert_eq!(offered, brute_force(&problem, &sequences, stop, &kind), "{:?} of {}", kind, stop);
            }
            let freed = found.remedies.iter().find_map(|remedy| match &remedy.change {
                Change::FreeCapacity { .. } => Some((0, remedy.added)),
                _ => None,
            });
            let place = found.remedies.first().map_or_else(|| Remedy {
                change: Change::Nothing, place: routewright_solver::trial::Placement {
                    vehicle: 0, sequence: Vec::new(), arrival: 0, end: 0 }, added: Added::default(), by_run: Vec::new(),
            }, Clone::clone).place;
            let kind = Change::FreeCapacity { stop: 0, to: place };
            prop_assert_eq!(freed, brute_force(&problem, &sequences, stop, &kind), "freeing for {}", stop);
        }
    }
}

fn bent(change: &Change) -> i64 {
    match change {
        Change::ExtendShift { minutes } => *minutes,
        Change::WidenWindow { earlier, later } => earlier + later,
        _ => 0,
    }
}

fn capacity(text: &str) -> Capacity {
    Capacity::parse(text, true).unwrap()
}

/// W-100: one full run and one that is too far: the figures of each, and what would help.
#[test]
fn a_full_run_and_a_late_one() {
    let mut day =
        problem(&[0, 600, 1200, 6000], vec![Vehicle { capacity: capacity("boxes:70"), ..van() }, van()]);
    for (stop, size) in day.stops.iter_mut().zip(["boxes:40", "boxes:36", "boxes:1"]) {
        stop.size = size.parse().unwrap();
    }
    day.vehicles[1].shift.latest = 2300;
    let found = diagnose(&day, &vec![vec![0], vec![]], 1);
    let kinds: Vec<_> = found
        .blocked
        .iter()
        .map(|run| (run.vehicle, run.broken[0].kind, run.broken[0].value, run.broken[0].limit))
        .collect();
    assert_eq!(
        kinds,
        [(1, ViolationKind::OutsideShift, 2400, 2300), (0, ViolationKind::Capacity, 76_000, 70_000)]
    );
    let changes: Vec<_> = found.remedies.iter().map(|remedy| remedy.change.clone()).collect();
    assert!(matches!(changes[0], Change::FreeCapacity { stop: 0, .. }), "{changes:?}");
    assert_eq!(changes[1], Change::ExtendShift { minutes: 2 });
    assert_eq!(found.remedies[1].place.arrival, 1200);
}

/// A driver without a run is offered apart from the runs; a run that is kept is not tried.
#[test]
fn spare_drivers_and_kept_runs() {
    let mut day = problem(&[0, 600, 1200], vec![van(), van(), van()]);
    day.stops[1].window = Some(TimeWindow { earliest: 0, latest: 1100 });
    let uses = vec![Use::Kept, Use::Open, Use::Spare];
    let mut trial = Trial::new(&day, &vec![vec![0], vec![], vec![]], uses, Vec::new()).unwrap();
    let found = trial.diagnose(1);
    assert_eq!(found.blocked.iter().map(|run| run.vehicle).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(found.remedies.len(), 1);
    assert_eq!(found.remedies[0].change, Change::WidenWindow { earlier: 0, later: 2 });
    assert_eq!(found.remedies[0].place.vehicle, 1);
}

proptest! {
    #![proptest_config(cases(200))]

    /// Issue 13.4: on a plan that breaks no rule there is room exactly where the evaluator alone finds it, within another
    /// window and the driving that is wanted; and what is taken is the cheapest.
    #[test]
    fn room_is_where_the_evaluator_finds_it(
        (problem, drawn) in any_problem(7, 3).prop_flat_map(|mut problem| {
            problem.links.clear();
            (Just(problem.clone()), any_sequences(&problem))
        }),
        window in proptest::option::of((0_i64..8000, 0_i64..4000)),
        most in prop_oneof![Just(1_i64 << 40), 0_i64..3000],
    ) {
        let sequences = sound(&problem, &drawn);
        let window = window.map(|(earliest, long)| TimeWindow { earliest, latest: earliest + long });
        let before = retime(&problem, &sequences).unwrap();
        for stop in 0..problem.stops.len() {
            let mut other = problem.clone();
            other.stops[stop].window = window;
            let rest = without(&sequences, &[stop]);
            let bare = retime(&other, &rest).unwrap();
            let leaves = new_violations(&before, &bare, &[]).is_empty();
            let costs = placements(&other, &rest, stop).into_iter().filter_map(|(_, next)| {
                let after = retime(&other, &next).unwrap();
                let added = minus(cost(&after), cost(&before));
                (new_violations(&bare, &after, &[stop]).is_empty() && added.driving <= most).then_some(added)
            });
            let wanted = costs.min().filter(|_| leaves);
            let mut trial = Trial::new(&problem, &sequences, Vec::new(), Vec::new()).unwrap();
            let found = trial.room(stop, window, most);
            prop_assert_eq!(found.as_ref().ok().map(|room| room.added), wanted, "{}: {:?}", stop, found);
        }
    }

    /// W-002: many stops on several threads are told what each is told alone, but for the runs that are further away; and until
    /// it is over.
    #[test]
    fn many_are_told_what_one_is(
        (problem, drawn) in any_problem(9, 4).prop_flat_map(|p| (Just(p.clone()), any_sequences(&p))),
        keep_sound in any::<bool>(),
    ) {
        let sequences = if keep_sound { sound(&problem, &drawn) } else { drawn };
        let stops: Vec<usize> = (0..problem.stops.len()).collect();
        let trial = Trial::new(&problem, &sequences, Vec::new(), Vec::new()).unwrap();
        let many = trial.diagnose_many(&stops, 3, &|| false);
        prop_assert_eq!(many.len(), stops.len());
        for (stop, brief) in stops.iter().zip(many) {
            let alone = diagnose(&problem, &sequences, *stop);
            prop_assert_eq!(&brief.remedies, &alone.remedies, "stop {}", stop);
            prop_assert_eq!(brief.blocked.first(), alone.blocked.first(), "stop {}", stop);
            prop_assert_eq!((brief.linked, brief.untried), (alone.linked, alone.untried));
        }
        prop_assert!(trial.diagnose_many(&stops, 3, &|| true).is_empty());
    }
}

/// Issue 13.4: of what keeps a stop off all runs the nearest to taking it is told.
#[test]
fn what_keeps_a_stop_off_is_told() {
    let mut day = problem(&[0, 600, 1200], vec![Vehicle { capacity: capacity("boxes:70"), ..van() }]);
    day.stops[0].size = "boxes:40".parse().unwrap();
    let room = |day: &Problem, window: Option<(i64, i64)>, most: i64| {
        let window = window.map(|(earliest, latest)| TimeWindow { earliest, latest });
        let mut trial = Trial::new(day, &vec![vec![0]], Vec::new(), Vec::new()).unwrap();
        trial.room(1, window, most).map(|room| room.place.vehicle)
    };
    assert_eq!(room(&day, None, 100_000), Ok(0));
    assert_eq!(room(&day, None, 1), Err(NoRoom::TooFar));
    assert_eq!(room(&day, Some((0, 1)), 100_000), Err(NoRoom::NoTime));
    day.stops[1].size = "boxes:31".parse().unwrap();
    assert_eq!(room(&day, None, 100_000), Err(NoRoom::Full));
    day.stops[1].types = vec!["frozen".to_owned()].into_iter().collect();
    assert_eq!(room(&day, None, 100_000), Err(NoRoom::Impossible));
}
