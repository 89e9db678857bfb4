//! One rule each: who may drive where, and which turns may be taken.

use crate::town::{Town, at, corner, corners, plain};
use routewright_testing::osm::Map;

const STREET: (&str, &str) = ("highway", "residential");

/// A ladder of two streets to the north with rungs at every corner: ways 1 (west), 2 (east), rungs 10, 11 and so on.
pub(crate) fn ladder(rungs: i64, west: &[(&str, &str)], map: &mut Map) {
    let line = |east| (0..rungs).map(|north| corner(north, east)).collect::<Vec<_>>();
    map.way(1, &line(0), west);
    map.way(2, &line(1), &[STREET]);
    for rung in 0..rungs {
        map.way(10 + rung, &[corner(rung, 0), corner(rung, 1)], &[STREET]);
    }
}

pub(crate) fn with(west: &[(&str, &str)]) -> Town {
    let mut map = corners(4, &plain);
    ladder(4, west, &mut map);
    Town::of(&map)
}

/// Issue 12.2: one-way streets, also against their points, and cyclists who are let through.
#[test]
fn one_way() {
    let (south, north) = (at(0.5, 0.0), at(2.5, 0.0));
    let town = with(&[STREET]);
    assert_eq!([town.steps("car", south, north), town.steps("car", north, south)], [Some(2); 2]);
    let town = with(&[STREET, ("oneway", "yes")]);
    assert_eq!([town.steps("car", south, north), town.steps("car", north, south)], [Some(2), Some(6)]);
    assert_eq!(town.steps("bicycle", north, south), Some(6));
    let town = with(&[STREET, ("oneway", "-1"), ("oneway:bicycle", "no")]);
    assert_eq!([town.steps("car", south, north), town.steps("car", north, south)], [Some(6), Some(2)]);
    assert_eq!(town.steps("bicycle", south, north), Some(2));
}

/// Issue 12.2: a street for residents or deliveries is driven to reach a place in it, not to pass through; one that is closed is
/// not driven at all, and a place in it is reached from the next street.
#[test]
fn access() {
    for value in ["private", "destination", "delivery", "customers"] {
        let town = with(&[STREET, ("access", value)]);
        assert_eq!(town.steps("car", at(0.0, 0.2), at(3.0, 0.2)), Some(5), "{value}: round it");
        assert_eq!(town.steps("car", at(0.0, 0.5), at(1.5, 0.0)), Some(2), "{value}: into it");
        assert_eq!(town.steps("car", at(1.5, 0.0), at(0.0, 0.5)), Some(2), "{value}: out of it");
    }
    let town = with(&[STREET, ("motor_vehicle", "no")]);
    assert_eq!(town.steps("car", at(0.0, 0.5), at(3.0, 0.5)), Some(4));
    assert_eq!(town.steps("bicycle", at(0.0, 0.4), at(3.0, 0.4)), Some(4));
    let drive = town.streets.drive("car", None).unwrap();
    let snap = town.streets.snap(at(1.4, 0.0), &drive).unwrap();
    assert!((35.0..45.0).contains(&snap.metres), "{} m", snap.metres);
}

/// Issue 12.2: limits of height, weight, length and dangerous goods turn those away whom they hold for.
#[test]
fn limits_of_size() {
    for limit in [("maxheight", "3.5"), ("maxweight", "7.5"), ("maxlength", "9"), ("hgv", "no")] {
        let town = with(&[STREET, limit]);
        let steps = |profile| town.steps(profile, at(0.0, 0.5), at(3.0, 0.45));
        assert_eq!([steps("car"), steps("van"), steps("truck")], [Some(4), Some(4), Some(4)], "{limit:?}");
        let west = |profile| town.steps(profile, at(0.0, 0.1), at(3.0, 0.1));
        assert_eq!([west("car"), west("van"), west("truck")], [Some(3), Some(3), Some(5)], "{limit:?}");
    }
    let town = with(&[STREET, ("hazmat", "no")]);
    let west = |profile| town.steps(profile, at(0.0, 0.1), at(3.0, 0.1));
    assert_eq!([west("truck"), west("hazmat_truck")], [Some(3), Some(5)]);
}

/// Issue 12.2: bollards stop cars, not bicycles; a gate costs time; a signal some seconds.
#[test]
fn barriers() {
    let town = |tags: Vec<(&'static str, &'static str)>| {
        let tags = move |north, east| if (north, east) == (1, 0) { tags.clone() } else { Vec::new() };
        let mut map = corners(3, &tags);
        ladder(3, &[STREET], &mut map);
        Town::of(&map)
    };
    let way = |town: &Town, profile| town.way(profile, at(0.5, 0.0), at(1.5, 0.0)).unwrap();
    let open = way(&town(vec![]), "car");
    let bollard = town(vec![("barrier", "bollard")]);
    assert_eq!(bollard.steps("car", at(0.5, 0.0), at(1.5, 0.0)), Some(5), "round the block");
    assert_eq!(bollard.steps("bicycle", at(0.5, 0.0), at(1.5, 0.0)), Some(1));
    let tags = |north, east| if (north, east) == (1, 0) { vec![("barrier", "gate")] } else { Vec::new() };
    let mut map = corners(3, &tags);
    map.way(1, &[corner(0, 0), corner(1, 0), corner(2, 0)], &[STREET]);
    let gate = way(&Town::of(&map), "car");
    assert_eq!((gate.distance, gate.duration), (open.distance, open.duration + 60));
    let signal = way(&town(vec![("highway", "traffic_signals")]), "car");
    assert_eq!((signal.distance, signal.duration), (open.distance, open.duration + 2));
}

