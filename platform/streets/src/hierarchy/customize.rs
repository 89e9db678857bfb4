//! Costs of shortcuts. Weights come first, for all of them; how long a way takes and how far it is, is only worked out for the
//! shortcuts that lightest ways lead over. It takes eight bytes for each shortcut, and some for each node.

use super::Shape;
use super::kept::{Costs, Direction, Shortcut};
use crate::graph::{Driver, FAR, Graph, NONE};
use crate::own::Bits;

/// Costs of all shortcuts for a profile at some hours.
pub(crate) fn customize(shape: &Shape, graph: &Graph, driver: &Driver) -> Costs {
    let mut weights = Weights::of(shape, graph, driver);
    weights.shorten();
    let detours = weights.detours();
    let Weights { first, head, up: upwards, down: downwards } = weights;
    // Weights are given back as soon as it is known which shortcuts stay.
    let mut up = keep(first, head, &upwards, &detours.up);
    drop(upwards);
    let mut down = keep(first, head, &downwards, &detours.down);
    drop(downwards);
    fill(shape, graph, driver, &mut up, &mut down);
    let [up, down] = [up, down].map(|kept| Direction::new(kept.first, kept.all));
    Costs { up, down }
}

/// Weights of all shortcuts, upwards and downwards.
struct Weights<'a> {
    first: &'a [u32],
    head: &'a [u32],
    up: Vec<u32>,
    down: Vec<u32>,
}

/// Whether shortcuts are heavier than a way over nodes above them.
struct Detours {
    up: Bits,
    down: Bits,
}

impl<'a> Weights<'a> {
    /// Those of the arcs of the graph.
    fn of(shape: &'a Shape, graph: &Graph, driver: &Driver) -> Self {
        let (first, head) = (&*shape.first, &*shape.head);
        let mut weights = Self { first, head, up: vec![FAR; head.len()], down: vec![FAR; head.len()] };
        let rank = &*shape.rank;
        graph.each_cost(driver, |tail, next, cost| {
            let (tail, next) = (rank[tail as usize], rank[next as usize]);
            let (low, high) = (tail.min(next), tail.max(next));
            let own = weights.arcs(low as usize);
            let Ok(at) = head[own.clone()].binary_search(&high) else { return };
            let all = if tail < next { &mut weights.up } else { &mut weights.down };
            all[own.start + at] = all[own.start + at].min(cost.weight);
        });
        weights
    }

    fn arcs(&self, node: usize) -> std::ops::Range<usize> {
        self.first[node] as usize..self.first[node + 1] as usize
    }

    /// Lowers every shortcut to the lightest way over a node below both of its ends, lowest first.
    fn shorten(&mut self) {
        let nodes = self.first.len() - 1;
        let mut arc_to = vec![0; nodes];
        // Nodes below whose next shortcut leads to a node, as a list; and that shortcut.
        let (mut waits, mut other) = (vec![NONE; nodes], vec![NONE; nodes]);
        let mut next: Vec<u32> = self.first[..nodes].to_vec();
        for node in 0..nodes {
            for arc in self.arcs(node) {
                arc_to[self.head[arc] as usize] = arc;
            }
            let mut below = waits[node];
            while below != NONE {
                let following = other[below as usize];
                let (bottom, end) = (next[below as usize] as usize, self.first[below as usize + 1] as usize);
                let (to_below, from_below) = (self.down[bottom], self.up[bottom]);
                if to_below < FAR || from_below < FAR {
                    for middle in bottom + 1..end {
                        let top = arc_to[self.head[middle] as usize];
                        self.up[top] = self.up[top].min(to_below + self.up[middle]);
                        self.down[top] = self.down[top].min(self.down[middle] + from_below);
                    }
                }
                self.wait(&mut waits, &mut other, &mut next, below, bottom + 1);
                below = following;
            }
            self.wait(&mut waits, &mut other, &mut next, node as u32, self.first[node] as usize);
        }
    }

    /// A node waits for the one that a shortcut of it leads to.
    fn wait(&self, waits: &mut [u32], other: &mut [u32], next: &mut [u32], node: u32, arc: usize) {
        if arc < self.first[node as usize + 1] as usize {
            next[node as usize] = arc as u32;
            let above = self.head[arc] as usize;
            other[node as usize] = waits[above];
            waits[above] = node;
        }
    }

