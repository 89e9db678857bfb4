//! Pickup and delivery links between stops.

use crate::problem::Link;

/// Finds a cycle among the links: the stops of one, each the pickup of the next and the first repeated at
/// the end, e.g. `[2, 5, 2]`. `None` when the links can be served in some order.
pub fn cycle(stops: usize, links: &[Link]) -> Option<Vec<usize>> {
    let mut onward = vec![Vec::new(); stops];
    for link in links.iter().filter(|link| link.pickup < stops && link.delivery < stops) {
        onward[link.pickup].push(link.delivery);
    }
    // 0 = not seen, 1 = on the current path, 2 = done
    let mut mark = vec![0_u8; stops];
    for root in 0..stops {
        let mut path = vec![(root, 0)];
        if mark[root] != 0 {
            continue;
        }
        mark[root] = 1;
        while let Some((stop, next)) = path.last_mut() {
            let Some(&to) = onward[*stop].get(*next) else {
                mark[*stop] = 2;
                path.pop();
                continue;
            };
            *next += 1;
            match mark[to] {
                0 => {
                    mark[to] = 1;
                    path.push((to, 0));
                }
                1 => {
                    let from = path.iter().position(|(stop, _)| *stop == to).unwrap_or(0);
                    let mut found: Vec<usize> = path[from..].iter().map(|(stop, _)| *stop).collect();
                    found.push(to);
                    return Some(found);
                }
                _ => {}
            }
        }
    }
    None
}
