//! Ways from many places to many. From every place the way up is searched alone; the way down is swept once for [`LANES`] places
//! at a time, over the part of the hierarchy that can be reached from any place, copied so that it is read in order.

use rayon::prelude::*;

use super::reach::Numbering;
use super::{Kept, Terminal, View};
use crate::graph::{Cost, FAR, NONE, rounded};

/// Places from which ways are swept at the same time.
const LANES: usize = 16;
/// Rows that are told at the same time where they are not kept.
const ROWS: usize = 512;
/// Weight of a place that nothing comes to: less than [`FAR`] without what lies behind an end.
const UNREACHED: i32 = FAR as i32 / 2;

/// Where ways from and to a place begin and end; nothing where it is on no street.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    pub(crate) starts: Vec<Terminal>,
    /// Their costs are those of what lies behind the place.
    pub(crate) ends: Vec<Terminal>,
    /// Places on the same edge, by their numbers, and the ways that do not leave it.
    pub(crate) direct: Vec<(usize, Cost)>,
}

/// Seconds and metres of the lightest ways from every place to every place, row by row; [`NONE`] where there is no way.
pub(crate) fn table(view: &View, stops: &[Stop], seconds: &mut [u32], metres: &mut [u32]) {
    if !stops.is_empty() {
        Part::new(view, stops).rows(view, stops, seconds, metres);
    }
}

/// The same some rows at a time, which `take` is given in their order; the memory is that of these rows.
pub(crate) fn in_parts(view: &View, stops: &[Stop], mut take: impl FnMut(&mut [u32], &mut [u32])) {
    if stops.is_empty() {
        return;
    }
    let part = Part::new(view, stops);
    let cells = ROWS.min(stops.len()) * stops.len();
    let (mut seconds, mut metres) = (vec![0; cells], vec![0; cells]);
    for from in stops.chunks(ROWS) {
        let cells = from.len() * stops.len();
        let (seconds, metres) = (&mut seconds[..cells], &mut metres[..cells]);
        part.rows(view, from, seconds, metres);
        take(seconds, metres);
    }
}

/// Costs of the ways from some places to a node.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Lanes {
    weight: [i32; LANES],
    duration: [i32; LANES],
    length: [i32; LANES],
}

/// Weight, duration and length.
type Numbers = [i32; 3];

fn numbers(cost: Cost) -> Numbers {
    [cost.weight as i32, cost.duration as i32, cost.length as i32]
}

impl Lanes {
    const FAR: Self =
        Self { weight: [FAR as i32; LANES], duration: [FAR as i32; LANES], length: [FAR as i32; LANES] };

    /// Takes the ways over another node where they are lighter.
    #[inline(always)]
    fn lower(&mut self, over: &Self, [weight, duration, length]: Numbers) {
        // Without branches, so that the lanes are done side by side.
        for lane in 0..LANES {
            let way = over.weight[lane] + weight;
            let better = way < self.weight[lane];
            self.weight[lane] = if better { way } else { self.weight[lane] };
            self.duration[lane] = if better { over.duration[lane] + duration } else { self.duration[lane] };
            self.length[lane] = if better { over.length[lane] + length } else { self.length[lane] };
        }
    }

    /// Seconds and metres; [`NONE`] where no way comes.
    fn told(&self) -> [[u32; LANES]; 2] {
        [&self.duration, &self.length].map(|tenths| {
            std::array::from_fn(|lane| {
                let reached = self.weight[lane] < UNREACHED;
                if reached { rounded(tenths[lane].max(0) as u32) } else { NONE }
            })
        })
    }

    /// Takes a way where it is lighter.
    fn lower_one(&mut self, lane: usize, [weight, duration, length]: Numbers) {
        if weight < self.weight[lane] {
            (self.weight[lane], self.duration[lane], self.length[lane]) = (weight, duration, length);
        }
    }
}

/// Marks a node.
fn mark(open: &mut [u64], node: u32) {
    open[node as usize / 64] |= 1 << (node % 64);
}

/// Arcs, grouped by the node or place that they belong to.
struct Arcs {
    first: Vec<u32>,
    all: Vec<(u32, Numbers)>,
}

impl Arcs {
    fn new() -> Self {
        Self { first: vec![0], all: Vec::new() }
    }

    /// The shortcuts of a node, by the numbers of where they lead.
    fn push(&mut self, shortcuts: Kept, node: u32, index: &Numbering) {
        self.all
            .extend(shortcuts.of(node).map(|shortcut| (index.of(shortcut.head), numbers(shortcut.cost()))));
    }

    /// What was pushed belongs together.
    fn end(&mut self) {
        self.first.push(self.all.len() as u32);
    }

