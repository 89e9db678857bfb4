//! Tags that hold at some hours, or for some vehicles only.

use std::sync::Mutex;

use crate::rules::{ladder, with};
use crate::town::{Town, at, corner, corners, plain};

const STREET: (&str, &str) = ("highway", "residential");
/// Hours of Monday.
const NIGHT: usize = 2;
const MORNING: usize = 8;
const MIDDAY: usize = 12;

/// Issue 12.2: a street that is closed at some hours is reached at them and not passed through; at others it is like any.
#[test]
fn conditional_access() {
    let (south, north, inside) = (at(0.0, 0.2), at(3.0, 0.2), at(1.5, 0.0));
    let town = with(&[STREET, ("access:conditional", "no @ (Mo-Fr 07:00-09:00; PH off)")]);
    let steps = |hour, to| town.at_hour("car", hour, south, to).0;
    assert_eq!([steps(MORNING, north), steps(MIDDAY, north), steps(NIGHT, north)], [5, 3, 3]);
    assert_eq!([steps(MORNING, inside), steps(MIDDAY, inside)], [2; 2], "it is reached at every hour");
    // Where no hour is named, and streets are the same at all, one that is closed at any is not passed through.
    let mut map = corners(4, &plain);
    ladder(4, &[STREET, ("access:conditional", "no @ (Mo-Fr 07:00-09:00)")], &mut map);
    assert_eq!(Town::with(&map, "{}", &|_| ()).steps("car", south, north), Some(5));
    // What is open to some at some hours stays closed: a plan does not know the hour.
    let night = with(&[STREET, ("access", "no"), ("access:conditional", "yes @ (22:00-06:00)")]);
    let drive = night.streets.drive("car", Some(NIGHT)).unwrap();
    let metres = night.streets.snap(at(1.4, 0.0), &drive).unwrap().metres;
    assert!((35.0..45.0).contains(&metres), "{metres} m to the next street");
}

/// Issue 12.2: conditions about the vehicle hold for those that are such, and those about purpose open a street to its places.
#[test]
fn conditions_of_vehicles() {
    let (south, north) = (at(0.0, 0.1), at(3.0, 0.1));
    let town = with(&[STREET, ("hgv:conditional", "no @ (weight>7.5)")]);
    assert_eq!(["car", "van", "truck"].map(|who| town.steps(who, south, north)), [Some(3), Some(3), Some(5)]);
    let town = with(&[STREET, ("hgv:conditional", "no @ (weight > 20 t AND length>8)")]);
    assert_eq!(town.steps("truck", south, north), Some(3), "it weighs 18 t");
    let town = with(&[STREET, ("motor_vehicle", "no"), ("motor_vehicle:conditional", "yes @ delivery")]);
    assert_eq!(town.steps("van", at(0.0, 0.5), at(1.5, 0.0)), Some(2));
    assert_eq!(town.steps("van", at(0.0, 0.2), at(3.0, 0.2)), Some(5));
}

/// Issue 12.2: what is not understood is taken to hold, and somebody is told; the weather is never planned with.
#[test]
fn conditions_that_are_not_understood() {
    let town = |condition: &str| {
        let mut map = corners(4, &plain);
        ladder(4, &[STREET, ("access:conditional", condition)], &mut map);
        let told = Mutex::new(Vec::new());
        let town = Town::with(&map, "{}", &|step: &str| told.lock().unwrap().push(step.to_owned()));
        let told = told.into_inner().unwrap();
        let told = told.iter().any(|step| step.starts_with("1 sorts of conditions are not understood"));
        (town.steps("car", at(0.0, 0.2), at(3.0, 0.2)), told)
    };
    assert_eq!(town("no @ (whenever [it] pleases)"), (Some(5), true));
    assert_eq!(town("no @ (((("), (Some(5), true));
    assert_eq!(town("no @ snow"), (Some(3), false));
    assert_eq!(town("no"), (Some(3), false), "without a condition it says nothing");
}

/// Issue 12.2: limits count at the hours of which they hold during most.
#[test]
fn conditional_limits() {
    let limited = |condition: &str| {
        let limits = [("highway", "secondary"), ("maxspeed", "100"), ("maxspeed:conditional", condition)];
        let town = with(&limits);
        let seconds = |hour| f64::from(town.at_hour("car", hour, at(0.0, 0.0), at(3.0, 0.0)).1);
        [NIGHT, MORNING, MIDDAY].map(seconds)
    };
    let free = limited("50 @ (2019 Jan-Feb)");
    let night = limited("50 @ (22:00-06:00)");
    assert!(night[0] > 1.8 * free[0] && night[1..] == free[1..], "{night:?} {free:?}");
    assert_eq!(limited("50 @ (Mo-Fr 10:30-11:00)"), free, "not most of the hours");
    let unknown = limited("50 @ (sometimes [only])");
    assert!(unknown.iter().zip(free).all(|(slow, free)| *slow > 1.8 * free), "{unknown:?} {free:?}");
}

/// Issue 12.2: a turn that is forbidden at some hours is taken at none, as the same ways serve a whole day.
#[test]
fn conditional_turn_restrictions() {
    let steps = |key: &str, text: &str| {
        let mut map = corners(4, &plain);
        ladder(4, &[STREET], &mut map);
        let tags = [("type", "restriction"), (key, text)];
        map.relation(1, &[(10, true, "from"), (corner(0, 1), false, "via"), (2, true, "to")], &tags);
        map.way(3, &[corner(0, 1), corner(0, 2), corner(1, 2), corner(1, 1)], &[STREET]);
        let town = Town::of(&map);
        ["car", "truck"].map(|who| town.steps(who, at(0.0, 0.5), at(0.9, 1.0)).unwrap())
    };
    assert_eq!(steps("restriction:conditional", "no_left_turn @ (Mo-Fr 07:00-09:00)"), [3, 3]);
    assert_eq!(steps("restriction:conditional", "no_left_turn @ (weight>7.5)"), [1, 3]);
    assert_eq!(steps("restriction:hgv:conditional", "no_left_turn @ (22:00-05:00)"), [1, 3]);
    assert_eq!(steps("restriction:conditional", "no_left_turn @ (2019 Jan-Feb)"), [1, 1]);
}
