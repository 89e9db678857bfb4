//! Costs of shortcuts. The library does this for one number; here the duration and the length go with the weight.

use cch::Cch;
use cch::bundle::INVALID_ID;

use super::Costs;
use crate::graph::{Cost, Driver, Graph, NONE};

/// Costs of all shortcuts for a profile at some hours.
pub(crate) fn customize(cch: &Cch, graph: &Graph, driver: &Driver) -> Costs {
    let mut costs =
        Costs { up: vec![Cost::FAR; cch.cch_arc_count()], down: vec![Cost::FAR; cch.cch_arc_count()] };
    for tail in 0..graph.edges() as u32 {
        for arc in graph.arcs(tail) {
            let shortcut = cch.input_arc_to_cch_arc[arc];
            if shortcut == INVALID_ID {
                continue;
            }
            let Some(cost) = graph.arc_cost(tail, arc, driver) else { continue };
            let upwards = cch.rank[tail as usize] < cch.rank[graph.arc_head[arc] as usize];
            let costs = if upwards { &mut costs.up } else { &mut costs.down };
            let slot = &mut costs[shortcut as usize];
            *slot = cost.min(*slot);
        }
    }
    shorten(cch, &mut costs);
    drop_detours(cch, &mut costs);
    costs
}

/// Lowers every shortcut to the cheapest way over a node below both of its ends, lowest first.
fn shorten(cch: &Cch, costs: &mut Costs) {
    let mut arc_to = vec![0; cch.node_count()];
    for node in 0..cch.node_count() {
        for arc in cch.up_first_out[node]..cch.up_first_out[node + 1] {
            arc_to[cch.up_head[arc as usize] as usize] = arc as usize;
        }
        for down in cch.down_first_out[node]..cch.down_first_out[node + 1] {
            let bottom = cch.down_to_up[down as usize] as usize;
            let below = cch.down_head[down as usize] as usize;
            let arcs = cch.up_first_out[below] as usize..cch.up_first_out[below + 1] as usize;
            let (to_below, from_below) = (costs.down[bottom], costs.up[bottom]);
            for middle in arcs.rev() {
                let above = cch.up_head[middle] as usize;
                if above <= node {
                    break;
                }
                let top = arc_to[above];
                if to_below.reached() {
                    let way = to_below.then(costs.up[middle]);
                    costs.up[top] = costs.up[top].min(way);
                }
                if from_below.reached() {
                    let way = costs.down[middle].then(from_below);
                    costs.down[top] = costs.down[top].min(way);
                }
            }
        }
    }
}

/// Takes away every shortcut that is heavier than a way over a node above its lower end, highest first. No lightest way leads over
/// one, and searches have less than half as much to look at.
fn drop_detours(cch: &Cch, costs: &mut Costs) {
    let (mut up_detours, mut down_detours) = (vec![false; costs.up.len()], vec![false; costs.down.len()]);
    let mut arc_to = vec![NONE; cch.node_count()];
    for node in (0..cch.node_count()).rev() {
        let arcs = cch.up_first_out[node] as usize..cch.up_first_out[node + 1] as usize;
        for arc in arcs.clone() {
            arc_to[cch.up_head[arc] as usize] = arc as u32;
        }
        for arc in arcs.clone() {
            let middle = cch.up_head[arc] as usize;
            for across in cch.up_first_out[middle] as usize..cch.up_first_out[middle + 1] as usize {
                let other = arc_to[cch.up_head[across] as usize];
                if other == NONE {
                    continue;
                }
                let other = other as usize;
                // What lies above is as light as can be, so that it does not matter which of the two is looked at first.
                let ways = [
                    (other, costs.up[arc].then(costs.up[across]), costs.down[across].then(costs.down[arc])),
                    (arc, costs.up[other].then(costs.down[across]), costs.up[across].then(costs.down[other])),
                ];
                for (shortcut, up, down) in ways {
                    for (kept, is_detour, way) in [
                        (&mut costs.up[shortcut], &mut up_detours[shortcut], up),
                        (&mut costs.down[shortcut], &mut down_detours[shortcut], down),
                    ] {
                        if way < *kept {
                            *kept = way;
                            *is_detour = true;
                        }
                    }
                }
            }
        }
        for arc in arcs {
            arc_to[cch.up_head[arc] as usize] = NONE;
        }
    }
    for (costs, detours) in [(&mut costs.up, up_detours), (&mut costs.down, down_detours)] {
        for (cost, _) in costs.iter_mut().zip(detours).filter(|(_, is_detour)| *is_detour) {
            *cost = Cost::FAR;
        }
    }
}
