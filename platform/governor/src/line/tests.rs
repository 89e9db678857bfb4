use super::*;

type Called = oneshot::Receiver<()>;

fn line(at_once: usize, each: usize) -> Line {
    beside(at_once, each, each)
}

fn beside(at_once: usize, each: usize, beside_others: usize) -> Line {
    Line::new(Sizes {
        at_once,
        each,
        beside_others,
        memory: 1000,
        memory_each: 500,
        waiting_each: 3,
        waiting: 5,
        patience: Duration::ZERO,
    })
}

fn of(owner: i64) -> Entrant {
    Entrant { owner: Some(owner), at_once: None, memory: 100, in_background: false }
}

fn called(receiver: &mut Called) -> bool {
    receiver.try_recv().is_ok()
}

#[test]
fn a_loud_organisation_queues_behind_itself_v_10() {
    let (mut line, now) = (line(1, 1), Instant::now());
    let (begun, mut first) = line.enter(of(1), now).unwrap();
    let (waits, mut second) = line.enter(of(1), now).unwrap();
    let (_, mut third) = line.enter(of(1), now).unwrap();
    let (other, mut quiet) = line.enter(of(2), now).unwrap();
    assert!(called(&mut first) && !called(&mut second));
    line.leave(Some(1), begun, now);
    assert!(called(&mut quiet) && !called(&mut second), "the one that was never called comes first");
    line.leave(Some(2), other, now);
    assert!(called(&mut second) && !called(&mut third));
    line.leave(Some(1), waits, now);
    assert!(called(&mut third));
}

#[test]
fn a_full_line_refuses_v_02() {
    let (mut line, now) = (line(1, 1), Instant::now());
    let held: Vec<_> = (0..4).map(|_| line.enter(of(1), now).unwrap()).collect();
    assert!(line.enter(of(1), now).is_none(), "three of one organisation wait already");
    let others: Vec<_> = [2, 3].map(|other| line.enter(of(other), now).unwrap()).into();
    assert!(line.enter(of(4), now).is_none(), "five wait already");
    let job = Entrant { in_background: true, ..of(4) };
    assert!(line.enter(job, now).is_some(), "a background job is never refused");
    drop((held, others));
}

#[test]
fn memory_is_kept_free_and_nobody_takes_more_than_half() {
    let (mut line, now) = (line(9, 9), Instant::now());
    let large = |owner| Entrant { memory: 400, ..of(owner) };
    let (_, mut a) = line.enter(large(1), now).unwrap();
    let (_, mut b) = line.enter(large(1), now).unwrap();
    assert!(called(&mut a) && !called(&mut b), "half of the memory is for others");
    let (_, mut c) = line.enter(large(2), now).unwrap();
    assert!(called(&mut c));
    let (waits, mut d) = line.enter(large(3), now).unwrap();
    let (_, mut small) = line.enter(of(4), now).unwrap();
    assert!(!called(&mut d) && !called(&mut small), "nobody overtakes whoever waits for memory");
    assert!(line.withdraw(waits, now));
    assert!(called(&mut small));
}

#[test]
fn operators_set_how_much_an_organisation_may_do_at_once() {
    let (mut line, now) = (line(4, 1), Instant::now());
    let wide = Entrant { at_once: Some(2), ..of(1) };
    let (_, mut a) = line.enter(wide, now).unwrap();
    let (_, mut b) = line.enter(wide, now).unwrap();
    let (_, mut c) = line.enter(wide, now).unwrap();
    assert!(called(&mut a) && called(&mut b) && !called(&mut c));
}

#[test]
fn whoever_gives_up_takes_no_turn() {
    let (mut line, now) = (line(1, 1), Instant::now());
    let (held, _first) = line.enter(of(1), now).unwrap();
    let (_, gone) = line.enter(of(2), now).unwrap();
    let (stays, mut last) = line.enter(of(3), now).unwrap();
    drop(gone);
    let later = now + LATELY;
    line.leave(Some(1), held, later);
    assert!(called(&mut last));
    line.leave(Some(3), stays, later + LATELY);
    assert!(line.last.is_empty(), "the line remembers nobody who is gone");
}

/// V-10: an organisation alone has the whole room; with another one beside it, it begins one piece after the other, so that the
/// other finds a free one whenever it comes.
#[test]
fn an_organisation_makes_room_for_others_v_10() {
    let (mut line, now) = (beside(8, 4, 1), Instant::now());
    let mut loud: Vec<_> = (0..3).map(|_| line.enter(of(1), now).unwrap()).collect();
    assert!(loud.iter_mut().all(|(_, receiver)| called(receiver)), "nobody else is there");
    let (other, mut quiet) = line.enter(of(2), now).unwrap();
    assert!(called(&mut quiet), "others wait for nobody");
    let (next, mut waits) = line.enter(of(1), now).unwrap();
    line.leave(Some(2), other, now);
    for (ticket, _) in loud.drain(..2) {
        line.leave(Some(1), ticket, now);
    }
    assert!(!called(&mut waits), "the other was there just now, and one is under way");
    for (ticket, _) in loud {
        line.leave(Some(1), ticket, now);
    }
    assert!(called(&mut waits));
    let (_, mut second) = line.enter(of(1), now).unwrap();
    assert!(!called(&mut second));
    line.call_next(now + LATELY);
    assert!(called(&mut second), "nobody else has been there for long");
    line.leave(Some(1), next, now + LATELY);
}

/// V-10: one long question does not keep its organisation's short ones waiting; all together stay below the limit.
#[test]
fn what_lasts_keeps_nobody_waiting_v_10() {
    let (mut line, now) = (beside(8, 3, 1), Instant::now());
    let (_, _other) = line.enter(of(2), now).unwrap();
    let mut at = now;
    for _ in 0..3 {
        let (_, mut long) = line.enter(of(1), at).unwrap();
        assert!(called(&mut long));
        let (ticket, mut short) = line.enter(of(1), at).unwrap();
        assert!(!called(&mut short) && line.withdraw(ticket, at));
        at += SHORT;
    }
    let (_, mut fourth) = line.enter(of(1), at).unwrap();
    assert!(!called(&mut fourth), "three is its limit");
}

/// V-10: of many who wait, organisations are called one after the other, however many each has in the line.
#[test]
fn organisations_are_called_in_turn_v_10() {
    let (mut line, now) = (line(1, 1), Instant::now());
    let (mut ticket, _first) = line.enter(of(9), now).unwrap();
    let mut owner = 9;
    let mut waiting: Vec<_> = [1, 1, 1, 2, 3]
        .into_iter()
        .map(|owner| {
            let (ticket, receiver) = line.enter(of(owner), now).unwrap();
            (owner, ticket, receiver)
        })
        .collect();
    let mut order = Vec::new();
    while !waiting.is_empty() {
        line.leave(Some(owner), ticket, now);
        let at = waiting.iter_mut().position(|(.., receiver)| called(receiver)).unwrap();
        (owner, ticket, _) = waiting.remove(at);
        order.push(owner);
    }
    assert_eq!(order, [1, 2, 3, 1, 1]);
}
