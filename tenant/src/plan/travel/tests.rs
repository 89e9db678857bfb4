use std::sync::Mutex;

use async_trait::async_trait;
use routewright_roads::{GreatCircle, Route};
use serde_json::Value;

use super::*;
use crate::plan::draft::tests::run;

/// Writes down for how many places ways were asked.
#[derive(Debug, Default)]
struct Asked(Mutex<Vec<usize>>);

#[async_trait]
impl Roads for Asked {
    async fn matrix(&self, points: &[Point]) -> routewright_roads::Matrix {
        self.0.lock().expect("the list").push(points.len());
        GreatCircle.matrix(points).await
    }

    async fn route(&self, points: &[Point]) -> Route {
        GreatCircle.route(points).await
    }

    async fn nearest(&self, point: Point) -> Option<Point> {
        GreatCircle.nearest(point).await
    }

    fn name(&self) -> &'static str {
        GreatCircle.name()
    }
}

/// Seconds and metres of a way.
fn way(travel: &Travel, from: (f64, f64), to: (f64, f64)) -> (Value, Value) {
    let rows = serde_json::to_value(&travel.matrices[0]).expect("rows");
    let at = travel.place(from.0, from.1) * travel.places.len() + travel.place(to.0, to.1);
    (rows["seconds"][at].clone(), rows["metres"][at].clone())
}

/// V-10: whoever changes a plan asks for as many ways as the run has, not for their square, a hundred places at a time; they are the
/// same ones.
#[tokio::test]
async fn a_long_run_asks_for_its_own_ways_only() {
    let jobs: Vec<PlanJob> = (0..250_u32)
        .map(|n| PlanJob {
            id: n.into(),
            lat: 41.0 + f64::from(n * 7 % 250) / 1000.0,
            lon: -8.6,
            ..PlanJob::default()
        })
        .collect();
    let run = PlanRun {
        start_lat: Some(41.1),
        start_lon: Some(-8.7),
        end_lat: Some(41.2),
        end_lon: Some(-8.5),
        route_end: "end_location".to_owned(),
        ..run(1)
    };
    let sequence: Vec<&PlanJob> = jobs.iter().collect();
    let roads = Asked::default();
    let along = Travel::along(&roads, &run, &sequence).await.expect("ways");
    assert_eq!(*roads.0.lock().expect("the list"), [100, 100, 54]);
    let all = Travel::at_once(&roads, [&run], &jobs).await.expect("ways");
    let path: Vec<(f64, f64)> = [(41.1, -8.7)]
        .into_iter()
        .chain(jobs.iter().map(|job| (job.lat, job.lon)))
        .chain([(41.2, -8.5)])
        .collect();
    for pair in path.windows(2) {
        assert_eq!(way(&along, pair[0], pair[1]), way(&all, pair[0], pair[1]));
    }
    assert_eq!(along.source, all.source);
    assert!(all.covers([&run], &jobs));
    let elsewhere = PlanJob { lat: 40.0, ..PlanJob::default() };
    assert!(!all.covers([&run], [&elsewhere]));
}

/// Issue 12.2: the traffic of a plan is that of its own days, hour by hour of the local clock, also on the night in which clocks are
/// put forward; the pace that ways are weighed at is one of the day, whoever drives.
#[test]
fn traffic_is_that_of_the_day() {
    let mut travel = Travel::none([&run(1)], []).expect("travel");
    let date = chrono::NaiveDate::from_ymd_opt(2026, 3, 29).expect("a date");
    let sunday = Day::new(date, chrono_tz::Europe::Lisbon);
    assert_eq!(travel.traffic(sunday), None);
    // Half as fast on Sundays from eight to nine, a quarter on Mondays.
    let mut paces = [1.0; 168];
    (paces[6 * 24 + 8], paces[8]) = (0.5, 0.25);
    travel.paces = Some(paces);
    let traffic = travel.traffic(sunday).expect("traffic");
    // One hour is missing: local eight o'clock comes after seven hours, on Monday after 24 more.
    let hours: Vec<(i64, f64)> = traffic.paces.iter().map(|(at, pace)| (at / 3600, *pace)).collect();
    assert_eq!(hours, [(-24, 1.0), (7, 0.5), (8, 1.0), (31, 0.25), (32, 1.0)]);
    assert!((traffic.usual - 14.0 / 15.0).abs() < 1e-9, "{}", traffic.usual);
}
