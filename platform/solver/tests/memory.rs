//! What a search takes is told before it and kept. Alone in its program: the memory of others would count.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops where its input is wrong")]

use routewright_solver::{
    Budget, Cancel, Capacity, Engine, Matrix, MatrixRows, Native, Problem, Stop, TimeWindow, Vehicle,
};

/// Kilobytes of a line of this process's status.
fn kilobytes(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

/// Places on a spiral; ways back take longer, so that all of it is kept turned round, too.
fn ways(size: usize) -> Matrix {
    let place = |at: usize| (at as f64 * 0.7).sin_cos();
    let mut rows = MatrixRows::new(size);
    for from in 0..size {
        let way = |to: usize| {
            let (a, b) = (place(from), place(to));
            let apart = (a.0 * from as f64 - b.0 * to as f64).hypot(a.1 * from as f64 - b.1 * to as f64);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a few thousand metres"
            )]
            let metres = apart as u32;
            metres
        };
        let metres: Vec<u32> = (0..size).map(way).collect();
        let seconds: Vec<u32> =
            metres.iter().enumerate().map(|(to, metres)| metres / 8 + u32::from(to < from) * 30).collect();
        rows.push(&seconds, &metres);
    }
    rows.without(&[]).unwrap()
}

/// V-09: a search of some thousand stops takes no more than is told of it.
#[test]
fn v_09_a_search_takes_no_more_than_was_told() {
    const STOPS: usize = 4000;
    let stop = |place: usize| Stop {
        place,
        service: 120,
        size: "1".parse().unwrap(),
        window: (place.is_multiple_of(5)).then_some(TimeWindow { earliest: 9 * 3600, latest: 15 * 3600 }),
        ..Stop::default()
    };
    let van = Vehicle {
        start: Some(0),
        shift: TimeWindow { earliest: 8 * 3600, latest: 20 * 3600 },
        capacity: Capacity::parse("100", true).unwrap(),
        ..Vehicle::default()
    };
    let problem = Problem {
        matrix: ways(STOPS + 1),
        stops: (1..=STOPS).map(stop).collect(),
        vehicles: vec![van; 50],
        current: vec![Vec::new(); 50],
        ..Problem::default()
    };
    let before = kilobytes("VmRSS:");
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let budget = Budget { iterations: Some(2000), ..Budget::seconds(600) };
    let plan = Native.solve(&problem, budget, &mut |_| {}, &Cancel::default()).unwrap();
    assert!(plan.totals.stops > 3000);
    // The matrix of the problem itself is there before.
    let given = 4 * (STOPS as u64 + 2).pow(2);
    let taken = 1024 * (kilobytes("VmHWM:") - before);
    let told = problem.memory() - given;
    assert!(taken <= told, "{} MB instead of {}", taken >> 20, told >> 20);
    assert!(3 * taken > told, "{} MB are far less than {}", taken >> 20, told >> 20);
}
