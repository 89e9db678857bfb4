//! Travel times from streets in this process, against a real OSRM server of the same streets.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use routewright_roads::{
    GreatCircle, Matrix, Osrm, OsrmOptions, OwnStreets, Point, RoadProfile, RoadVehicle, Roads, Source,
    StreetsOptions, Told, connect,
};
use routewright_testing::osm::Map;

use crate::server::OsrmServer;

fn point(lat: f64, lon: f64) -> Point {
    Point::new(lat, lon).unwrap()
}

/// Demonstration data of Porto.
fn porto() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/local/data/porto")
}

/// The places of the jobs of the demonstration.
fn jobs() -> Vec<Point> {
    let text = std::fs::read_to_string(porto().join("jobs.csv")).unwrap();
    // Addresses hold commas; coordinates are the only cells with six decimals.
    let coordinate = |cell: &str| {
        let (_, decimals) = cell.split_once('.')?;
        (decimals.len() == 6).then(|| cell.parse::<f64>().ok())?
    };
    let place = |line: &str| {
        let mut numbers = line.split(',').filter_map(coordinate);
        point(numbers.next().unwrap(), numbers.next().unwrap())
    };
    text.lines().skip(1).map(place).collect()
}

fn options(sources: &Path, folder: &Path) -> StreetsOptions {
    StreetsOptions { sources: sources.display().to_string(), folder: folder.to_owned(), hours: None }
}

