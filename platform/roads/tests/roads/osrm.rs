//! Travel times from an OSRM server.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use routewright_core::transaction;
use routewright_roads::{GreatCircle, Leg, Osrm, OsrmOptions, Point, Roads, Source};

use crate::server::{Answer, OsrmServer, Socket, folder, free_port};

fn point(lat: f64, lon: f64) -> Point {
    Point::new(lat, lon).unwrap()
}

/// `count` places across the middle of Porto, on a spiral around the cathedral.
fn places(count: u32) -> Vec<Point> {
    (0..count)
        .map(|i| {
            let (turn, out) = (f64::from(i) * 2.4, f64::from(i) / f64::from(count) * 0.01);
            point(41.1455 + turn.sin() * out, -8.6090 + turn.cos() * out)
        })
        .collect()
}

fn engine(url: &str, change: impl FnOnce(&mut OsrmOptions)) -> Osrm {
    let mut options = OsrmOptions { retries: 0, rest: Duration::ZERO, ..OsrmOptions::default() };
    change(&mut options);
    Osrm::new(url, options).unwrap()
}

fn line(geometry: &str) -> Vec<(f64, f64)> {
    polyline::decode_polyline(geometry, 5).unwrap().into_iter().map(|c| (c.y, c.x)).collect()
}

/// S-44: a matrix of roads, bigger than the server answers at once, is right cell by cell and not symmetric.
#[tokio::test(flavor = "multi_thread")]
async fn matrix_in_blocks() {
    let server = OsrmServer::porto().await;
    let points = places(230);
    let matrix = engine(&server.url, |_| ()).matrix(&points).await;
    assert_eq!(matrix.source, Source::Osrm);
    assert_eq!((matrix.size, matrix.durations.len(), matrix.distances.len()), (230, 230 * 230, 230 * 230));
    let mut uneven = 0;
    for (from, a) in points.iter().enumerate() {
        assert_eq!((matrix.duration(from, from), matrix.distance(from, from)), (Some(0), Some(0)));
        for (to, b) in points.iter().enumerate() {
            let straight = f64::from(GreatCircle::way(*a, *b).1) / 1.3;
            let metres = f64::from(matrix.distance(from, to).unwrap());
            // Places lie beside roads: the way may be shorter than the line by the walk to them.
            assert!(
                metres > straight - 500.0 && metres < 4.0 * straight + 6_000.0,
                "{metres} m for {straight} m"
            );
            uneven += usize::from(matrix.duration(from, to) != matrix.duration(to, from));
        }
    }
    assert!(uneven > 10_000, "one-way streets make ways back differ: {uneven}");
    // The same cells as single routes of the server tell.
    for (from, to) in [(0, 229), (229, 0), (17, 101), (120, 5), (99, 100)] {
        let url = format!(
            "{}/route/v1/driving/{:.5},{:.5};{:.5},{:.5}?overview=false",
            server.url,
            points[from].lon(),
            points[from].lat(),
            points[to].lon(),
            points[to].lat()
        );
        let answer: serde_json::Value = reqwest::get(url).await.unwrap().json().await.unwrap();
        let near = |value: &serde_json::Value, ours: Option<u32>| {
            (value.as_f64().unwrap() - f64::from(ours.unwrap())).abs() <= 1.0
        };
        let route = &answer["routes"][0];
        assert!(near(&route["duration"], matrix.duration(from, to)), "{from} to {to}: {route}");
        assert!(near(&route["distance"], matrix.distance(from, to)), "{from} to {to}: {route}");
    }
    let small = engine(&server.url, |options| (options.block, options.parallel) = (7, 1));
    assert_eq!(
        small.matrix(&points[..40]).await.durations,
        engine(&server.url, |_| ()).matrix(&points[..40]).await.durations
    );
}

