use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::task::Wake;
use std::thread;

use super::*;

/// Counts how often it is called.
#[derive(Default)]
struct Calls(AtomicUsize);

impl Wake for Calls {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn of(id: i64) -> Option<OrganisationId> {
    Some(OrganisationId::new(id))
}

/// Processor time that makes an organisation one that takes much.
fn work() {
    let began = ThreadTime::now();
    while began.elapsed() < Duration::from_millis(600) {
        std::hint::spin_loop();
    }
}

fn fair<F: Future>(steps: &Steps, organisation: Option<OrganisationId>, answer: F) -> Fair<F> {
    steps.fair(organisation, Payer::stranger(""), answer)
}

/// One step of an answer.
fn step<F: Future>(answer: &mut Pin<Box<Fair<F>>>, calls: &Arc<Calls>) -> bool {
    let waker = Arc::clone(calls).into();
    answer.as_mut().poll(&mut Context::from_waker(&waker)).is_ready()
}

/// V-10: whoever has taken much waits for the step of another answer that is under way, whoever has not does not; the one that
/// waits is called when the step ends, and when another one that was called leaves.
#[test]
fn v_10_steps_of_those_that_take_much_are_taken_in_turn() {
    let steps = Steps::new(1, Pace::default());
    let calls: Vec<Arc<Calls>> = (0..3).map(|_| Arc::default()).collect();
    let called = |at: usize| calls[at].0.load(Ordering::Relaxed);
    let answer = |id: i64| Box::pin(fair(&steps, of(id), std::future::ready(())));
    for id in [1, 2] {
        assert!(step(&mut Box::pin(fair(&steps, of(id), async { work() })), &calls[0]));
    }
    let (begin, begun) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let long = fair(&steps, of(1), async move {
        begin.send(()).unwrap();
        ended.recv().unwrap();
    });
    let under_way = thread::spawn({
        let calls = Arc::clone(&calls[0]);
        move || step(&mut Box::pin(long), &calls)
    });
    begun.recv().unwrap();
    let (mut first, mut second) = (answer(1), answer(2));
    assert!(!step(&mut first, &calls[1]) && !step(&mut second, &calls[2]), "both take much");
    assert!(step(&mut answer(3), &calls[0]), "the third organisation has taken nothing");
    assert!(step(&mut Box::pin(fair(&steps, None, std::future::ready(()))), &calls[0]), "nor have strangers");
    end.send(()).unwrap();
    assert!(under_way.join().unwrap());
    assert_eq!(called(1) + called(2), 1, "one is called when a step ends");
    let (mut next, mut other, waits) = if called(1) == 1 { (first, second, 2) } else { (second, first, 1) };
    assert_eq!(called(waits), 0);
    drop(std::mem::replace(&mut next, answer(3)));
    assert_eq!(called(waits), 1, "the one that was called has left");
    assert!(step(&mut other, &calls[waits]));
}

/// What was taken is forgotten, and with it the turns.
#[test]
fn what_was_taken_is_forgotten() {
    let steps = Steps::new(1, Pace::default());
    let mut room = steps.room();
    let now = Instant::now();
    room.taken.note(Some(1), Duration::from_millis(200), now);
    assert!(!room.takes_much(Some(1), now), "a fifth of a processor");
    room.taken.note(Some(1), Duration::from_millis(200), now + Duration::from_millis(100));
    assert!(room.takes_much(Some(1), now + Duration::from_millis(100)));
    assert!(!room.takes_much(Some(1), now + Duration::from_millis(1_100)));
    assert!(!room.takes_much(Some(2), now));
}
