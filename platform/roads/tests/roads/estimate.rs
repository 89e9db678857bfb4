//! Travel times without a road network, and points.

use routewright_roads::{GreatCircle, Point, PointError, Roads, Source, connect};

fn point(lat: f64, lon: f64) -> Point {
    Point::new(lat, lon).unwrap()
}

/// A point so far north of Porto that the way there, detour included, has this many metres.
fn north(metres: f64) -> (Point, Point) {
    let start = point(41.0, -8.6);
    let degrees = (metres / 1.3 / 6_371_008.8).to_degrees();
    (start, point(41.0 + degrees, -8.6))
}

/// S-44: great circle x 1.3, at 25 km/h under 2 km, 40 under 10, 60 under 50, 80 beyond.
#[test]
fn speeds_by_length() {
    for (metres, kmh) in [
        (500.0, 25.0),
        (1_990.0, 25.0),
        (2_010.0, 40.0),
        (9_990.0, 40.0),
        (10_010.0, 60.0),
        (49_900.0, 60.0),
        (50_100.0, 80.0),
        (400_000.0, 80.0),
    ] {
        let (from, to) = north(metres);
        let (seconds, length) = GreatCircle::way(from, to);
        assert!((f64::from(length) - metres).abs() <= 1.0, "{length} m is not {metres} m");
        let expected = metres / (kmh / 3.6);
        assert!((f64::from(seconds) - expected).abs() <= 1.0, "{metres} m: {seconds} s is not {expected} s");
    }
}

/// Lisbon to Porto is 274 km as the crow flies; the antipode is half the globe away.
#[test]
fn lengths() {
    let (lisbon, porto) = (point(38.7223, -9.1393), point(41.1579, -8.6291));
    let (_, metres) = GreatCircle::way(lisbon, porto);
    assert!((f64::from(metres) / 1.3 - 274_300.0).abs() < 500.0, "{metres}");
    assert_eq!(GreatCircle::way(porto, porto), (0, 0));
    let (_, metres) = GreatCircle::way(point(0.0, -90.0), point(0.0, 90.0));
    assert!((f64::from(metres) / 1.3 - 20_015_114.0).abs() < 100.0, "{metres}");
    // Over the date line the short way.
    let (_, metres) = GreatCircle::way(point(-17.0, 179.9), point(-17.0, -179.9));
    assert!(metres < 30_000, "{metres}");
}

#[tokio::test]
async fn matrix_and_route() {
    let points = [point(41.15, -8.61), point(41.16, -8.62), point(41.2, -8.7)];
    let matrix = GreatCircle.matrix(&points).await;
    assert_eq!((matrix.size, matrix.durations.len(), matrix.distances.len()), (3, 9, 9));
    assert_eq!(matrix.source, Source::GreatCircle);
    assert_eq!(matrix.source.name(), "great_circle");
    let way = GreatCircle::way(points[1], points[2]);
    assert_eq!((matrix.duration(1, 2), matrix.distance(1, 2)), (Some(way.0), Some(way.1)));
    assert_eq!((matrix.duration(1, 1), matrix.duration(3, 0), matrix.duration(0, 3)), (Some(0), None, None));
    let route = GreatCircle.route(&points).await;
    assert_eq!((route.legs[1].duration, route.legs[1].distance), way);
    let line: Vec<_> = polyline::decode_polyline(&route.geometry, 5).unwrap().into_iter().collect();
    assert_eq!(line.len(), 3);
    assert!((line[2].x - -8.7).abs() < 1e-9 && (line[2].y - 41.2).abs() < 1e-9);
    for few in [&points[..0], &points[..1]] {
        assert!(GreatCircle.route(few).await.legs.is_empty());
        assert_eq!(GreatCircle.matrix(few).await.size, few.len());
    }
}

#[test]
fn points_are_on_the_globe() {
    assert_eq!(Point::new(90.1, 0.0), Err(PointError::Latitude(90.1)));
    assert_eq!(Point::new(0.0, -180.5), Err(PointError::Longitude(-180.5)));
    assert!(Point::new(f64::NAN, 0.0).is_err() && Point::new(0.0, f64::INFINITY).is_err());
    assert!(Point::new(-90.0, 180.0).is_ok());
}

/// Without OSRM_URL the product works without network; a wrong address is refused at start, not at the first plan.
#[test]
fn engine_by_configuration() {
    for none in [None, Some(""), Some("  ")] {
        assert_eq!(connect(none, None).unwrap().name(), "great_circle");
    }
    assert_eq!(connect(Some("http://osrm:5000"), None).unwrap().name(), "osrm");
    for wrong in ["osrm:5000", "ftp://osrm", "not an address"] {
        let error = connect(Some(wrong), None).unwrap_err().to_string();
        assert!(error.contains(wrong), "{error}");
    }
}