/// S-44: pairs are cached by coordinates rounded to 5 decimals; only what is new is asked for.
#[tokio::test(flavor = "multi_thread")]
async fn matrix_is_cached() {
    let mut server = OsrmServer::porto().await;
    let roads = engine(&server.url, |_| ());
    let points = places(60);
    let first = roads.matrix(&points).await;
    assert_eq!(first.source, Source::Osrm);
    server.stop();
    // In another order, twice, and a centimetre away: all of it is known.
    let mut known: Vec<_> = points.iter().rev().copied().collect();
    known.push(points[3]);
    known.push(point(points[7].lat() + 1e-7, points[7].lon()));
    let second = roads.matrix(&known).await;
    assert_eq!(second.source, Source::Osrm);
    assert_eq!(second.duration(0, 59), first.duration(59, 0));
    assert_eq!(second.duration(60, 61), first.duration(3, 7));
    known.push(point(41.13, -8.61));
    let third = roads.matrix(&known).await;
    assert!(
        matches!(&third.source, Source::GreatCircleInstead { reason } if reason == "not reachable"),
        "{third:?}"
    );
    assert_eq!(third.source.name(), "great_circle");
    assert_eq!(third.durations[1], GreatCircle::way(known[0], known[1]).0);
}

/// The cache is bounded: with room for few pairs the answers stay right.
#[tokio::test(flavor = "multi_thread")]
async fn cache_is_bounded() {
    let mut server = OsrmServer::porto().await;
    let roads = engine(&server.url, |options| options.cached_pairs = 50);
    let points = places(30);
    let first = roads.matrix(&points).await;
    assert_eq!(roads.matrix(&points).await, first);
    server.stop();
    assert!(matches!(roads.matrix(&points).await.source, Source::GreatCircleInstead { .. }));
}

/// A route follows the roads; cut in chunks it is the same route.
#[tokio::test(flavor = "multi_thread")]
async fn route_in_chunks() {
    let server = OsrmServer::porto().await;
    let points = places(45);
    let whole = engine(&server.url, |_| ()).route(&points).await;
    assert_eq!((whole.source.clone(), whole.legs.len()), (Source::Osrm, 44));
    let chunked = engine(&server.url, |options| options.chunk = 4).route(&points).await;
    let numbers = |legs: &[Leg]| legs.iter().map(|leg| (leg.duration, leg.distance)).collect::<Vec<_>>();
    assert_eq!(numbers(&chunked.legs), numbers(&whole.legs));
    let all = line(&whole.geometry);
    assert!(all.len() > 400, "{} points of streets", all.len());
    let mut before: Option<(f64, f64)> = None;
    for (leg, pair) in whole.legs.iter().zip(points.windows(2)) {
        let street = line(&leg.geometry);
        let (first, last) = (street[0], street[street.len() - 1]);
        assert!((first.0 - pair[0].lat()).abs() < 0.004 && (last.1 - pair[1].lon()).abs() < 0.004);
        if let Some(before) = before {
            let gap = GreatCircle::way(point(before.0, before.1), point(first.0, first.1)).1;
            assert!(gap <= 3, "legs are joined: {gap} m");
        }
        before = Some(last);
        let length: f64 = street
            .windows(2)
            .map(|w| f64::from(GreatCircle::way(point(w[0].0, w[0].1), point(w[1].0, w[1].1)).1) / 1.3)
            .sum();
        assert!(
            (length - f64::from(leg.distance)).abs() < 30.0 + length * 0.06,
            "{length} m, {} m",
            leg.distance
        );
    }
    // The plan's legs and the optimiser's matrix tell the same story.
    let matrix = engine(&server.url, |_| ()).matrix(&points).await;
    for (leg, i) in whole.legs.iter().zip(0..) {
        assert!(leg.duration.abs_diff(matrix.duration(i, i + 1).unwrap()) <= 1, "leg {i}");
        assert!(leg.distance.abs_diff(matrix.distance(i, i + 1).unwrap()) <= 1, "leg {i}");
    }
    for few in [&points[..0], &points[..1]] {
        assert!(engine(&server.url, |_| ()).route(few).await.legs.is_empty());
    }
    // Two stops at one place.
    let same = engine(&server.url, |_| ()).route(&[points[0], points[0]]).await;
    assert_eq!((same.legs[0].distance, same.source), (0, Source::Osrm));
}

