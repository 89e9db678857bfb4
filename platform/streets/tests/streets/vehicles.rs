//! What an installation says about its vehicles, and the side of the street.

use routewright_streets::{Position, Profiles, Vehicle};

use crate::rules::{ladder, with};
use crate::town::{Town, at, corner, corners, plain};

const STREET: (&str, &str) = ("highway", "residential");

fn town(west: &[(&str, &str)], vehicles: &str) -> Town {
    let mut map = corners(4, &plain);
    ladder(4, west, &mut map);
    Town::with(&map, vehicles, &|_| ())
}

/// Issue 12.2: tolls are paid where that is quicker, and gone round by those who say so, unless there is no other way.
#[test]
fn tolls() {
    let (south, north) = (at(0.0, 0.1), at(3.0, 0.1));
    let avoided = r#"{"profiles": {"van": {"tolls": 0.1}}}"#;
    let toll = town(&[STREET, ("toll", "yes")], avoided);
    assert_eq!(["car", "van"].map(|who| toll.steps(who, south, north)), [Some(3), Some(5)]);
    assert_eq!(
        toll.steps("van", south, at(1.5, 0.0)),
        Some(3),
        "a place on it is reached over the least of it"
    );
    let trucks = town(&[STREET, ("toll:hgv", "yes")], r#"{"profiles": {"truck": {"tolls": 0.1}}}"#);
    assert_eq!(["van", "truck"].map(|who| trucks.steps(who, south, north)), [Some(3), Some(5)]);
}

/// Issue 12.2: vehicles are as high, wide, long and heavy as their operator says.
#[test]
fn own_sizes() {
    let (south, north) = (at(0.0, 0.1), at(3.0, 0.1));
    for (limit, size) in [
        (("maxheight", "3.5"), r#""height": 3.4"#),
        (("maxweight", "7.5"), r#""weight": 7.5"#),
        (("maxlength", "9"), r#""length": 8.9"#),
        (("maxwidth", "2.4"), r#""width": 2.3"#),
    ] {
        let small = format!(r#"{{"profiles": {{"truck": {{{size}}}}}}}"#);
        let steps = |vehicles| town(&[STREET, limit], vehicles).steps("truck", south, north);
        assert_eq!([steps("{}"), steps(&small)], [Some(5), Some(3)], "{limit:?}");
    }
}

/// Issue 12: what is wrong in it is named.
#[test]
fn wrong_vehicles() {
    let free = Profiles::built_in().unwrap();
    for (text, told) in [
        (r#"{"profiles": {"sledge": {}}}"#, "there is no profile `sledge`"),
        (r#"{"profiles": {"van": {"tolls": 0}}}"#, "van: `tolls` is 0"),
        (r#"{"profiles": {"van": {"height": -1}}}"#, "van: a size"),
        (r#"{"profiles": {"van": {"wings": 2}}}"#, "unknown field `wings`"),
    ] {
        let error = free.with_hours(text).expect_err(told).to_string();
        assert!(error.contains(told), "{error}");
    }
}

/// Issue 12.2: vans come to a place on the side of the street that they drive on where they cannot cross it; cars stop anywhere, and
/// so does everybody in a street that can be crossed. Whoever drives off goes on in that direction.
#[test]
fn side_of_the_street() {
    // A tenth of a step is 10 m: the first place lies west of the street, on the left of whoever drives north.
    let (south, west, east) = (at(0.2, 0.0), at(1.5, -0.1), at(1.5, 0.1));
    for divided in [("divider", "median"), ("lanes", "4")] {
        let town = with(&[STREET, divided]);
        let steps = |who, to| town.steps(who, south, to);
        assert_eq!([steps("car", west), steps("car", east)], [Some(1); 2], "{divided:?}");
        assert_eq!(steps("van", east), Some(1), "{divided:?}");
        assert!(steps("van", west) >= Some(5), "{divided:?}: round the block, {:?}", steps("van", west));
        assert_eq!(town.steps("van", west, south), Some(1), "{divided:?}");
        assert!(town.steps("van", east, south) >= Some(3), "{divided:?}");
    }
    let town = with(&[STREET]);
    assert_eq!([town.steps("van", south, west), town.steps("van", south, east)], [Some(1); 2]);
}

/// Length in steps of a hundred metres of the way of a vehicle with sizes of its own; table and route must tell the same.
fn steps_of(town: &Town, profile: &str, vehicle: &Vehicle, from: Position, to: Position) -> Option<u32> {
    let drive = town.streets.drive_as(profile, vehicle, None).unwrap();
    let way = town.streets.table(&[from, to], &drive).way(0, 1);
    let leg = town.streets.route(&[from, to], &drive).remove(0);
    assert_eq!(way, leg.map(|leg| leg.way), "{profile}: {vehicle:?}");
    way.map(|way| (way.distance + 50) / 100)
}

/// Issue 12.2: a truck of 3.8 m goes round a bridge that one of 3.0 m passes under, whatever trucks are otherwise; likewise by width,
/// length, weight, dangerous goods and tolls.
#[test]
fn vehicles_with_sizes_of_their_own() {
    let (south, north) = (at(0.0, 0.1), at(3.0, 0.1));
    let none = Vehicle::default();
    for (tag, passes, does_not) in [
        (("maxheight", "3.5"), Vehicle { height: Some(3.0), ..none }, Vehicle { height: Some(3.8), ..none }),
        (("maxwidth", "2.4"), Vehicle { width: Some(2.2), ..none }, Vehicle { width: Some(2.5), ..none }),
        (("maxlength", "7"), Vehicle { length: Some(6.9), ..none }, Vehicle { length: Some(7.1), ..none }),
        (
            ("maxweight", "7.5"),
            Vehicle { weight: Some(7.5), ..none },
            Vehicle { weight: Some(11.99), ..none },
        ),
        (("hazmat", "no"), Vehicle { hazmat: Some(false), ..none }, Vehicle { hazmat: Some(true), ..none }),
        (
            ("toll", "yes"),
            Vehicle { avoids_tolls: Some(false), ..none },
            Vehicle { avoids_tolls: Some(true), ..none },
        ),
        (
            ("access:conditional", "no @ (weight>5)"),
            Vehicle { weight: Some(4.0), ..none },
            Vehicle { weight: Some(6.0), ..none },
        ),
    ] {
        let town = with(&[STREET, tag]);
        for profile in ["van", "truck", "hazmat_truck"] {
            let steps = |vehicle| steps_of(&town, profile, vehicle, south, north);
            assert_eq!([steps(&passes), steps(&does_not)], [Some(3), Some(5)], "{profile} {tag:?}");
        }
    }
}

/// Issue 12.2: barriers of a height, and places beside a street that the vehicle may not take: it comes to the next one that it may.
/// Where it has no way on it turns round.
#[test]
fn barriers_and_places_by_size() {
    let none = Vehicle::default();
    let [low, high] = [Some(2.5), Some(3.2)].map(|height| Vehicle { height, ..none });
    let tags = |north, east| match (north, east) {
        (1, 0) => vec![("barrier", "height_restrictor"), ("maxheight", "3")],
        _ => Vec::new(),
    };
    let mut map = corners(3, &tags);
    ladder(3, &[STREET], &mut map);
    let town = Town::of(&map);
    for profile in ["van", "truck"] {
        let steps = |vehicle| steps_of(&town, profile, vehicle, at(0.5, 0.0), at(1.5, 0.0));
        assert_eq!([steps(&low), steps(&high)], [Some(1), Some(5)], "{profile}");
    }
    let closed = with(&[STREET, ("maxheight", "3")]);
    let snap = |vehicle| {
        let drive = closed.streets.drive_as("van", vehicle, None).unwrap();
        closed.streets.snap(at(1.4, 0.0), &drive).unwrap().metres
    };
    assert!(snap(&low) < 1.0 && (35.0..45.0).contains(&snap(&high)), "{} {}", snap(&low), snap(&high));

    // A street whose far half is low; nobody else need turn in its middle.
    let mut map = corners(4, &plain);
    map.way(1, &[corner(0, 0), corner(1, 0), corner(2, 0)], &[STREET]);
    map.way(2, &[corner(2, 0), corner(3, 0)], &[STREET, ("maxheight", "3")]);
    map.way(3, &[corner(0, 0), corner(0, 1), corner(3, 1), corner(3, 0)], &[STREET, ("oneway", "yes")]);
    let town = Town::of(&map);
    assert!(steps_of(&town, "van", &high, at(0.2, 0.0), at(1.9, 0.0)).is_some());
    assert_eq!(steps_of(&town, "van", &high, at(1.9, 0.0), at(0.2, 0.0)), Some(2));
}

/// Issue 12.2: what makes no difference on these streets drives as its profile does, and vehicles that drive alike share what is known.
#[test]
fn sizes_that_make_no_difference() {
    let town = with(&[STREET, ("maxheight", "3.5")]);
    let drive = |height, weight| {
        let vehicle = Vehicle { height, weight, ..Vehicle::default() };
        town.streets.drive_as("truck", &vehicle, None).unwrap()
    };
    let usual = town.streets.drive("truck", None).unwrap();
    assert_eq!(drive(None, None), usual);
    assert_eq!(drive(Some(4.0), Some(18.0)), usual, "as the profile says");
    assert_eq!(drive(Some(3.6), Some(40.0)), usual, "no bridge of that height, no limit of weight");
    assert_ne!(drive(Some(3.0), None), usual);
    assert_eq!(drive(Some(3.0), None), drive(Some(3.49), Some(7.0)));
    // More sorts than are kept: who comes again is worked out again.
    for height in 0..40_u32 {
        drive(Some(2.0 + f64::from(height) / 30.0), Some(f64::from(height)));
    }
    assert_eq!(
        steps_of(
            &town,
            "truck",
            &Vehicle { height: Some(3.0), ..Vehicle::default() },
            at(0.0, 0.1),
            at(3.0, 0.1)
        ),
        Some(3)
    );
    assert_eq!(town.streets.drive_as("sledge", &Vehicle::default(), None), None);
}