    fn of(&self, at: usize) -> &[(u32, Numbers)] {
        &self.all[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

/// The part of the hierarchy above all places, highest node first.
struct Part {
    /// Number of every node in here.
    index: Numbering,
    /// How many there are.
    nodes: usize,
    /// From what lies above places that ways start at.
    up: Arcs,
    /// To what lies above places that ways end at.
    down: Arcs,
    /// From every place to its ends; the costs are less than nothing.
    back: Arcs,
}

impl Part {
    fn new(view: &View, stops: &[Stop]) -> Self {
        let above = |kept: Kept, of: fn(&Stop) -> &[Terminal]| {
            let (mut found, mut known) = (Vec::new(), Numbering::none(view.rank.len()));
            let terminals = stops.iter().flat_map(of);
            kept.reach(terminals.map(|terminal| view.node(terminal.edge)), &mut found, &mut known);
            (found, known)
        };
        let (mut members, starts) = above(view.up, |stop| &stop.starts);
        let (ends, to_ends) = above(view.down, |stop| &stop.ends);
        members.extend(ends.into_iter().filter(|node| starts.of(*node) == NONE));
        members.sort_unstable_by(|one, other| other.cmp(one));
        let mut index = Numbering::none(view.rank.len());
        for (at, node) in (0..).zip(&members) {
            index.set(*node, at);
        }
        let (mut up, mut down, mut back) = (Arcs::new(), Arcs::new(), Arcs::new());
        for node in &members {
            if starts.of(*node) != NONE {
                up.push(view.up, *node, &index);
            }
            if to_ends.of(*node) != NONE {
                down.push(view.down, *node, &index);
            }
            up.end();
            down.end();
        }
        for stop in stops {
            for end in &stop.ends {
                let behind = numbers(end.cost).map(|cost| -cost);
                back.all.push((index.of(view.node(end.edge)), behind));
            }
            back.end();
        }
        Self { index, nodes: members.len(), up, down, back }
    }

    /// Seconds and metres of the ways from some places to all.
    fn rows(&self, view: &View, from: &[Stop], seconds: &mut [u32], metres: &mut [u32]) {
        let cells = LANES * (self.back.first.len() - 1);
        let parts = from.par_chunks(LANES);
        let parts = parts.zip(seconds.par_chunks_mut(cells)).zip(metres.par_chunks_mut(cells));
        parts.for_each_init(
            || (vec![Lanes::FAR; self.nodes], vec![0; self.nodes.div_ceil(64)]),
            |(lanes, open), ((from, seconds), metres)| {
                lanes.fill(Lanes::FAR);
                for (lane, stop) in from.iter().enumerate() {
                    for start in &stop.starts {
                        let node = self.index.of(view.node(start.edge));
                        lanes[node as usize].lower_one(lane, numbers(start.cost));
                        mark(open, node);
                    }
                    self.climb(open, lane, lanes);
                }
                self.sweep(lanes);
                self.tell(from, lanes, seconds, metres);
            },
        );
    }

    /// The ways up from the nodes that are marked, in one lane; whatever leads to a node lies below it.
    fn climb(&self, open: &mut [u64], lane: usize, lanes: &mut [Lanes]) {
        for word in (0..open.len()).rev() {
            while open[word] != 0 {
                let bit = 63 - open[word].leading_zeros();
                open[word] ^= 1 << bit;
                let node = word * 64 + bit as usize;
                let from = &lanes[node];
                let from = [from.weight[lane], from.duration[lane], from.length[lane]];
                for (head, cost) in self.up.of(node) {
                    let way = [from[0] + cost[0], from[1] + cost[1], from[2] + cost[2]];
                    lanes[*head as usize].lower_one(lane, way);
                    mark(open, *head);
                }
            }
        }
    }

    /// The ways down from the highest node to the lowest.
    fn sweep(&self, lanes: &mut [Lanes]) {
        for node in 0..lanes.len() {
            let (above, rest) = lanes.split_at_mut(node);
            for (head, cost) in self.down.of(node) {
                rest[0].lower(&above[*head as usize], *cost);
            }
        }
    }

    /// Writes the rows of some places.
    fn tell(&self, from: &[Stop], lanes: &[Lanes], seconds: &mut [u32], metres: &mut [u32]) {
        let size = self.back.first.len() - 1;
        // Some columns at a time, so that what is written lies together.
        for first in (0..size).step_by(LANES) {
            let count = LANES.min(size - first);
            let mut columns = [[[NONE; LANES]; 2]; LANES];
            for (to, column) in (first..first + count).zip(&mut columns) {
                let mut best = Lanes { weight: [UNREACHED; LANES], ..Lanes::FAR };
                for (end, cost) in self.back.of(to) {
                    best.lower(&lanes[*end as usize], *cost);
                }
                *column = best.told();
            }
            for (lane, rows) in seconds.chunks_mut(size).zip(metres.chunks_mut(size)).enumerate() {
                for (kind, row) in [rows.0, rows.1].into_iter().enumerate() {
                    let values: [u32; LANES] = std::array::from_fn(|at| columns[at][kind][lane]);
                    match row[first..].first_chunk_mut() {
                        // Of a known length, which is copied at once.
                        Some(whole) => *whole = values,
                        None => row[first..].copy_from_slice(&values[..count]),
                    }
                }
            }
        }
        for (lane, stop) in from.iter().enumerate() {
            for (to, way) in &stop.direct {
                let over = |(end, cost): &(u32, Numbers)| lanes[*end as usize].weight[lane] + cost[0];
                if self.back.of(*to).iter().all(|end| numbers(*way)[0] <= over(end)) {
                    seconds[lane * size + to] = rounded(way.duration);
                    metres[lane * size + to] = rounded(way.length);
                }
            }
        }
    }
}
