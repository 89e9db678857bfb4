//! What is no map, no place, or not connected.

use std::path::Path;

use routewright_streets::{Error, Position, Profiles, Streets, Table, build};

use crate::town::{Town, at, corner, corners, plain};

const STREET: (&str, &str) = ("highway", "residential");

/// Issue 12: five thousand places of which ten are not reachable: the ten are told, the others have their ways.
#[test]
fn ten_of_five_thousand_are_not_reachable() {
    let mut map = corners(12, &plain);
    for line in 0..10 {
        map.way(1 + line, &(0..10).map(|east| corner(line, east)).collect::<Vec<_>>(), &[STREET]);
        map.way(101 + line, &(0..10).map(|north| corner(north, line)).collect::<Vec<_>>(), &[STREET]);
    }
    let town = Town::of(&map);
    let drive = town.streets.drive("car", None).unwrap();
    let mut places: Vec<Position> =
        (0..4_990).map(|n| at(f64::from(n % 90) / 10.0, f64::from(n / 90) / 10.0)).collect();
    places.extend((0..10).map(|n| Position { lat: 10.0, lon: f64::from(n) }));
    let table = town.streets.table(&places, &drive);
    let off: Vec<usize> = (0..places.len()).filter(|at| table.snaps[*at].is_none()).collect();
    assert_eq!(off, (4_990..5_000).collect::<Vec<_>>());
    assert!(table.way(0, 4_989).is_some() && table.way(4_989, 17).is_some());
    assert!(table.way(0, 4_990).is_none() && table.way(4_999, 0).is_none());
    assert_eq!(
        table.durations.iter().filter(|value| **value == Table::NONE).count(),
        2 * 4_990 * 10 + 10 * 9
    );
}

/// Issue 12: an island with a street of its own is reached from itself, not from the mainland; a place in the sea between is too far
/// from both.
#[test]
fn islands() {
    let mut map = corners(2, &plain);
    map.way(1, &[corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0), corner(0, 0)], &[STREET]);
    let island = |n: i64| (41.0, -8.0 + n as f64 * 0.001);
    for n in 0..3 {
        map.node(1_000 + n, island(n).0, island(n).1, &[]);
    }
    map.way(2, &[1_000, 1_001, 1_002], &[STREET]);
    let town = Town::of(&map);
    let [here, there] = [0, 2].map(|n| Position { lat: island(n).0, lon: island(n).1 });
    assert_eq!(town.steps("car", here, there), Some(2));
    assert_eq!(town.way("car", at(0.0, 0.0), there), None);
    assert_eq!(town.way("car", there, at(0.0, 0.0)), None);
    let drive = town.streets.drive("car", None).unwrap();
    assert_eq!(town.streets.snap(Position { lat: 40.5, lon: -8.0 }, &drive), None);
    for lat in [-90.0, 90.0] {
        assert_eq!(town.streets.snap(Position { lat, lon: 180.0 }, &drive), None);
    }
}

/// Issue 12.2: a street that cannot be left is passed over for one that leads somewhere, unless it is much nearer.
#[test]
fn the_largest_network_is_taken() {
    let mut map = corners(20, &plain);
    map.way(1, &[corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0), corner(0, 0)], &[STREET]);
    map.way(4, &[corner(0, 1), corner(0, 2), corner(1, 2), corner(1, 1)], &[STREET]);
    map.way(2, &[corner(3, 0), corner(3, 1)], &[STREET]);
    map.way(3, &[corner(18, 0), corner(18, 1)], &[STREET]);
    let town = Town::of(&map);
    let drive = town.streets.drive("car", None).unwrap();
    let metres = |place| town.streets.snap(place, &drive).unwrap().metres;
    assert!((195.0..205.0).contains(&metres(at(3.0, 0.5))));
    assert!(metres(at(18.0, 0.5)) < 1.0);
}

/// Issue 12: files that are no map, maps without streets, bundles that are damaged.
#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let profiles = Profiles::built_in().unwrap();
    let file = folder.path().join("map.osm.pbf");
    let bundles = folder.path().join("bundles");
    let make = || build(std::slice::from_ref(&file), &bundles, &profiles, &|_| ());
    assert!(matches!(make().unwrap_err(), Error::File { .. }));
    std::fs::write(&file, "no map").unwrap();
    assert!(matches!(make().unwrap_err(), Error::Unreadable { .. }));
    let mut map = corners(2, &plain);
    map.way(1, &[corner(0, 0), corner(0, 1)], &[("waterway", "river")]);
    map.write(&file).unwrap();
    let error = make().unwrap_err();
    assert!(error.to_string().ends_with("map.osm.pbf: no streets in there"), "{error}");
    map.way(2, &[corner(0, 0), corner(0, 1)], &[STREET]);
    // A node that is not in the file, and a way of one node.
    map.way(3, &[corner(0, 1), corner(1, 1), 777, corner(1, 0)], &[STREET]);
    map.way(4, &[corner(1, 0)], &[STREET]);
    map.write(&file).unwrap();
    let bundle = make().unwrap();
    assert!(Streets::open(&bundle).is_ok());
    for name in ["motor.graph", "motor.hierarchy", "car-free_flow.costs", "manifest.json"] {
        let damaged = bundle.join(name);
        let whole = std::fs::read(&damaged).unwrap();
        std::fs::write(&damaged, &whole[..whole.len() / 2]).unwrap();
        let error = Streets::open(&bundle).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
        std::fs::write(&damaged, whole).unwrap();
    }
    assert!(Streets::open(&bundle).is_ok());
}

