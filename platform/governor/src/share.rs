//! Whose work it is.

use routewright_core::OrganisationId;

/// An organisation's share of the governor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The organisation; work of none, such as that of sign-ins, shares a turn of its own.
    pub(crate) organisation: Option<OrganisationId>,
    /// Most pieces of work at the same time that operators allow it; `None` for the usual.
    pub(crate) at_once: Option<usize>,
    /// Nobody waits for the answer.
    pub(crate) in_background: bool,
}

impl Share {
    /// The organisation, if it is the work of one.
    #[must_use]
    pub fn organisation(self) -> Option<OrganisationId> {
        self.organisation
    }

    /// At most so many pieces of work at the same time; `None` for the usual.
    #[must_use]
    pub fn at_once(self, at_once: Option<usize>) -> Self {
        Self { at_once, ..self }
    }

    /// For a background job: it waits for its turn however long that takes, behind what somebody waits for, and is never
    /// refused for a full queue.
    #[must_use]
    pub fn in_background(self) -> Self {
        Self { in_background: true, ..self }
    }
}

impl From<Option<OrganisationId>> for Share {
    fn from(organisation: Option<OrganisationId>) -> Self {
        Self { organisation, at_once: None, in_background: false }
    }
}

impl From<OrganisationId> for Share {
    fn from(organisation: OrganisationId) -> Self {
        Some(organisation).into()
    }
}