/// Issue 12.2: turns that are forbidden at a node are not taken, those that are ordered are, exceptions hold.
#[test]
fn turn_restrictions() {
    let town = |kind: &str, extra: &[(&str, &str)]| {
        let mut map = corners(4, &plain);
        ladder(4, &[STREET], &mut map);
        let tags = [&[("type", "restriction"), ("restriction", kind)], extra].concat();
        // From the lowest rung, coming from the west, into the eastern street.
        map.relation(1, &[(10, true, "from"), (corner(0, 1), false, "via"), (2, true, "to")], &tags);
        map.way(3, &[corner(0, 1), corner(0, 2), corner(1, 2), corner(1, 1)], &[STREET]);
        Town::of(&map)
    };
    let (from, to) = (at(0.0, 0.5), at(0.9, 1.0));
    let steps = |town: &Town, profile| town.steps(profile, from, to);
    assert_eq!(steps(&town("no_left_turn", &[("except", "motorcar;bicycle")]), "car"), Some(1));
    assert_eq!(steps(&town("no_left_turn", &[]), "car"), Some(3));
    assert_eq!(steps(&town("no_left_turn", &[("except", "bicycle")]), "bicycle"), Some(1));
    assert_eq!(steps(&town("only_left_turn", &[]), "car"), Some(1));
    assert_eq!(town("only_left_turn", &[]).steps("car", from, at(0.0, 1.9)), Some(4), "not straight on");
    let hgv = {
        let mut map = corners(4, &plain);
        ladder(4, &[STREET], &mut map);
        map.relation(
            1,
            &[(10, true, "from"), (corner(0, 1), false, "via"), (2, true, "to")],
            &[("type", "restriction"), ("restriction:hgv", "no_left_turn")],
        );
        Town::of(&map)
    };
    assert_eq!([steps(&hgv, "car"), steps(&hgv, "truck")], [Some(1), Some(3)]);
}

/// Issue 12.2: a turn that is forbidden along a street in between is forbidden to those who came from the first street only.
#[test]
fn turn_restrictions_along_a_way() {
    let town = |kind: &str| {
        let mut map = corners(5, &plain);
        // A street to the north, cut in two ways by a short one in between; streets to the east from both its ends.
        map.way(1, &[corner(0, 1), corner(1, 1)], &[STREET]);
        map.way(2, &[corner(1, 1), corner(2, 1)], &[STREET]);
        map.way(3, &[corner(2, 1), corner(2, 2)], &[STREET]);
        map.way(4, &[corner(2, 1), corner(3, 1), corner(3, 2), corner(2, 2)], &[STREET]);
        map.way(5, &[corner(1, 0), corner(1, 1)], &[STREET]);
        map.relation(
            1,
            &[(1, true, "from"), (2, true, "via"), (3, true, "to")],
            &[("type", "restriction"), ("restriction", kind)],
        );
        Town::of(&map)
    };
    let (south, west, goal) = (at(0.5, 1.0), at(1.0, 0.5), at(2.0, 1.5));
    let no = town("no_right_turn");
    assert_eq!([no.steps("car", south, goal), no.steps("car", west, goal)], [Some(5), Some(2)]);
    // Places on the street in between are reached and left as before.
    assert_eq!(no.steps("car", south, at(1.9, 1.0)), Some(1));
    assert_eq!(no.steps("car", at(1.5, 1.0), goal), Some(1));
    let only = town("only_right_turn");
    assert_eq!([only.steps("car", south, goal), only.steps("car", west, goal)], [Some(2), Some(2)]);
    assert_eq!(
        [only.steps("car", south, at(3.0, 1.0)), only.steps("car", west, at(3.0, 1.0))],
        [Some(5), Some(3)]
    );
}

