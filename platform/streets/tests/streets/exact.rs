//! The hierarchy finds what a search without one finds.

use std::path::Path;

use routewright_streets::{Position, Profiles, Streets, Table, build};

/// Places all over Porto, the same in every run.
fn places(count: u32) -> Vec<Position> {
    let place = |n: u32| {
        let (turn, out) = (f64::from(n) * 2.4, (f64::from(n) / f64::from(count)).sqrt() * 0.02);
        Position { lat: 41.1555 + turn.sin() * out, lon: -8.6190 + turn.cos() * out * 1.3 }
    };
    (0..count).map(place).collect()
}

/// Issue 12.1: tables and routes of every profile and hour tell the same, no detour over a third place is shorter, and lines are as
/// long as the ways.
#[test]
fn tables_and_routes_agree() {
    let folder = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/local/data/porto/roads.osm.pbf");
    let hours = include_str!("../../src/profile/example-hours.json");
    let profiles = Profiles::built_in().unwrap().with_hours(hours).unwrap();
    let bundle = build(&[file], folder.path(), &profiles, &|_| ()).unwrap();
    let streets = Streets::open(&bundle).unwrap();
    let places = places(120);
    for profile in ["car", "van", "truck", "hazmat_truck", "bicycle"] {
        for hour in [None, Some(8), Some(17)] {
            let drive = streets.drive(profile, hour).unwrap();
            let table = streets.table(&places, &drive);
            assert!(
                table.durations.iter().all(|seconds| *seconds != Table::NONE),
                "{profile}: all are connected"
            );
            for (at, leg) in streets.route(&places, &drive).into_iter().enumerate() {
                let leg = leg.unwrap();
                let way = table.way(at, at + 1).unwrap();
                assert!(
                    leg.way.duration.abs_diff(way.duration) <= 1,
                    "{profile} {hour:?} {at}: {leg:?} {way:?}"
                );
                let metres: f64 = leg.line.windows(2).map(|pair| metres(pair[0], pair[1])).sum();
                let told = f64::from(leg.way.distance);
                assert!(
                    (metres - told).abs() < 2.0 + told * 0.001,
                    "{profile} {at}: {metres} m for {told} m"
                );
            }
        }
    }
    assert_eq!(streets.profiles().count(), 5);
}

fn metres(from: Position, to: Position) -> f64 {
    let degree = 6_371_008.8_f64.to_radians();
    let east = (to.lon - from.lon) * degree * from.lat.to_radians().cos();
    east.hypot((to.lat - from.lat) * degree)
}
