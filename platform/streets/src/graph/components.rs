//! Parts of the network that can be left and come back to: Tarjan's strongly connected components, without recursion.

use super::Graph;

/// A part with at least as many edges is a network of its own, such as that of an island.
const LARGE: usize = 1_000;
const NEW: u32 = u32::MAX;

/// By edge, one bit for each profile: whether it belongs to a network that leads somewhere.
pub(super) fn connected(graph: &Graph, members: &[usize]) -> Vec<u8> {
    let mut connected = vec![0; graph.edges()];
    for member in members {
        let bit = 1 << member;
        let parts = parts(graph, bit);
        let mut sizes = vec![0_usize; parts.len() + 1];
        for (edge, part) in parts.iter().enumerate() {
            sizes[*part as usize] += usize::from(graph.edge_driven[edge] & bit != 0);
        }
        let large = sizes.iter().copied().max().unwrap_or(0).min(LARGE);
        for (edge, part) in parts.iter().enumerate() {
            if graph.edge_driven[edge] & bit != 0 && sizes[*part as usize] >= large {
                connected[edge] |= bit;
            }
        }
    }
    connected
}

/// Part of every edge.
fn parts(graph: &Graph, bit: u8) -> Vec<u32> {
    let edges = graph.edges();
    let (mut order, mut low, mut part) = (vec![NEW; edges], vec![0_u32; edges], vec![NEW; edges]);
    let (mut stack, mut path) = (Vec::new(), Vec::<(u32, usize)>::new());
    let (mut visited, mut parts) = (0, 0);
    for root in 0..edges as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        path.push((root, graph.arcs(root).start));
        while let Some((edge, next)) = path.last_mut() {
            let at = *edge as usize;
            if order[at] == NEW {
                order[at] = visited;
                low[at] = visited;
                visited += 1;
                stack.push(*edge);
            }
            if *next < graph.arcs(*edge).end {
                let arc = *next;
                *next += 1;
                let head = graph.arc_head[arc] as usize;
                let open = graph.arc_blocked[arc] & bit == 0
                    && graph.edge_driven[at] & graph.edge_driven[head] & bit != 0;
                if !open {
                    continue;
                }
                if order[head] == NEW {
                    path.push((head as u32, graph.arcs(head as u32).start));
                } else if part[head] == NEW {
                    low[at] = low[at].min(order[head]);
                }
                continue;
            }
            let (edge, low_edge) = (*edge, low[at]);
            path.pop();
            if let Some((before, _)) = path.last() {
                let before = *before as usize;
                low[before] = low[before].min(low_edge);
            }
            if low_edge == order[at] {
                while let Some(member) = stack.pop() {
                    part[member as usize] = parts;
                    if member == edge {
                        break;
                    }
                }
                parts += 1;
            }
        }
    }
    part
}