/// Issue 12.2: likewise along several streets, in whatever order they are named, and where more than one restriction begins.
#[test]
fn turn_restrictions_along_several_ways() {
    let town = |via: &[i64]| {
        let mut map = corners(6, &plain);
        map.way(1, &[corner(0, 1), corner(1, 1)], &[STREET]);
        map.way(2, &[corner(1, 1), corner(2, 1)], &[STREET]);
        map.way(3, &[corner(2, 1), corner(3, 1)], &[STREET]);
        map.way(4, &[corner(3, 1), corner(3, 2)], &[STREET]);
        map.way(5, &[corner(3, 1), corner(4, 1), corner(4, 2), corner(3, 2)], &[STREET]);
        map.way(6, &[corner(1, 0), corner(1, 1)], &[STREET]);
        map.way(7, &[corner(2, 0), corner(2, 1)], &[STREET]);
        let members: Vec<(i64, bool, &str)> = via.iter().map(|way| (*way, true, "via")).collect();
        for (relation, from) in [(1, 1), (2, 6)] {
            let members = [&[(from, true, "from"), (4, true, "to")], &members[..]].concat();
            map.relation(relation, &members, &[("type", "restriction"), ("restriction", "no_right_turn")]);
        }
        Town::of(&map)
    };
    let goal = at(3.0, 1.5);
    for via in [[2, 3], [3, 2]] {
        let town = town(&via);
        let steps = |from| town.steps("car", from, goal);
        assert_eq!([steps(at(0.5, 1.0)), steps(at(1.0, 0.5))], [Some(6), Some(6)], "{via:?}");
        assert_eq!(steps(at(2.0, 0.5)), Some(2), "who came in between may, {via:?}");
        assert_eq!(steps(at(1.5, 1.0)), Some(2), "and so may who starts there, {via:?}");
        assert_eq!(town.steps("car", at(0.5, 1.0), at(4.0, 1.0)), Some(4), "straight on, {via:?}");
    }
}

/// Issue 12.2: one turns round at the end of a dead end, not in the middle of a street; a roundabout is driven one way round.
#[test]
fn u_turns_and_roundabouts() {
    let mut map = corners(5, &plain);
    map.way(1, &[corner(0, 0), corner(1, 0), corner(2, 0), corner(3, 0)], &[STREET, ("oneway", "yes")]);
    map.way(2, &[corner(3, 0), corner(3, 1), corner(0, 1), corner(0, 0)], &[STREET]);
    map.way(3, &[corner(1, 0), corner(1, 1)], &[STREET]);
    map.way(4, &[corner(3, 1), corner(4, 1)], &[STREET]);
    let town = Town::of(&map);
    assert_eq!(town.steps("car", at(1.5, 0.0), at(1.2, 0.0)), Some(8), "back is round the block");
    assert_eq!(town.steps("car", at(3.9, 1.0), at(3.5, 1.0)), Some(0));
    let circle = [corner(1, 1), corner(1, 2), corner(2, 2), corner(2, 1), corner(1, 1)];
    let mut map = corners(4, &plain);
    map.way(1, &circle, &[("highway", "secondary"), ("junction", "roundabout")]);
    map.way(2, &[corner(0, 1), corner(1, 1)], &[STREET]);
    map.way(3, &[corner(2, 1), corner(3, 1)], &[STREET]);
    let town = Town::of(&map);
    assert_eq!(town.steps("car", at(0.0, 1.0), at(3.0, 1.0)), Some(5));
    assert_eq!(town.steps("car", at(3.0, 1.0), at(0.0, 1.0)), Some(3));
}

/// Issue 12.2: a ferry is part of the way and takes as long as it says.
#[test]
fn ferries() {
    let mut map = corners(3, &plain);
    map.way(1, &[corner(0, 0), corner(0, 1)], &[STREET]);
    map.way(2, &[corner(0, 1), corner(2, 1)], &[("route", "ferry"), ("duration", "00:20")]);
    map.way(3, &[corner(2, 1), corner(2, 2)], &[STREET]);
    let way = Town::of(&map).way("car", at(0.0, 0.0), at(2.0, 2.0)).unwrap();
    assert!((1_200..1_250).contains(&way.duration), "{way:?}");
    assert!((390..410).contains(&way.distance), "{way:?}");
}

/// Issue 12.2: speeds by hour of the week change what is fastest; bicycles do not care.
#[test]
fn hours_of_the_week() {
    let mut map = corners(4, &plain);
    ladder(4, &[("highway", "primary")], &mut map);
    let town = Town::of(&map);
    let drive = |hour| town.streets.drive("car", hour).unwrap();
    let seconds =
        |hour| town.streets.table(&[at(0.0, 0.0), at(3.0, 0.0)], &drive(hour)).way(0, 1).unwrap().duration;
    let [free, morning, midday, evening, night] = [None, Some(8), Some(12), Some(17), Some(2)].map(seconds);
    assert!(
        night < free && free < midday && midday < morning && morning < evening,
        "{night} {free} {midday} {morning} {evening}"
    );
    let paces = town.streets.paces("car").unwrap();
    assert!(paces[8] < paces[12] && paces[12] < paces[6] && (paces[6] - 1.0).abs() < 1e-9 && paces[2] > 1.0);
    assert_eq!(town.streets.drive("bicycle", Some(8)), town.streets.drive("bicycle", None));
    assert_eq!(town.streets.drive("sledge", None), None);
}
