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
        let driven = |edge: usize| graph.edge_driven[edge] & bit != 0;
        let open = |arc: usize| graph.arc_blocked[arc] & bit == 0;
        for edge in large(graph, driven, open) {
            connected[edge] |= bit;
        }
    }
    connected
}

/// Edges of networks that lead somewhere, when these edges are driven and these arcs open.
pub(crate) fn large(
    graph: &Graph,
    driven: impl Fn(usize) -> bool,
    open: impl Fn(usize) -> bool,
) -> impl Iterator<Item = usize> {
    let parts = parts(graph, &driven, open);
    let mut sizes = vec![0_usize; parts.len() + 1];
    for (edge, part) in parts.iter().enumerate() {
        sizes[*part as usize] += usize::from(driven(edge));
    }
    let large = sizes.iter().copied().max().unwrap_or(0).min(LARGE);
    parts
        .into_iter()
        .enumerate()
        .filter(move |(edge, part)| driven(*edge) && sizes[*part as usize] >= large)
        .map(|(edge, _)| edge)
}

/// Part of every edge.
fn parts(graph: &Graph, driven: &impl Fn(usize) -> bool, open: impl Fn(usize) -> bool) -> Vec<u32> {
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
                if !(open(arc) && driven(at) && driven(head)) {
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