/// Issue 12: a file that was cut off anywhere is told by its name and leaves no bundle, and so is one of another sort; the whole one is
/// made afterwards.
#[test]
fn truncated_and_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    let profiles = Profiles::built_in().unwrap();
    let porto = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/local/data/porto/roads.osm.pbf");
    let whole = std::fs::read(porto).unwrap();
    let file = folder.path().join("map.osm.pbf");
    let bundles = folder.path().join("bundles");
    let make = |content: &[u8]| {
        std::fs::write(&file, content).unwrap();
        build(std::slice::from_ref(&file), &bundles, &profiles, &|_| ())
    };
    for share in 0..20 {
        let error = make(&whole[..whole.len() * share / 20]).unwrap_err();
        assert!(matches!(error, Error::Unreadable { .. } | Error::NoStreets { .. }), "{share}: {error}");
        assert!(error.to_string().contains("map.osm.pbf"), "{share}: {error}");
    }
    let mut scattered = whole.clone();
    scattered.iter_mut().skip(5_000).step_by(997).for_each(|byte| *byte ^= 0x5a);
    let foreign: [&[u8]; 6] =
        [b"\x1f\x8b\x08\0\0\0\0\0", b"PK\x03\x04", b"<?xml?><osm/>", &[0; 4_096], &[0xff; 4_096], &scattered];
    for content in foreign {
        let error = make(content).unwrap_err().to_string();
        assert!(error.contains("map.osm.pbf"), "{error}");
    }
    let made = std::fs::read_dir(&bundles).unwrap().flatten();
    assert_eq!(made.filter(|entry| entry.path().join("manifest.json").exists()).count(), 0);
    assert!(Streets::open(&make(&whole).unwrap()).is_ok());
}

/// Issue 12: a profile that is too slow to drive at all is refused, and one for whom no way is open has no ways, and nobody panics.
#[test]
fn profiles_that_drive_nowhere() {
    let free = Profiles::built_in().unwrap();
    let stands = r#"{"metrics": [{"name": "jam", "speed": {"other": 0}}], "week": []}"#;
    let error = free.with_hours(stands).unwrap_err().to_string();
    assert!(error.contains("metrics.jam.speed.other: 0 is not between"), "{error}");
    let mut map = corners(3, &plain);
    map.way(1, &[corner(0, 0), corner(0, 1), corner(1, 1)], &[STREET, ("hgv", "no")]);
    let town = Town::of(&map);
    let drive = town.streets.drive("truck", None).unwrap();
    let table = town.streets.table(&[at(0.0, 0.2), at(0.8, 1.0)], &drive);
    assert_eq!((table.way(0, 1), table.snaps), (None, vec![None, None]));
    assert_eq!(town.streets.route(&[at(0.0, 0.2), at(0.8, 1.0)], &drive), [None]);
    assert_eq!(town.steps("car", at(0.0, 0.2), at(0.8, 1.0)), Some(2));
    let nothing = town.streets.table(&[], &drive);
    assert_eq!((nothing.size, nothing.durations.len()), (0, 0));
}

/// Issue 12.1: what was already written when a build was interrupted is not written again.
#[test]
fn an_interrupted_build_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let profiles = Profiles::built_in().unwrap();
    let file = folder.path().join("map.osm.pbf");
    let bundles = folder.path().join("bundles");
    let mut map = corners(3, &plain);
    map.way(1, &[corner(0, 0), corner(0, 1), corner(1, 1)], &[STREET]);
    map.write(&file).unwrap();
    let steps = std::sync::Mutex::new(Vec::new());
    let note = |step: &str| steps.lock().unwrap().push(step.to_owned());
    let interrupted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        build(std::slice::from_ref(&file), &bundles, &profiles, &|step: &str| {
            assert!(!step.contains("truck"), "the machine is switched off");
        })
    }));
    assert!(interrupted.is_err());
    let bundle = build(std::slice::from_ref(&file), &bundles, &profiles, &note).unwrap();
    let steps = steps.into_inner().unwrap();
    assert!(
        !steps.is_empty() && steps.iter().all(|step| step.contains("truck") || step.contains("cycle")),
        "{steps:?}"
    );
    let streets = Streets::open(&bundle).unwrap();
    let drive = streets.drive("truck", None).unwrap();
    assert!(streets.table(&[at(0.0, 0.2), at(0.8, 1.0)], &drive).way(0, 1).is_some());
}
