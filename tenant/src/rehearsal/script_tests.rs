use super::*;

fn day() -> DateTime<Utc> {
    "2026-07-01T06:45:00Z".parse().expect("a moment")
}

fn traits(seed: i64) -> Traits {
    Traits::of(seed, "Ana", day())
}

fn town(seed: i64) -> Town {
    Town::of(seed, day())
}

fn stop(number: i64) -> Stop {
    let (from, to) = ((41.15, -8.61), (41.15, -8.59));
    Stop {
        job_id: number,
        uid: format!("R-{number}"),
        customer: Some("Picota".to_owned()),
        lat: to.0,
        lon: to.1,
        way: Way::straight(from, to),
        drive: 300.0,
        pause: 0.0,
        service: 600.0,
        opens: None,
        closes: None,
        planned: Some(day() + TimeDelta::minutes(120)),
        reasons: vec![7, 9],
    }
}

fn here() -> Here {
    Here { lat: 41.15, lon: -8.61, at: day() + TimeDelta::hours(1), odometer: 100.0 }
}

fn leg(seed: i64, stop: &Stop) -> (Vec<Act>, Here) {
    Driver { seed, name: "Ana", traits: &traits(seed), town: &town(seed) }.leg(here(), stop)
}

fn proof(acts: &[Act]) -> &Act {
    acts.iter().find(|act| matches!(act.deed, Deed::Stop { .. })).expect("a proof")
}

/// Issue 13.5: with a seed. The same seed makes the same day, another one another day.
#[test]
fn the_same_seed_makes_the_same_day() {
    assert_eq!(leg(7, &stop(1)), leg(7, &stop(1)));
    assert_ne!(leg(7, &stop(1)), leg(8, &stop(1)));
    assert_eq!((traits(7), town(7)), (traits(7), town(7)));
}

/// What happens one after the other is sent in that order, and every position comes while the vehicle is under way.
#[test]
fn a_leg_is_in_order() {
    for seed in 0..300 {
        let (acts, there) = leg(seed, &stop(1));
        assert!(acts.is_sorted_by_key(|act| act.sent), "{seed}");
        assert!(acts.iter().all(|act| act.sent >= act.happened && act.happened >= here().at), "{seed}");
        let done = proof(&acts).happened;
        assert_eq!(there.at, done);
        let Deed::Stop { reached, success, reason_id, signed_by, photo, .. } = &proof(&acts).deed else {
            panic!("a proof")
        };
        assert!(*reached < done && *reached > here().at, "{seed}");
        assert_eq!((reason_id.is_some(), signed_by.is_some()), (!success, *success), "{seed}");
        assert!(*photo || *success, "{seed}: what failed has a photo");
        for act in &acts {
            if let Deed::Positions { positions } = &act.deed {
                assert!(positions.len() <= 4 && positions.iter().all(|at| at.at <= act.sent), "{seed}");
                assert!(positions.iter().all(|at| (41.0..41.3).contains(&at.lat) && at.at < done), "{seed}");
            }
        }
        assert!(there.odometer > 101.0 && there.odometer < 112.0, "{seed}: {}", there.odometer);
    }
}

/// Nobody is served before the window opens.
#[test]
fn a_window_is_waited_for() {
    let opens = here().at + TimeDelta::hours(2);
    let (acts, _) = leg(3, &Stop { opens: Some(opens), ..stop(1) });
    let Deed::Stop { reached, .. } = proof(&acts).deed else { panic!("a proof") };
    assert_eq!(reached, opens);
}

/// Issue 13.5: proofs, delays, failures, silent phones, no-shows: each of them happens, and none too often.
#[test]
fn everything_happens_now_and_then() {
    let seeds = 2_000;
    let count = |what: &dyn Fn(i64) -> bool| (0..seeds).filter(|seed| what(*seed)).count();
    let share = |what: &dyn Fn(i64) -> bool| count(what) as f64 / seeds as f64;
    let near = |found: f64, wanted: f64| (found - wanted).abs() < wanted * 0.35 + 0.004;
    let absent = share(&|seed| !traits(seed).comes);
    assert!(near(absent, NO_SHOW), "{absent}");
    let silent = share(&|seed| traits(seed).silence.is_some());
    assert!(near(silent, SILENT), "{silent}");
    let failed =
        share(&|seed| matches!(proof(&leg(seed, &stop(1)).0).deed, Deed::Stop { success: false, .. }));
    assert!(near(failed, FAILS), "{failed}");
    // 5 minutes of driving become more than 18 where the vehicle stands for long.
    let long = share(&|seed| {
        let Deed::Stop { reached, .. } = proof(&leg(seed, &stop(1)).0).deed else { return false };
        reached - here().at > TimeDelta::minutes(20)
    });
    assert!(near(long, LONG_STOP), "{long}");
    let slow = share(&|seed| town(seed).at(day() + TimeDelta::hours(4)) > 1.0);
    assert!((0.05..0.35).contains(&slow), "{slow}");
}

/// On the whole a day takes as long as drivers' paces say: what varies at each stop evens out.
#[test]
fn what_varies_evens_out() {
    let taken: f64 = (0..2_000)
        .map(|seed| {
            let pace = traits(seed).pace;
            let (_, there) = leg(seed, &stop(1));
            (there.at - here().at).as_seconds_f64() / pace
        })
        .sum::<f64>()
        / 2_000.0;
    // 15 minutes, a little more for what no plan knows.
    assert!((880.0..990.0).contains(&taken), "{taken}");
}

/// A silent phone brings everything at once, later, and does not say that it was there.
#[test]
fn a_silent_phone_sends_later() {
    let quiet = Traits { silence: Some((here().at, here().at + TimeDelta::hours(1))), ..traits(1) };
    let driver = Driver { seed: 1, name: "Ana", traits: &quiet, town: &town(1) };
    let (acts, _) = driver.leg(here(), &stop(1));
    assert!(acts.iter().all(|act| act.sent == here().at + TimeDelta::hours(1)));
    assert!(!acts.iter().any(|act| act.deed == Deed::Contact));
    assert!(proof(&acts).happened < here().at + TimeDelta::minutes(50));
}

/// The route begins with the sheet and ends at home.
#[test]
fn a_route_begins_and_ends() {
    let driver = Driver { seed: 1, name: "Ana", traits: &traits(1), town: &town(1) };
    let planned = day() + TimeDelta::minutes(30);
    let (acts, left) = driver.departure(planned, (41.15, -8.61));
    assert_eq!(acts[0].deed, Deed::Contact);
    assert!(matches!(acts[1].deed, Deed::Start { .. }) && acts[1].happened == left.at);
    assert!((left.at - planned).num_minutes() >= -4 && (left.at - planned).num_minutes() <= 40);
    let (acts, ended) = driver.home(here(), &Way::straight((41.15, -8.61), (41.13, -8.61)), 240.0);
    let Some(Act { deed: Deed::End { odometer, .. }, .. }) = acts.last() else { panic!("an end") };
    assert!(*odometer > 102.0 && ended.at > here().at + TimeDelta::minutes(4));
}