/// A server of Porto knows nothing of Melbourne: those ways are estimated, and the answer says how many.
#[tokio::test(flavor = "multi_thread")]
async fn places_off_the_map_are_estimated() {
    let server = OsrmServer::porto().await;
    let roads = engine(&server.url, |_| ());
    let melbourne = [point(-37.8128, 144.9756), point(-37.8194, 144.9595)];
    let points = [places(2), melbourne.into()].concat();
    let matrix = roads.matrix(&points).await;
    assert_eq!(matrix.source, Source::OsrmPartly { estimated: 10 });
    assert_eq!(matrix.source.name(), "osrm+great_circle");
    assert_eq!(matrix.duration(2, 3), Some(GreatCircle::way(melbourne[0], melbourne[1]).0));
    assert_eq!(matrix.distance(0, 2), Some(GreatCircle::way(points[0], melbourne[0]).1));
    assert_eq!(matrix.duration(0, 1), roads.matrix(&points[..2]).await.duration(0, 1));
    let route = roads.route(&points).await;
    assert_eq!(route.source, Source::OsrmPartly { estimated: 2 });
    assert_eq!(route.legs[2].distance, GreatCircle::way(melbourne[0], melbourne[1]).1);
    assert_eq!(roads.nearest(melbourne[0]).await, None);
}

/// S-27: the nearest place on a road.
#[tokio::test(flavor = "multi_thread")]
async fn nearest_road() {
    let server = OsrmServer::porto().await;
    let roads = engine(&server.url, |_| ());
    for place in places(20) {
        let road = roads.nearest(place).await.unwrap();
        let way = GreatCircle::way(place, road).1;
        assert!(way < 500, "{way} m");
        let again = roads.nearest(road).await.unwrap();
        assert!(GreatCircle::way(road, again).1 <= 3, "a place on a road is its own nearest");
    }
    assert_eq!(GreatCircle.nearest(places(1)[0]).await, None);
}

/// Where no road connects two islands, only the ways between them are estimated.
#[tokio::test(flavor = "multi_thread")]
async fn no_way_between_islands() {
    let graph = islands();
    let server = OsrmServer::start(&graph.path().join("islands.osrm"), free_port()).await;
    let roads = engine(&server.url, |_| ());
    let points = [point(40.0005, -9.0), point(40.0035, -9.0), point(40.0305, -9.0), point(40.0335, -9.0)];
    let matrix = roads.matrix(&points).await;
    assert_eq!(matrix.source, Source::OsrmPartly { estimated: 8 });
    assert_eq!(matrix.duration(0, 2), Some(GreatCircle::way(points[0], points[2]).0));
    let metres = matrix.distance(0, 1).unwrap();
    assert!(metres.abs_diff(334) <= 3, "along the road: {metres} m");
    let route = roads.route(&points).await;
    assert_eq!(route.source, Source::OsrmPartly { estimated: 1 });
    assert_eq!(route.legs.len(), 3);
    assert_eq!(route.legs[1].duration, GreatCircle::way(points[1], points[2]).0);
    assert!(route.legs[2].distance.abs_diff(334) <= 3);
}

/// The graph of two islands with one road each.
fn islands() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut nodes = String::new();
    let mut ways = String::new();
    for island in 0..2 {
        let numbers: Vec<_> = (1..=5).map(|n| island * 10 + n).collect();
        for (number, n) in numbers.iter().zip(0..) {
            let lat = 40.0 + f64::from(island) * 0.03 + f64::from(n) * 0.001;
            nodes += &format!("<node id=\"{number}\" version=\"1\" lat=\"{lat:.4}\" lon=\"-9.0\"/>\n");
        }
        let refs: String = numbers.iter().map(|number| format!("<nd ref=\"{number}\"/>")).collect();
        let tag = "<tag k=\"highway\" v=\"residential\"/>";
        ways += &format!("<way id=\"{}\" version=\"1\">{refs}{tag}</way>\n", island + 1);
    }
    let file = folder.path().join("islands.osm");
    std::fs::write(&file, format!("<osm version=\"0.6\">\n{nodes}{ways}</osm>\n")).unwrap();
    let profile = super::server::folder().join("osrm/share/profiles/car.lua");
    run("osrm-extract", &[Path::new("--profile"), &profile, &file]);
    run("osrm-contract", &[&folder.path().join("islands.osrm")]);
    folder
}

fn run(program: &str, arguments: &[&Path]) {
    let output = Command::new(folder().join("osrm/bin").join(program)).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stdout));
}

