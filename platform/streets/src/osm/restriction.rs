//! Turn restrictions.

use osmpbf::{RelMemberType, Relation};

use crate::profile::{Conditions, Profiles, Tags};

/// A turn that is forbidden, or the only one that is allowed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Restriction {
    /// Id of the way that one comes from.
    pub(crate) from: i64,
    /// Where one turns.
    pub(crate) via: Via,
    /// Id of the way that one turns into.
    pub(crate) to: i64,
    /// Whether this turn is the only one, not a forbidden one.
    pub(crate) only: bool,
    /// Profiles that it holds for, one bit each.
    pub(crate) holds: u8,
}

/// Where one turns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Via {
    /// At a node.
    Node(u32),
    /// Along all of the ways with these ids.
    Ways(Vec<i64>),
}

/// A restriction whose node is known by its id.
pub(super) struct Found {
    restriction: Restriction,
    node: Option<i64>,
}

impl Found {
    /// Reads a relation; `None` when it restricts no turn of anybody.
    pub(super) fn read(
        relation: &Relation,
        profiles: &Profiles,
        conditions: &mut Conditions,
    ) -> Option<Self> {
        let tags: Tags = relation.tags().collect();
        if !matches!(tags.get("type"), Some("restriction" | "restriction:hgv")) {
            return None;
        }
        let (kind, holds) = kind(&tags, profiles, conditions)?;
        let only = kind.starts_with("only_");
        if holds == 0 || !(only || kind.starts_with("no_")) {
            return None;
        }
        let (mut from, mut to, mut node, mut ways) = (None, None, None, Vec::new());
        for member in relation.members() {
            match (member.role().ok()?, member.member_type) {
                ("from", RelMemberType::Way) => from = Some(member.member_id),
                ("to", RelMemberType::Way) => to = Some(member.member_id),
                ("via", RelMemberType::Node) => node = Some(member.member_id),
                ("via", RelMemberType::Way) => ways.push(member.member_id),
                _ => {}
            }
        }
        let via = match node {
            Some(_) => Via::Node(0),
            None if ways.is_empty() => return None,
            None => Via::Ways(ways),
        };
        Some(Self { restriction: Restriction { from: from?, via, to: to?, only, holds }, node })
    }

    /// With the index of its node; `None` when nothing is driven there.
    pub(super) fn numbered(self, index: impl Fn(&i64) -> Option<u32>) -> Option<Restriction> {
        let via = match self.node {
            Some(node) => Via::Node(index(&node)?),
            None => self.restriction.via,
        };
        Some(Restriction { via, ..self.restriction })
    }
}

/// What is restricted and for which profiles.
fn kind<'a>(tags: &Tags<'a>, profiles: &Profiles, conditions: &mut Conditions) -> Option<(&'a str, u8)> {
    let mut exempt = tags.get("except").unwrap_or_default().split(';').map(str::trim);
    let exempt: Vec<&str> = exempt.by_ref().collect();
    let bits = |holds: &dyn Fn(&[String]) -> bool| {
        let profiles = profiles.profiles.iter().enumerate();
        profiles.filter(|(_, profile)| holds(&profile.restrictions)).fold(0, |bits, (at, _)| bits | 1 << at)
    };
    if let Some(kind) = tags.get("restriction") {
        let holds = bits(&|names| !names.iter().any(|name| exempt.contains(&name.as_str())));
        return Some((kind, holds));
    }
    let names = || profiles.profiles.iter().flat_map(|profile| &profile.restrictions);
    let named = |name: &String| bits(&|names: &[String]| names.contains(name));
    if let Some((kind, name)) =
        names().find_map(|name| Some((tags.get(&format!("restriction:{name}"))?, name)))
    {
        return Some((kind, named(name)));
    }
    let (text, holds) = match tags.get("restriction:conditional") {
        Some(text) => (text, bits(&|names| !names.iter().any(|name| exempt.contains(&name.as_str())))),
        None => names()
            .find_map(|name| Some((tags.get(&format!("restriction:{name}:conditional"))?, named(name))))?,
    };
    // What is forbidden at some hours is done at none: the same ways serve a whole day.
    let mut found = None;
    for (at, profile) in profiles.profiles.iter().enumerate().filter(|(at, _)| holds >> at & 1 == 1) {
        if let Some(clause) = conditions.clauses(text, profile).iter().find(|clause| clause.ever()) {
            let (_, bits) = found.get_or_insert((clause.value, 0));
            *bits |= 1 << at;
        }
    }
    found
}