async fn ready(options: StreetsOptions) -> OwnStreets {
    let streets = OwnStreets::start(options).unwrap();
    for _ in 0..600 {
        if streets.ready() {
            return streets;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the streets are not ready: {streets:?}");
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Issue 12.3: seconds within 5 % and metres within 1 % of OSRM's car, median over all pairs of the demonstration's jobs; the
/// tables and the routes tell the same.
#[tokio::test(flavor = "multi_thread")]
async fn streets_agree_with_osrm() {
    let folder = tempfile::tempdir().unwrap();
    let streets = ready(options(&porto(), folder.path())).await;
    let server = OsrmServer::porto().await;
    let osrm = Osrm::new(&server.url, OsrmOptions::default()).unwrap();
    let points = jobs();
    assert_eq!(points.len(), 320);
    let (ours, theirs) = (streets.matrix(&points).await, osrm.matrix(&points).await);
    assert_eq!((ours.source.clone(), theirs.source), (Source::Streets, Source::Osrm));
    let difference = |ours: &[u32], theirs: &[u32]| {
        let pairs = ours.iter().zip(theirs).filter(|(_, theirs)| **theirs > 0);
        median(pairs.map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs() / f64::from(*b)).collect())
    };
    let seconds = difference(&ours.durations, &theirs.durations);
    let metres = difference(&ours.distances, &theirs.distances);
    assert!(seconds < 0.05, "durations differ by {seconds:.4}");
    assert!(metres < 0.01, "distances differ by {metres:.4}");
    let route = streets.route(&points[..60]).await;
    assert_eq!((route.source, route.legs.len()), (Source::Streets, 59));
    for (leg, at) in route.legs.iter().zip(0..) {
        assert!(leg.duration.abs_diff(ours.duration(at, at + 1).unwrap()) <= 1, "leg {at}");
        assert!(leg.distance.abs_diff(ours.distance(at, at + 1).unwrap()) <= 1, "leg {at}");
    }
}

/// V-09: rows that come some at a time are those of the matrix, with places that no street leads to among them.
#[tokio::test(flavor = "multi_thread")]
async fn v_09_rows_are_those_of_the_matrix() {
    let folder = tempfile::tempdir().unwrap();
    let streets = ready(options(&porto(), folder.path())).await;
    let mut points = jobs();
    let beside: Vec<Point> = points.iter().map(|job| point(job.lat() + 0.001, job.lon())).collect();
    points.extend(beside);
    points.extend([point(41.15, -8.9), point(38.72, -9.14)]);
    let matrix = streets.matrix_of(RoadProfile::Truck.into(), &points).await;
    let rows = Arc::new(Mutex::new((0, Vec::new(), Vec::new())));
    let taken = Arc::clone(&rows);
    let take = move |seconds: &[u32], metres: &[u32]| {
        let mut rows = taken.lock().unwrap();
        rows.0 += 1;
        rows.1.extend_from_slice(seconds);
        rows.2.extend_from_slice(metres);
    };
    let told = streets.rows_of(RoadProfile::Truck.into(), &points, Arc::new(take)).await;
    let (parts, durations, distances) = rows.lock().unwrap().clone();
    assert!(parts > 1 && matches!(told.source, Source::StreetsPartly { .. }));
    let Told { source, off_road } = told;
    assert_eq!(Matrix { size: points.len(), durations, distances, source, off_road }, matrix);
}

/// Issue 12.3: the line of a route follows streets: it is as long as the route says, and OSRM finds a street under all of it.
#[tokio::test(flavor = "multi_thread")]
async fn lines_follow_streets() {
    let folder = tempfile::tempdir().unwrap();
    let streets = ready(options(&porto(), folder.path())).await;
    let server = OsrmServer::porto().await;
    let osrm = Osrm::new(&server.url, OsrmOptions::default()).unwrap();
    let route = streets.route(&jobs()[..12]).await;
    let straight = |a: Point, b: Point| f64::from(GreatCircle::way(a, b).1) / 1.3;
    let places = |line: &str| -> Vec<Point> {
        polyline::decode_polyline(line, 5).unwrap().into_iter().map(|c| point(c.y, c.x)).collect()
    };
    for leg in &route.legs {
        let line = places(&leg.geometry);
        let length: f64 = line.windows(2).map(|pair| straight(pair[0], pair[1])).sum();
        let told = f64::from(leg.distance);
        // Points of a line are rounded to a metre, the estimate between two of them too.
        assert!((length - told).abs() < 10.0 + told * 0.06, "a line of {length} m for {told} m");
        for place in line.iter().step_by(7) {
            let street = osrm.nearest(*place).await.unwrap();
            assert!(
                straight(*place, street) < 15.0,
                "{place:?} is {} m from a street",
                straight(*place, street)
            );
        }
    }
    assert_eq!(places(&route.geometry)[0], places(&route.legs[0].geometry)[0]);
}

/// Issue 12.1: the service does not wait for the streets; until they are there it says that it estimates. What was made once is
/// opened, and made again when a file has changed.
#[tokio::test(flavor = "multi_thread")]
async fn streets_are_prepared_in_the_background() {
    let (sources, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = sources.path().join("porto.osm.pbf");
    std::fs::copy(porto().join("roads.osm.pbf"), &file).unwrap();
    let points = &jobs()[..3];
    let streets = OwnStreets::start(options(sources.path(), folder.path())).unwrap();
    let first = streets.matrix(points).await;
    if let Source::GreatCircleInstead { reason } = &first.source {
        assert_eq!(reason, "the streets are being prepared");
        assert_eq!(first.source.name(), "great_circle");
    }
    drop(streets);
    let streets = ready(options(sources.path(), folder.path())).await;
    let answer = streets.matrix(points).await;
    assert_eq!((answer.source.name(), streets.name()), ("streets", "streets"));
    let bundles = || {
        let entries = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        entries.filter(|name| name != "lock").collect::<Vec<_>>()
    };
    let before = bundles();
    assert_eq!(before.len(), 1);
    let made = std::fs::metadata(folder.path().join(&before[0])).unwrap().modified().unwrap();
    let again = ready(options(&file, folder.path())).await;
    assert_eq!(again.matrix(points).await, answer);
    assert_eq!(std::fs::metadata(folder.path().join(&before[0])).unwrap().modified().unwrap(), made);
    // The same file twice is another source, and the old bundle goes.
    std::fs::copy(&file, sources.path().join("again.osm.pbf")).unwrap();
    let both = ready(options(sources.path(), folder.path())).await;
    assert_eq!(both.matrix(points).await.durations, answer.durations);
    assert_eq!(bundles().len(), 1);
    assert_ne!(bundles(), before);
}

/// Issue 12: a place in the sea or on another continent is estimated, and the answer says how many ways are.
#[tokio::test(flavor = "multi_thread")]
async fn places_without_streets_are_estimated() {
    let folder = tempfile::tempdir().unwrap();
    let streets = ready(options(&porto(), folder.path())).await;
    let mut points = jobs()[..2].to_vec();
    points.extend([point(41.1, -9.4), point(-37.8128, 144.9756)]);
    let matrix = streets.matrix(&points).await;
    assert!(matrix.off_road.is_empty(), "beyond the map, where others may know streets: {matrix:?}");
    assert_eq!(matrix.source, Source::StreetsPartly { estimated: 10 });
    assert_eq!(matrix.source.name(), "streets+great_circle");
    assert_eq!(matrix.duration(0, 2), Some(GreatCircle::way(points[0], points[2]).0));
    assert_eq!(matrix.duration(0, 1), streets.matrix(&points[..2]).await.duration(0, 1));
    let route = streets.route(&points).await;
    assert_eq!((route.source, route.legs.len()), (Source::StreetsPartly { estimated: 2 }, 3));
    assert_eq!(route.legs[2].distance, GreatCircle::way(points[2], points[3]).1);
    assert_eq!(streets.nearest(points[2]).await, None);
    let street = streets.nearest(points[0]).await.unwrap();
    assert!(f64::from(GreatCircle::way(points[0], street).1) < 100.0);
    for few in [&points[..0], &points[..1]] {
        assert!(streets.route(few).await.legs.is_empty());
        assert_eq!(streets.matrix(few).await.source, Source::Streets);
    }
    let same = streets.route(&[points[0], points[0]]).await;
    assert_eq!((same.legs[0].distance, same.legs[0].duration), (0, 0));
}

/// Issue 12.2: each kind of vehicle has its own ways; a bicycle is slower and takes lanes that cars may not.
#[tokio::test(flavor = "multi_thread")]
async fn vehicles_have_ways_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let streets = ready(options(&porto(), folder.path())).await;
    let points = &jobs()[..40];
    let car = streets.matrix(points).await;
    assert_eq!(car, streets.matrix_of(RoadProfile::Car.into(), points).await);
    let total = |matrix: &Matrix| matrix.durations.iter().map(|seconds| u64::from(*seconds)).sum::<u64>();
    let mut before = total(&car);
    for profile in [RoadProfile::Van, RoadProfile::Truck, RoadProfile::Bicycle] {
        let own = streets.matrix_of(profile.into(), points).await;
        assert_eq!((own.source.clone(), own.off_road.len()), (Source::Streets, 0), "{profile:?}");
        assert!(total(&own) >= before, "{profile:?}");
        before = total(&own);
        let route = streets.route_of(profile.into(), &points[..2]).await;
        assert!(route.legs[0].duration.abs_diff(own.duration(0, 1).unwrap()) <= 1, "{profile:?}");
    }
    assert!(before > total(&car) * 5 / 4, "bicycles are slower");
    assert!(streets.paces().is_none(), "no traffic is guessed");
    for profile in RoadProfile::ALL {
        assert_eq!(RoadProfile::of(profile.name()), Some(profile));
    }
}

/// A map of two places, a straight street of 400 m between them and another one round it, and the places.
fn two_ways(folder: &Path, straight: &[(&str, &str)], round: &[(&str, &str)]) -> (PathBuf, [Point; 2]) {
    let mut map = Map::default();
    let place = |north: i64, east: i64| (40.0 + north as f64 * 0.0018, -8.0 + east as f64 * 0.0023);
    for north in 0..3 {
        for east in 0..2 {
            let (lat, lon) = place(north, east);
            map.node(1 + north * 10 + east, lat, lon, &[]);
        }
    }
    map.way(1, &[1, 11, 21], straight);
    map.way(2, &[1, 2, 12, 22, 21], round);
    let file = folder.join("two-ways.osm.pbf");
    map.write(&file).unwrap();
    (file, [place(0, 0), place(2, 0)].map(|(lat, lon)| point(lat, lon)))
}

/// Issue 12.2: a low bridge turns away a truck of 3.8 m, one of 3.0 m passes; vehicles that take the same ways are told as one.
#[tokio::test(flavor = "multi_thread")]
async fn a_low_bridge() {
    let folder = tempfile::tempdir().unwrap();
    let street = ("highway", "residential");
    let (file, points) = two_ways(folder.path(), &[street, ("maxheight", "3.5")], &[street]);
    let streets = ready(options(&file, &folder.path().join("bundles"))).await;
    let truck = |height| RoadVehicle { height: Some(height), ..RoadProfile::Truck.into() };
    let (high, low) = (truck(380), truck(300));
    let metres = |matrix: Matrix| matrix.distance(0, 1).unwrap();
    let (round, under) =
        (metres(streets.matrix_of(high, &points).await), metres(streets.matrix_of(low, &points).await));
    assert!((395..405).contains(&under) && round > 750, "{under} {round}");
    for (vehicle, way) in [(high, round), (low, under)] {
        assert_eq!(streets.route_of(vehicle, &points).await.legs[0].distance, way);
    }
    let usual = RoadProfile::Truck.into();
    let alike = streets.alike(&[high, low, truck(340), usual, truck(410), RoadProfile::Car.into()]).await;
    assert_eq!(alike, [usual, low, low, usual, usual, RoadProfile::Car.into()]);
}

/// Issue 12.2: who leaves in a jam goes round it, and what that takes is told for free streets, so that at the pace of the hour it
/// takes as long as it does then; hours alike in traffic are told as one, and a bicycle knows no jam.
#[tokio::test(flavor = "multi_thread")]
async fn round_a_jam() {
    let folder = tempfile::tempdir().unwrap();
    let (file, points) = two_ways(folder.path(), &[("highway", "primary")], &[("highway", "residential")]);
    let hours = folder.path().join("hours.json");
    let jam = r#"{"metrics": [{"name": "jam", "speed": {"primary": 0.1}}],
        "week": [{"days": [1], "hours": [8, 10], "metric": "jam"}]}"#;
    std::fs::write(&hours, jam).unwrap();
    let bundles = folder.path().join("bundles");
    let streets = ready(StreetsOptions { hours: Some(hours), ..options(&file, &bundles) }).await;
    let at = |profile: RoadProfile, hour| RoadVehicle { hour, ..profile.into() };
    let way = async |vehicle| {
        let matrix = streets.matrix_of(vehicle, &points).await;
        let route = streets.route_of(vehicle, &points).await;
        assert_eq!(route.legs[0].distance, matrix.distance(0, 1).unwrap());
        assert!(route.legs[0].duration.abs_diff(matrix.duration(0, 1).unwrap()) <= 1);
        (matrix.duration(0, 1).unwrap(), matrix.distance(0, 1).unwrap())
    };
    let (free, straight) = way(at(RoadProfile::Car, None)).await;
    let (told, round) = way(at(RoadProfile::Car, Some(8))).await;
    assert!((395..405).contains(&straight) && round > 750, "{straight} m, {round} m");
    let pace = streets.paces().unwrap()[8];
    let takes = f64::from(told) / pace;
    assert!(takes > f64::from(free) * 2.0 && takes < f64::from(free) * 8.0, "{free} s, {takes} s in the jam");
    let cars = [Some(8), Some(9), Some(10), Some(24 + 8), None].map(|hour| at(RoadProfile::Car, hour));
    let usual = RoadProfile::Car.into();
    assert_eq!(streets.alike(&cars).await, [cars[0], cars[0], usual, usual, usual]);
    let bicycle = at(RoadProfile::Bicycle, Some(8));
    assert_eq!(way(bicycle).await, way(at(RoadProfile::Bicycle, None)).await);
    assert_eq!(streets.alike(&[bicycle]).await, [RoadProfile::Bicycle.into()]);
}

/// Speeds by the hour are those of the operator's file; one that is wrong is named.
#[tokio::test(flavor = "multi_thread")]
async fn speeds_by_the_hour_are_the_operators() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hours.json");
    let with_hours = || StreetsOptions { hours: Some(file.clone()), ..options(&porto(), folder.path()) };
    let missing = with_hours().build(&|_| ()).unwrap_err().to_string();
    assert!(missing.contains("hours.json"), "{missing}");
    let hours = |share: f64| {
        format!(
            r#"{{"metrics": [{{"name": "rush", "speed": {{"primary": {share}, "other": {share}}}}}],
                "week": [{{"days": [1], "hours": [8, 9], "metric": "rush"}}]}}"#
        )
    };
    std::fs::write(&file, hours(0.0)).unwrap();
    let wrong = with_hours().build(&|_| ()).unwrap_err().to_string();
    assert!(wrong.contains("metrics.rush.speed.other: 0 is not between"), "{wrong}");
    std::fs::write(&file, hours(0.5)).unwrap();
    let paces = ready(with_hours()).await.paces().unwrap();
    assert!(paces[8] < 0.9 && (paces[9] - 1.0).abs() < 1e-9, "{} {}", paces[8], paces[9]);
}

