//! The line in front of the pool: who waits, who is at work, who is next.

use std::collections::HashMap;

use tokio::sync::oneshot;

/// Sizes of a governor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// Pieces of work at the same time, of all organisations.
    pub(crate) at_once: usize,
    /// Of these at most so many of one organisation, unless operators allow it another number.
    pub(crate) each: usize,
    /// Memory of all pieces of work at the same time, bytes.
    pub(crate) memory: u64,
    /// Pieces of work that may wait, of one organisation and of all.
    pub(crate) waiting_each: usize,
    pub(crate) waiting: usize,
}

/// Who stands in line: an organisation, or work of none.
pub(crate) type Owner = Option<i64>;

#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) sizes: Sizes,
    at_work: HashMap<Owner, AtWork>,
    /// When each organisation was called last, counted in calls; only of those that wait or work.
    last: HashMap<Owner, u64>,
    /// In the order of arrival.
    waiting: Vec<Waiting>,
    calls: u64,
    tickets: u64,
}

#[derive(Debug, Default, Clone, Copy)]
struct AtWork {
    pieces: usize,
    memory: u64,
}

#[derive(Debug)]
struct Waiting {
    ticket: u64,
    owner: Owner,
    each: usize,
    memory: u64,
    in_background: bool,
    call: oneshot::Sender<()>,
}

/// Somebody who wants to stand in line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entrant {
    pub(crate) owner: Owner,
    /// Most pieces of work at the same time; `None` for the usual.
    pub(crate) at_once: Option<usize>,
    /// Memory that the work takes, bytes.
    pub(crate) memory: u64,
    pub(crate) in_background: bool,
}

impl Line {
    pub(crate) fn new(sizes: Sizes) -> Self {
        let (at_work, last) = (HashMap::new(), HashMap::new());
        Self { sizes, at_work, last, waiting: Vec::new(), calls: 0, tickets: 0 }
    }

    /// Puts somebody at the end of the line. `None` when it is full.
    pub(crate) fn enter(&mut self, entrant: Entrant) -> Option<(u64, oneshot::Receiver<()>)> {
        let Entrant { owner, in_background, .. } = entrant;
        if !in_background {
            let foreground = self.waiting.iter().filter(|waiting| !waiting.in_background);
            let (all, own) = foreground
                .fold((0, 0), |(all, own), waiting| (all + 1, own + usize::from(waiting.owner == owner)));
            if all >= self.sizes.waiting || own >= self.sizes.waiting_each {
                return None;
            }
        }
        let (call, called) = oneshot::channel();
        self.tickets += 1;
        let each = entrant.at_once.unwrap_or(self.sizes.each).clamp(1, self.sizes.at_once);
        let memory = entrant.memory;
        self.waiting.push(Waiting { ticket: self.tickets, owner, each, memory, in_background, call });
        self.call_next();
        Some((self.tickets, called))
    }