/// S-44: without the server the product goes on, and says why the times are estimates.
#[tokio::test]
async fn server_failures_are_named() {
    let points = places(3);
    let unreachable = format!("http://127.0.0.1:{}", free_port());
    let silent = Socket::open(Answer::Silence).await;
    let broken = Socket::open(Answer::Reply(500, "oops")).await;
    let nonsense = Socket::open(Answer::Reply(200, "<html>")).await;
    let wrong_size = r#"{"code":"Ok","durations":[[0]],"distances":[[0]],"sources":[],"destinations":[]}"#;
    let wrong_size = Socket::open(Answer::Reply(200, wrong_size)).await;
    let refusing = r#"{"code":"TooBig","message":"Too many table coordinates"}"#;
    let refusing = Socket::open(Answer::Reply(400, refusing)).await;
    for (url, expected) in [
        (&unreachable, "not reachable"),
        (&silent.url, "no answer in time"),
        (&broken.url, "status 500"),
        (&nonsense.url, "unreadable answer"),
        (&wrong_size.url, "the table does not have the size asked for"),
        (&refusing.url, "TooBig: Too many table coordinates"),
    ] {
        let roads = engine(url, |options| options.timeout = Duration::from_millis(300));
        let matrix = roads.matrix(&points).await;
        let Source::GreatCircleInstead { reason } = &matrix.source else {
            panic!("{url}: {:?}", matrix.source)
        };
        assert!(reason.contains(expected), "'{reason}' does not say '{expected}'");
        assert_eq!(matrix.durations, GreatCircle.matrix(&points).await.durations);
        let route = roads.route(&points).await;
        assert!(matches!(route.source, Source::GreatCircleInstead { .. }), "{url}: {:?}", route.source);
        assert_eq!(route.legs, GreatCircle.route(&points).await.legs);
        assert_eq!(roads.nearest(points[0]).await, None);
    }
}

/// A request that failed is sent again; after that the server is left alone for a while.
#[tokio::test]
async fn retries_then_rests() {
    let mut broken = Socket::open(Answer::Reply(503, "")).await;
    let roads = engine(&broken.url, |options| {
        (options.retries, options.rest) = (2, Duration::from_secs(600));
    });
    let points = places(3);
    assert!(matches!(roads.matrix(&points).await.source, Source::GreatCircleInstead { .. }));
    assert_eq!(broken.received().len(), 3);
    let again = roads.route(&points).await;
    assert!(matches!(again.source, Source::GreatCircleInstead { reason } if reason.contains("503")));
    assert_eq!(broken.received().len(), 0, "the server rests");
}

/// V-05, V-08: whoever has a transaction open waits two seconds for a server that does not answer, and then not again. What others
/// do, who may wait longer, it does not decide.
#[tokio::test]
async fn nobody_holds_a_transaction_over_a_slow_server() {
    transaction::enforce();
    let mut silent = Socket::open(Answer::Silence).await;
    let roads = engine(&silent.url, |options| {
        (options.retries, options.rest) = (2, Duration::from_secs(600));
    });
    let points = places(3);
    let began = Instant::now();
    let estimated = transaction::watched("POST /jobs/move", async {
        let _open = transaction::Open::begin();
        [roads.matrix(&points).await.source, roads.route(&points).await.source]
    });
    for source in estimated.await {
        assert!(matches!(source, Source::GreatCircleInstead { .. }), "{source:?}");
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(silent.received().len(), 1);
    let patient = tokio::time::timeout(Duration::from_millis(500), roads.matrix(&points));
    assert!(patient.await.is_err(), "it did not ask");
    assert_eq!(silent.received().len(), 1);
}

/// When the server is back, roads are back.
#[tokio::test(flavor = "multi_thread")]
async fn recovers() {
    let mut server = OsrmServer::porto().await;
    let port = server.port();
    let roads = engine(&server.url, |_| ());
    server.stop();
    let points = places(4);
    assert_eq!(roads.matrix(&points).await.source.name(), "great_circle");
    let _server = OsrmServer::start(&folder().join("porto/roads.osrm"), port).await;
    assert_eq!(roads.matrix(&points).await.source, Source::Osrm);
    assert_eq!(roads.route(&points).await.source, Source::Osrm);
}
