//! The line in front of the work: who waits, who is at work, who is next.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// Time for which an organisation that was called counts as one that the others are beside.
const LATELY: Duration = Duration::from_secs(2);
/// A piece of work that has lasted so long keeps its organisation's next one no longer from being called beside others.
pub(crate) const SHORT: Duration = Duration::from_secs(1);

/// How much is done at the same time, and how much may wait.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Pieces of work at the same time, of all organisations.
    pub at_once: usize,
    /// Of these at most so many of one organisation, unless operators allow it another number.
    pub each: usize,
    /// Of these at most so many that have only begun while other organisations work, wait or were called lately: what one that
    /// sends much at once may take from the others. An organisation alone has all of `each`.
    pub beside_others: usize,
    /// Memory of all pieces of work at the same time, bytes.
    pub memory: u64,
    /// Of this at most so much for one organisation with more than one piece of work, bytes.
    pub memory_each: u64,
    /// Pieces of work of one organisation that may wait; those in the background are not counted.
    pub waiting_each: usize,
    /// Pieces of work of all organisations that may wait; those in the background are not counted.
    pub waiting: usize,
    /// Longest that somebody waits for a turn; work in the background waits however long it takes.
    pub patience: Duration,
}

/// Who stands in line: an organisation, or work of none.
pub(crate) type Owner = Option<i64>;

#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) sizes: Sizes,
    at_work: HashMap<Owner, Vec<Piece>>,
    /// When each organisation was called last; only of those that wait, work or were called lately.
    last: HashMap<Owner, Call>,
    /// In the order of arrival.
    waiting: Vec<Waiting>,
    calls: u64,
    tickets: u64,
}

/// A piece of work under way.
#[derive(Debug)]
struct Piece {
    ticket: u64,
    memory: u64,
    since: Instant,
}

#[derive(Debug, Clone, Copy)]
struct Call {
    /// Counted in calls.
    number: u64,
    at: Instant,
}

/// What an organisation has under way.
#[derive(Debug, Default, Clone, Copy)]
struct Busy {
    pieces: usize,
    /// Those that have only begun.
    short: usize,
    memory: u64,
}

#[derive(Debug)]
struct Waiting {
    ticket: u64,
    owner: Owner,
    each: usize,
    beside_others: usize,
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
    pub(crate) fn enter(&mut self, entrant: Entrant, now: Instant) -> Option<(u64, oneshot::Receiver<()>)> {
        let Entrant { owner, memory, in_background, .. } = entrant;
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
        let ticket = self.tickets;
        let limit = |usual| entrant.at_once.unwrap_or(usual).clamp(1, self.sizes.at_once);
        let (each, beside_others) = (limit(self.sizes.each), limit(self.sizes.beside_others));
        self.waiting.push(Waiting { ticket, owner, each, beside_others, memory, in_background, call });
        self.call_next(now);
        Some((ticket, called))
    }

    /// How many wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// How many pieces of work of somebody are under way.
    #[cfg(test)]
    pub(crate) fn at_work_of(&self, owner: Owner) -> usize {
        self.at_work.get(&owner).map_or(0, Vec::len)
    }

    /// Takes somebody out of the line who no longer waits; whether he was still in it.
    pub(crate) fn withdraw(&mut self, ticket: u64, now: Instant) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|waiting| waiting.ticket != ticket);
        let was_in = self.waiting.len() < before;
        if was_in {
            // He may have been first, waiting for more memory than the others need.
            self.call_next(now);
        }
        was_in
    }

    /// Ends a turn.
    pub(crate) fn leave(&mut self, owner: Owner, ticket: u64, now: Instant) {
        if let Some(pieces) = self.at_work.get_mut(&owner) {
            pieces.retain(|piece| piece.ticket != ticket);
            if pieces.is_empty() {
                self.at_work.remove(&owner);
            }
        }
        self.call_next(now);
        let present = self.present(now);
        self.last.retain(|owner, _| present.contains(owner));
    }

    /// Who works, waits or was called lately.
    fn present(&self, now: Instant) -> HashSet<Owner> {
        let lately = |call: &Call| now.saturating_duration_since(call.at) < LATELY;
        let lately = self.last.iter().filter(|(_, call)| lately(call)).map(|(owner, _)| *owner);
        lately.chain(self.at_work.keys().copied()).chain(self.waiting.iter().map(|one| one.owner)).collect()
    }

    fn busy(&self, owner: Owner, now: Instant) -> Busy {
        let pieces = self.at_work.get(&owner).into_iter().flatten();
        pieces.fold(Busy::default(), |busy, piece| Busy {
            pieces: busy.pieces + 1,
            short: busy.short + usize::from(now.saturating_duration_since(piece.since) < SHORT),
            memory: busy.memory + piece.memory,
        })
    }

    /// Calls as many as there is room for: of those below their limits the one whose organisation has the fewest at work, then
    /// the organisation that was called longest ago. Whoever is next and too large for the memory that is left waits for it, and
    /// nobody overtakes him.
    pub(crate) fn call_next(&mut self, now: Instant) {
        let beside_others = self.present(now).len() > 1;
        loop {
            let (pieces, memory) = self
                .at_work
                .values()
                .flatten()
                .fold((0, 0), |(pieces, memory), one| (pieces + 1, memory + one.memory));
            if pieces >= self.sizes.at_once {
                return;
            }
            let next = self
                .waiting
                .iter()
                .enumerate()
                .map(|(at, one)| (at, one, self.busy(one.owner, now)))
                .filter(|(_, one, busy)| busy.pieces < one.each)
                .filter(|(_, one, busy)| !beside_others || busy.short < one.beside_others)
                // One piece alone may take more than that, or it would never be called.
                .filter(|(_, one, busy)| {
                    busy.pieces == 0 || busy.memory + one.memory <= self.sizes.memory_each
                })
                .min_by_key(|(at, one, busy)| {
                    let last = self.last.get(&one.owner).map_or(0, |call| call.number);
                    (busy.pieces, one.in_background, last, *at)
                })
                .map(|(at, ..)| at);
            let Some(at) = next else { return };
            let fits = self.waiting.get(at).is_some_and(|one| memory + one.memory <= self.sizes.memory);
            if !fits && pieces > 0 {
                return;
            }
            let Waiting { ticket, owner, memory, call, .. } = self.waiting.remove(at);
            // Whoever gave up waiting is passed over.
            if call.send(()).is_ok() {
                self.calls += 1;
                self.last.insert(owner, Call { number: self.calls, at: now });
                self.at_work.entry(owner).or_default().push(Piece { ticket, memory, since: now });
            }
        }
    }
}

#[cfg(test)]
mod tests;
