//! Sizes and capacities resolved to numbers per key.

use std::collections::BTreeSet;

use super::Model;
use crate::size::{Capacity, Clause, Size};

impl Model {
    pub(super) fn compile_loads(&mut self) {
        let mut classes: Vec<BTreeSet<String>> = Vec::new();
        let all: BTreeSet<&String> =
            self.problem.vehicles.iter().flat_map(|v| capacity_keys(&v.capacity)).collect();
        self.keys = all.into_iter().cloned().collect();
        for (vehicle, data) in self.problem.vehicles.iter().zip(&mut self.vehicles) {
            let known: BTreeSet<String> = capacity_keys(&vehicle.capacity).cloned().collect();
            data.class = classes.iter().position(|class| *class == known).unwrap_or_else(|| {
                classes.push(known);
                classes.len() - 1
            });
            data.layouts = vehicle.capacity.0.iter().map(|clause| layout(clause, &self.keys)).collect();
        }
        for class in &classes {
            let representative = Capacity(vec![Clause(
                class.iter().map(|key| crate::size::Part { key: key.clone(), amount: 0 }).collect(),
            )]);
            let amounts: Vec<i64> = self
                .problem
                .stops
                .iter()
                .flat_map(|stop| measured(&representative, &stop.size, &self.keys))
                .collect();
            self.amounts.push(amounts);
            let changes = self.board_changes(self.amounts.len() - 1);
            self.changes.push(changes);
        }
    }

    /// Goods on board: a delivery with one pickup moves its own size from there. A delivery with several
    /// pickups moves from each pickup that serves nothing else the pickup's size; when there is no such
    /// pickup, its own size from the first.
    pub(super) fn compile_goods(&mut self) {
        let mut goods = vec![Vec::new(); self.stops.len()];
        let mut shift = |from: Option<usize>, to: usize, sized: usize| {
            goods[to].push((sized, -1));
            if let Some(from) = from {
                goods[from].push((sized, 1));
            }
        };
        for (index, stop) in self.stops.iter().enumerate() {
            if stop.component.is_none() {
                shift(None, index, index);
                continue;
            }
            let own: Vec<usize> = stop
                .pickups
                .iter()
                .copied()
                .filter(|pickup| self.stops[*pickup].deliveries.len() == 1)
                .collect();
            match (stop.pickups.as_slice(), own.as_slice()) {
                ([], _) => {}
                ([first], _) | ([first, ..], []) => shift(Some(*first), index, index),
                (_, own) => own.iter().for_each(|pickup| shift(Some(*pickup), index, *pickup)),
            }
        }
        self.goods = goods;
    }

    /// What is loaded (+1) and unloaded (-1) at a stop in mode on_board: sizes of which stops.
    pub(crate) fn goods(&self, stop: usize) -> &[(usize, i64)] {
        &self.goods[stop]
    }

    fn board_changes(&self, class: usize) -> Vec<i64> {
        let keys = self.keys.len();
        let mut changes = vec![0; self.stops.len() * keys];
        for (stop, goods) in self.goods.iter().enumerate() {
            for &(sized, sign) in goods {
                for key in 0..keys {
                    changes[stop * keys + key] += sign * self.amounts(class, sized)[key];
                }
            }
        }
        changes
    }
}

fn capacity_keys(capacity: &Capacity) -> impl Iterator<Item = &String> {
    capacity.0.iter().flat_map(|clause| clause.0.iter().map(|part| &part.key))
}

fn layout(clause: &Clause, keys: &[String]) -> Vec<(usize, i64)> {
    keys.iter().enumerate().filter_map(|(key, name)| clause.amount(name).map(|limit| (key, limit))).collect()
}

fn measured(capacity: &Capacity, size: &Size, keys: &[String]) -> Vec<i64> {
    let clause = capacity.counted(size);
    keys.iter().map(|key| clause.and_then(|clause| clause.amount(key)).unwrap_or(0)).collect()
}
