//! Tags of a node, a way or a relation.

/// Keys and values.
#[derive(Debug, Default)]
pub(crate) struct Tags<'a>(Vec<(&'a str, &'a str)>);

/// Which way along a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

impl<'a> FromIterator<(&'a str, &'a str)> for Tags<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(tags: I) -> Self {
        Self(tags.into_iter().collect())
    }
}

impl<'a> Tags<'a> {
    /// Value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// Whether a key has this value.
    pub(crate) fn is(&self, key: &str, value: &str) -> bool {
        self.get(key) == Some(value)
    }

    /// Value of the first of these keys that is there, for one direction: `key:forward` goes before `key`.
    pub(crate) fn directed(&self, keys: &[&str], direction: Direction) -> Option<&'a str> {
        let suffix = match direction {
            Direction::Forward => ":forward",
            Direction::Backward => ":backward",
        };
        let of_direction = |key: &str| {
            self.0
                .iter()
                .find(|(name, _)| name.strip_suffix(suffix).is_some_and(|name| name == key))
                .map(|(_, value)| *value)
        };
        keys.iter().find_map(|key| of_direction(key).or_else(|| self.get(key)))
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
