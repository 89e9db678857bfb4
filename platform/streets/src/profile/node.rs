//! What happens at a node of a way: barriers, signals, signs.

use super::access::{Access, access};
use super::numbers;
use super::{Profile, Tags};

/// Seconds that a gate costs.
const GATE: f64 = 60.0;

/// What a node costs whoever passes it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Passage {
    /// Whether it cannot be passed.
    pub(crate) closed: bool,
    /// Seconds, along the way and against it.
    pub(crate) delay: [f64; 2],
}

impl Profile {
    /// Whether and how fast this node is passed.
    pub(crate) fn passage(&self, tags: &Tags) -> Passage {
        let mut passage = Passage::default();
        let keys: Vec<&str> = self.access.iter().map(String::as_str).collect();
        match (keys.iter().find_map(|key| tags.get(key)), tags.get("barrier")) {
            (Some(value), _) => passage.closed = access(value) == Access::No,
            (None, Some("gate" | "lift_gate")) => passage.delay = [GATE; 2],
            (None, Some(barrier)) => passage.closed = !self.passes(barrier, tags),
            (None, None) => {}
        }
        let (seconds, direction) = match tags.get("highway") {
            Some("traffic_signals") => {
                (2.0, tags.get("traffic_signals:direction").or_else(|| tags.get("direction")))
            }
            Some("stop") if !tags.is("stop", "minor") => (2.0, tags.get("direction")),
            Some("give_way") => (1.0, tags.get("direction")),
            _ => return passage,
        };
        let [along, against] = &mut passage.delay;
        match direction {
            Some("forward") => *along += seconds,
            Some("backward") => *against += seconds,
            _ => {
                *along += seconds;
                *against += seconds;
            }
        }
        passage
    }

    fn passes(&self, barrier: &str, tags: &Tags) -> bool {
        match barrier {
            "cattle_grid" | "border_control" | "toll_booth" | "sally_port" | "no" | "entrance" => true,
            "height_restrictor" | "arch" => {
                tags.get("maxheight").and_then(numbers::metres).is_none_or(|limit| limit >= self.size.height)
            }
            "bollard" if tags.is("bollard", "rising") => true,
            "kerb" => matches!(tags.get("kerb"), Some("lowered" | "flush")) || tags.is("highway", "crossing"),
            "fence" => matches!(tags.get("sensory"), Some("audible" | "audio")),
            // What stops a car has a gap for whatever is narrow.
            "bollard" | "block" | "cycle_barrier" | "chain" | "bump_gate" => self.size.width < 1.0,
            _ => false,
        }
    }
}
