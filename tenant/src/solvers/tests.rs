use std::time::Duration;

use super::*;

fn urgent(id: i64) -> Share {
    OrganisationId::new(id).into()
}

fn background(id: i64) -> Share {
    urgent(id).in_background()
}

async fn soon<T>(turn: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(Duration::from_millis(50), turn).await.ok()
}

#[tokio::test]
async fn a_loud_organisation_waits_for_itself_only() {
    let solvers = Solvers::new(4, 2, 2, Seats::new(2));
    let first = solvers.turn(background(1), Weight::Large, 0).await;
    let _second = solvers.turn(background(1), Weight::Large, 0).await;
    assert!(soon(solvers.turn(urgent(1), Weight::Large, 0)).await.is_none(), "two are enough for one");
    let quiet = soon(solvers.turn(background(2), Weight::Large, 0)).await;
    assert!(quiet.is_some(), "another organisation does not wait");
    drop(first);
    assert!(soon(solvers.turn(background(1), Weight::Large, 0)).await.is_some());
}

#[tokio::test]
async fn of_those_who_wait_the_organisation_with_the_fewest_comes_first() {
    let solvers = Solvers::new(2, 2, 2, Seats::new(2));
    let one = solvers.turn(background(1), Weight::Large, 0).await;
    let two = solvers.turn(background(1), Weight::Large, 0).await;
    let loud = solvers.clone();
    let loud = tokio::spawn(async move { loud.turn(urgent(1), Weight::Large, 0).await });
    tokio::task::yield_now().await;
    let quiet = solvers.clone();
    let quiet = tokio::spawn(async move { quiet.turn(background(2), Weight::Large, 0).await });
    tokio::task::yield_now().await;
    drop(one);
    let quiet = soon(quiet).await.expect("it is the quiet one's turn").expect("no panic");
    assert!(!loud.is_finished());
    drop(two);
    assert!(soon(loud).await.is_some());
    drop(quiet);
}

/// V-10: organisations take turns at asking for many ways, never while a transaction is open, and more than there is memory for are
/// refused before they are asked for.
#[tokio::test]
async fn ways_are_asked_for_in_turn() {
    let solvers = Solvers::new(4, 2, 2, Seats::new(2));
    let loud = solvers.clone();
    let held = tokio::spawn(async move {
        loud.travel(background(1), 500, std::future::pending::<()>(), |found| found).await
    });
    tokio::task::yield_now().await;
    let waits = soon(solvers.travel(urgent(1), 500, async {}, |found| found)).await;
    assert!(waits.is_none(), "one at a time is enough for one");
    let quiet = soon(solvers.travel(urgent(2), 500, async { 7 }, |found| found)).await;
    assert!(quiet.is_some_and(|found| found.is_ok_and(|found| found == 7)));
    held.abort();
    assert!(held.await.is_err());
    assert!(soon(solvers.travel(urgent(1), 500, async {}, |found| found)).await.is_some());

    let refused = solvers.travel(urgent(3), 30_000, async {}, |found| found).await.expect_err("too many");
    assert_eq!(refused.kind(), Kind::BadRequest);
    let text = "There are too many places to plan together: 30000. Please take fewer jobs into one plan.";
    assert_eq!(refused.description(), text);

    transaction::enforce();
    let call = tokio::spawn(transaction::watched("GET /scenarios/{id}/diagnosis", async move {
        let _open = transaction::Open::begin();
        solvers.travel(urgent(1), 2, async {}, |found| found).await
    }));
    assert!(call.await.is_err_and(|error| error.is_panic()));
}

/// Twelve stops in a row and so much processor time for their plan, without patience.
fn day(worked: Duration) -> (Problem, Budget) {
    use routewright_solver::{Clock, Matrix, Stop, Vehicle};
    let cells: Vec<u32> = (0..13_u32).flat_map(|a| (0..13_u32).map(move |b| a.abs_diff(b) * 60)).collect();
    let problem = Problem {
        stops: (1..13).map(|place| Stop { place, ..Stop::default() }).collect(),
        vehicles: vec![Vehicle { start: Some(0), ..Vehicle::default() }; 3],
        matrix: Matrix::new(13, cells.clone(), cells).expect("a matrix"),
        current: vec![Vec::new(); 3],
        ..Problem::default()
    };
    let clock = Clock::Processor;
    (problem, Budget { time: worked, patience: None, clock, ..Budget::seconds(1) })
}

/// W-005: two searches of one organisation, and one of another, run side by side and each gets all of its processor time,
/// however busy the machine is: when the first ends, the others have had their share.
#[tokio::test(flavor = "multi_thread")]
async fn searches_share_the_processors() {
    let solvers = Solvers::new(4, 2, 2, Seats::new(2));
    let whole = Duration::from_millis(800);
    let searches = [1, 1, 2].map(|of| {
        let (tell, told) = watch::channel(Progress::default());
        let (solvers, (problem, budget)) = (solvers.clone(), day(whole));
        let search = tokio::spawn(async move {
            solvers.solve(background(of), problem, budget, &Cancel::default(), tell).await
        });
        (search, told)
    });
    let mut ended = Vec::new();
    for (search, told) in searches {
        let solved = search.await.expect("no panic").expect("a plan");
        assert!(solved.standing.beaten && solved.plan.unserved.is_empty());
        ended.push(told.borrow().worked);
    }
    assert!(ended.iter().all(|worked| *worked >= whole), "{ended:?}");
    assert!(ended.iter().all(|worked| *worked < 2 * whole), "{ended:?}");
}

