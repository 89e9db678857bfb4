//! Patterns that say from its name where an uploaded file belongs (S-18).

mod matching;
mod model;
mod pattern;
mod trial;

pub(crate) use matching::{Match, first_match};

use routewright_core::{Access, Routes};
use routewright_tenancy::resource::{self, Crud};

use crate::app::App;
use model::FilenameRegex;

const READ: Access = Access::levels(&["filename_regex_read"]);
const WRITE: Access = Access::levels(&["filename_regex_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<FilenameRegex, App>(Crud { read: READ, write: WRITE, delete: WRITE }).post(
        "/filename_regex/test",
        READ,
        trial::test,
    )
}