    /// How many wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes somebody out of the line who no longer waits; whether he was still in it.
    pub(crate) fn withdraw(&mut self, ticket: u64) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|waiting| waiting.ticket != ticket);
        let was_in = self.waiting.len() < before;
        if was_in {
            // He may have been first, waiting for more memory than the others need.
            self.call_next();
        }
        was_in
    }

    /// Ends a turn.
    pub(crate) fn leave(&mut self, owner: Owner, memory: u64) {
        if let Some(at_work) = self.at_work.get_mut(&owner) {
            at_work.pieces -= 1;
            at_work.memory -= memory;
            if at_work.pieces == 0 {
                self.at_work.remove(&owner);
            }
        }
        self.call_next();
        let Self { last, at_work, waiting, .. } = self;
        last.retain(|owner, _| at_work.contains_key(owner) || waiting.iter().any(|one| one.owner == *owner));
    }

    /// Calls as many as there is room for: of those below their limits the one whose organisation has the fewest at work, then
    /// the organisation that was called longest ago. Whoever is next and too large for the memory that is left waits for it, and
    /// nobody overtakes him.
    fn call_next(&mut self) {
        loop {
            let at_work = |owner: &Owner| self.at_work.get(owner).copied().unwrap_or_default();
            let (pieces, memory) = self
                .at_work
                .values()
                .fold((0, 0), |(pieces, memory), one| (pieces + one.pieces, memory + one.memory));
            if pieces >= self.sizes.at_once {
                return;
            }
            let half = self.sizes.memory / 2;
            let next = self
                .waiting
                .iter()
                .enumerate()
                .map(|(at, one)| (at, one, at_work(&one.owner)))
                .filter(|(_, one, busy)| busy.pieces < one.each)
                // One piece alone may take more than half, or it would never be called.
                .filter(|(_, one, busy)| busy.pieces == 0 || busy.memory + one.memory <= half)
                .min_by_key(|(at, one, busy)| {
                    (busy.pieces, one.in_background, self.last.get(&one.owner).copied().unwrap_or(0), *at)
                })
                .map(|(at, ..)| at);
            let Some(at) = next else { return };
            let fits = self.waiting.get(at).is_some_and(|one| memory + one.memory <= self.sizes.memory);
            if !fits && pieces > 0 {
                return;
            }
            let one = self.waiting.remove(at);
            // Whoever gave up waiting is passed over.
            if one.call.send(()).is_ok() {
                self.calls += 1;
                self.last.insert(one.owner, self.calls);
                let busy = self.at_work.entry(one.owner).or_default();
                busy.pieces += 1;
                busy.memory += one.memory;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at_once: usize, each: usize) -> Line {
        Line::new(Sizes { at_once, each, memory: 1000, waiting_each: 3, waiting: 5 })
    }

    fn of(owner: i64) -> Entrant {
        Entrant { owner: Some(owner), at_once: None, memory: 100, in_background: false }
    }

    fn called(receiver: &mut oneshot::Receiver<()>) -> bool {
        receiver.try_recv().is_ok()
    }

    #[test]
    fn a_loud_organisation_queues_behind_itself_v_10() {
        let mut line = line(1, 1);
        let (_, mut first) = line.enter(of(1)).unwrap();
        let (_, mut second) = line.enter(of(1)).unwrap();
        let (_, mut third) = line.enter(of(1)).unwrap();
        let (_, mut quiet) = line.enter(of(2)).unwrap();
        assert!(called(&mut first) && !called(&mut second));
        line.leave(Some(1), 100);
        assert!(called(&mut quiet) && !called(&mut second), "the one that was never called comes first");
        line.leave(Some(2), 100);
        assert!(called(&mut second) && !called(&mut third));
    }

    #[test]
    fn a_full_line_refuses_v_02() {
        let mut line = line(1, 1);
        let held: Vec<_> = (0..4).map(|_| line.enter(of(1)).unwrap()).collect();
        assert!(line.enter(of(1)).is_none(), "three of one organisation wait already");
        let others: Vec<_> = [2, 3].map(|other| line.enter(of(other)).unwrap()).into();
        assert!(line.enter(of(4)).is_none(), "five wait already");
        let job = Entrant { in_background: true, ..of(4) };
        assert!(line.enter(job).is_some(), "a background job is never refused");
        drop((held, others));
    }

    #[test]
    fn memory_is_kept_free_and_nobody_takes_more_than_half() {
        let mut line = line(9, 9);
        let large = |owner| Entrant { memory: 400, ..of(owner) };
        let (_, mut a) = line.enter(large(1)).unwrap();
        let (_, mut b) = line.enter(large(1)).unwrap();
        assert!(called(&mut a) && !called(&mut b), "half of the memory is for others");
        let (_, mut c) = line.enter(large(2)).unwrap();
        assert!(called(&mut c));
        let (waits, mut d) = line.enter(large(3)).unwrap();
        let (_, mut small) = line.enter(of(4)).unwrap();
        assert!(!called(&mut d) && !called(&mut small), "nobody overtakes whoever waits for memory");
        assert!(line.withdraw(waits));
        assert!(called(&mut small));
    }

    #[test]
    fn operators_set_how_much_an_organisation_may_do_at_once() {
        let mut line = line(4, 1);
        let wide = Entrant { at_once: Some(2), ..of(1) };
        let (_, mut a) = line.enter(wide).unwrap();
        let (_, mut b) = line.enter(wide).unwrap();
        let (_, mut c) = line.enter(wide).unwrap();
        assert!(called(&mut a) && called(&mut b) && !called(&mut c));
    }

    #[test]
    fn whoever_gives_up_takes_no_turn() {
        let mut line = line(1, 1);
        let (_, _held) = line.enter(of(1)).unwrap();
        let (_, gone) = line.enter(of(2)).unwrap();
        let (_, mut stays) = line.enter(of(3)).unwrap();
        drop(gone);
        line.leave(Some(1), 100);
        assert!(called(&mut stays));
        assert!(line.last.len() == 1, "the line remembers nobody who is gone");
    }
}