    /// Finds every shortcut that is heavier than a way over a node above its lower end, highest first. No lightest way leads over
    /// one.
    fn detours(&mut self) -> Detours {
        let mut detours = Detours { up: Bits::new(self.head.len()), down: Bits::new(self.head.len()) };
        let mut arc_to = vec![NONE; self.first.len() - 1];
        for node in (0..self.first.len() - 1).rev() {
            let arcs = self.arcs(node);
            for arc in arcs.clone() {
                arc_to[self.head[arc] as usize] = arc as u32;
            }
            for arc in arcs.clone() {
                let middle = self.head[arc] as usize;
                for across in self.arcs(middle) {
                    let other = arc_to[self.head[across] as usize];
                    if other == NONE {
                        continue;
                    }
                    let other = other as usize;
                    // What lies above is as light as can be, so that it does not matter which of the two is looked at first.
                    let (to, from) = (self.up[across], self.down[across]);
                    lower(&mut self.up, &mut detours.up, other, arc, to);
                    lower(&mut self.down, &mut detours.down, other, arc, from);
                    lower(&mut self.up, &mut detours.up, arc, other, from);
                    lower(&mut self.down, &mut detours.down, arc, other, to);
                }
            }
            for arc in arcs {
                arc_to[self.head[arc] as usize] = NONE;
            }
        }
        detours
    }
}

/// Lowers a shortcut to the way over another one and what lies between where they lead.
fn lower(weights: &mut [u32], detours: &mut Bits, shortcut: usize, over: usize, across: u32) {
    let way = weights[over] + across;
    if way < weights[shortcut] {
        weights[shortcut] = way;
        detours.set(shortcut);
    }
}

/// Shortcuts that stay, while it is found out what they lead over.
struct Staying {
    first: Vec<u32>,
    all: Vec<Shortcut>,
}

fn keep(first: &[u32], head: &[u32], weights: &[u32], detours: &Bits) -> Staying {
    let stays = |arc: &usize| weights[*arc] < FAR && !detours.has(*arc);
    let mut staying = Staying { first: Vec::with_capacity(first.len()), all: Vec::new() };
    staying.all.reserve_exact((0..head.len()).filter(stays).count());
    staying.first.push(0);
    for ends in first.windows(2) {
        let arcs = (ends[0] as usize..ends[1] as usize).filter(stays);
        staying.all.extend(arcs.map(|arc| Shortcut::new(head[arc], weights[arc])));
        staying.first.push(staying.all.len() as u32);
    }
    staying
}

impl Staying {
    fn own(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    fn between(&mut self, node: u32, above: u32) -> Option<&mut Shortcut> {
        let own = &mut { self.own(node) };
        let all = &mut self.all[own.clone()];
        all.binary_search_by_key(&above, |shortcut| shortcut.head).ok().map(|at| &mut all[at])
    }
}

/// Finds out what shortcuts lead over, and what that costs: an arc, or two shortcuts over a node below, which are known before it.
fn fill(shape: &Shape, graph: &Graph, driver: &Driver, up: &mut Staying, down: &mut Staying) {
    let rank = &*shape.rank;
    graph.each_cost(driver, |tail, next, cost| {
        let (tail, next) = (rank[tail as usize], rank[next as usize]);
        let kept = if tail < next { &mut *up } else { &mut *down };
        if let Some(shortcut) = kept.between(tail.min(next), tail.max(next)) {
            shortcut.leads(cost, NONE);
        }
    });
    for below in 0..rank.len() as u32 {
        for to_below in down.own(below) {
            for from_below in up.own(below) {
                let (to, from) = (down.all[to_below], up.all[from_below]);
                if to.head == from.head {
                    continue;
                }
                let kept = if to.head < from.head { &mut *up } else { &mut *down };
                if let Some(shortcut) = kept.between(to.head.min(from.head), to.head.max(from.head)) {
                    shortcut.leads(to.cost().then(from.cost()), below);
                }
            }
        }
    }
}