/// Issue 12: files that are cut off or no map, and folders without one, are told apart; the service goes on with estimates.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_files_are_named() {
    let (sources, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = std::fs::read(porto().join("roads.osm.pbf")).unwrap();
    for (content, told) in [
        (&whole[..whole.len() / 2], "is not a readable .osm.pbf"),
        (&whole[..whole.len() - 1], "is not a readable .osm.pbf"),
        (b"<osm version=\"0.6\"></osm>", "is not a readable .osm.pbf"),
        (b"PK\x03\x04 and so on, for a while, as archives do", "is not a readable .osm.pbf"),
        (b"", "no streets in there"),
    ] {
        let file = sources.path().join("map.osm.pbf");
        std::fs::write(&file, content).unwrap();
        let streets = OwnStreets::start(options(&file, folder.path())).unwrap();
        let mut reason = String::new();
        for _ in 0..100 {
            match streets.matrix(&jobs()[..2]).await.source {
                Source::GreatCircleInstead { reason: told } => reason = told,
                other => panic!("{other:?}"),
            }
            if reason != "the streets are being prepared" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(reason.contains(told) && reason.contains("map.osm.pbf"), "{reason}");
        assert!(!streets.ready());
    }
    for (named, told) in [("nowhere.osm.pbf", "No such file"), (".", "no streets in there")] {
        let empty = folder.path().join("empty");
        std::fs::create_dir_all(&empty).unwrap();
        let options = options(&empty.join(named), folder.path());
        let error = connect(None, Some(options)).unwrap_err().to_string();
        assert!(error.starts_with("ROADS: ") && error.contains(told), "{error}");
    }
}
