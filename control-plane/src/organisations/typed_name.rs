//! The name of an organisation, typed before something is done that is not easily undone.

/// What is told where another name was typed, or none.
pub(crate) const TYPE_THE_NAME: &str = "Type the name of the organisation as it is";

/// Whether a name was typed as it is; spaces around it do not count.
pub(crate) fn same_name(name: &str, typed: Option<&str>) -> bool {
    typed.is_some_and(|typed| typed.trim() == name.trim())
}