#[tokio::test]
async fn whoever_gives_up_takes_no_turn() {
    let solvers = Solvers::new(1, 1, 2, Seats::new(2));
    let held = solvers.turn(background(1), Weight::Large, 0).await;
    assert!(soon(solvers.turn(background(2), Weight::Large, 0)).await.is_none());
    drop(held);
    assert!(soon(solvers.turn(background(3), Weight::Large, 0)).await.is_some());
}

/// W-005: a small search waits for no large one, neither of others nor of its own organisation.
#[tokio::test]
async fn small_searches_wait_for_no_large_ones() {
    let solvers = Solvers::new(1, 1, 2, Seats::new(2));
    let _large = solvers.turn(background(1), Weight::Large, 0).await;
    assert!(soon(solvers.turn(urgent(2), Weight::Large, 0)).await.is_none());
    let small = soon(solvers.turn(background(2), Weight::Small, 0)).await;
    let own = soon(solvers.turn(background(1), Weight::Small, 0)).await;
    assert!(small.is_some() && own.is_some());
}

/// W-005: two searches of one organisation and one of another share a single processor in halves, not in thirds: while the one
/// works, the two together work hardly more than it does, and it ends first.
#[tokio::test(flavor = "multi_thread")]
async fn a_loud_organisation_gets_no_more_than_a_quiet_one() {
    let solvers = Solvers::new(4, 2, 1, Seats::new(1));
    let stop = Cancel::default();
    let start = |of: i64, worked: Duration, cancel: &Cancel| {
        let (tell, told) = watch::channel(Progress::default());
        let (solvers, (problem, budget), cancel) = (solvers.clone(), day(worked), cancel.clone());
        let search =
            tokio::spawn(async move { solvers.solve(background(of), problem, budget, &cancel, tell).await });
        (search, told)
    };
    let loud = [(); 2].map(|()| start(1, Duration::from_secs(600), &stop));
    for (_, told) in &loud {
        let begun = |progress: &Progress| progress.worked > Duration::ZERO;
        let _ = told.clone().wait_for(begun).await.expect("it goes on");
    }
    let both = || loud.iter().map(|(_, told)| told.borrow().worked).sum::<Duration>();
    let (quiet, told) = start(2, Duration::from_millis(1500), &Cancel::default());
    let _ = told.clone().wait_for(|progress| progress.worked > Duration::ZERO).await.expect("it goes on");
    let (before, began) = (both(), told.borrow().worked);
    let solved = quiet.await.expect("no panic").expect("a plan");
    let (meanwhile, worked) = (both().saturating_sub(before), told.borrow().worked.saturating_sub(began));
    assert!(solved.plan.unserved.is_empty());
    assert!(loud.iter().all(|(search, _)| !search.is_finished()));
    assert!(meanwhile < worked.mul_f64(1.5), "{meanwhile:?} while the other worked {worked:?}");
    assert!(meanwhile > worked.mul_f64(0.5), "{meanwhile:?} while the other worked {worked:?}");
    stop.cancel();
    for (search, _) in loud {
        let _ = search.await.expect("no panic").expect("a plan");
    }
}

/// V-09: a large search waits until there is memory for it, however few are at work, and one that never fits is refused with
/// what can be done about it.
#[tokio::test]
async fn large_searches_share_the_memory() {
    let solvers = Solvers::new(9, 9, 2, Seats::new(2));
    let most = MEMORY / 3 * 2;
    let held = solvers.turn(background(1), Weight::Large, most).await;
    assert!(soon(solvers.turn(background(2), Weight::Large, most)).await.is_none());
    drop(held);
    assert!(soon(solvers.turn(background(2), Weight::Large, most)).await.is_some());

    assert!(affordable(MEMORY).is_ok());
    let refused = affordable(MEMORY + 1).expect_err("too large");
    let text = "Optimising these jobs together would take 4 GB of memory; at most 3 GB are available. \
                Please optimise fewer jobs at once, or give the drivers fewer different speeds.";
    assert_eq!((refused.kind(), refused.description()), (Kind::BadRequest, text.to_owned()));
}

/// V-09: what a search takes is told by places and kinds of vehicle: 10,000 places of one speed fit.
#[test]
fn the_memory_of_a_search_is_known_before_it() {
    let (mut problem, _) = day(Duration::from_millis(10));
    let cells = 14 * 14;
    let others = problem.memory() - cells * (8 + 4);
    assert!(others < 200_000, "times turned round serve as costs");
    problem.vehicles[0].speed = 1.2;
    assert_eq!(problem.memory() - others, cells * (8 + 4 + 8), "times of its own");
    assert!(affordable(10_001 * 10_001 * 12).is_ok());
}
