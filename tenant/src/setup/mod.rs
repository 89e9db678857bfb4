//! What an organisation sets once: settings, vocabularies, files, secrets, forms, and the way out for its messages.
//! Every other wing stands on it.

pub(crate) mod checklists;
pub(crate) mod excel_exports;
pub(crate) mod extra_fields;
pub(crate) mod filename_regex;
pub(crate) mod files;
pub(crate) mod information;
pub(crate) mod map;
pub(crate) mod post;
pub(crate) mod reasons;
pub(crate) mod scenario_reasons;
pub(crate) mod secrets;
pub(crate) mod settings;
pub(crate) mod tags;
pub(crate) mod udf;
