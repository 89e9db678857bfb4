//! The calls that every plain resource has (contract §1.4): list, get, create, patch, bulk patch, delete, bulk delete. A
//! noun supplies columns, bodies, filters and checks; it replaces any of them where it differs by leaving it out of
//! [`routes`] and calling the functions here from its own handler.

mod delete;
mod write;

pub use delete::{DeleteMany, Deleted, DeletedMany, delete, delete_bulk};
pub use write::{BulkItem, create, find, get, insert, list, patch, patch_bulk, update};

use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Access, Error, Given, Result, Routes};
use routewright_identity::Caller;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sqlx::FromRow;
use sqlx::postgres::{PgConnection, PgRow};

/// A row of an organisation's table as the API shows it.
pub trait Resource:
    Serialize + JsonSchema + for<'r> FromRow<'r, PgRow> + Send + Sync + Unpin + 'static
{
    /// Singular name in messages: `Tag` in "Tag not found".
    const NAME: &'static str;
    /// Path below the API base: `/tags`.
    const PATH: &'static str;
    /// Table that is written.
    const TABLE: &'static str;
    /// Select list; expressions are fine.
    const COLUMNS: &'static str;
    /// What is read from; the table unless the columns need joins.
    const FROM: &'static str = Self::TABLE;
    /// The id column in `FROM`.
    const ID: &'static str = "id";
    /// Filters, search and order.
    const SHAPE: Shape;
    /// Fields that can be written, each an `Option`: the body of create and patch; see [`Given`].
    type Fields: DeserializeOwned + Serialize + JsonSchema + Send + Sync + 'static;

    /// Turns wire fields into columns where they differ, e.g. `location` into `address`, `lat`, `lon`.
    #[must_use]
    fn to_columns(fields: Map<String, Value>) -> Map<String, Value> {
        fields
    }

    /// Changes what was given before it is written: defaults that depend on other fields or on the caller.
    ///
    /// # Errors
    /// What is wrong with it.
    fn prepare(_given: &mut Given<Self::Fields>, _caller: &Caller, _new: bool) -> Result<()> {
        Ok(())
    }

    /// Checks the row as it would be stored, without the database.
    fn check(&self, _problems: &mut Problems) {}

    /// What a violated constraint means, where the text depends on values; `before` is the row that was to be changed.
    /// Other constraints are told by their names (`{table}_{field}_check`).
    fn violated(_constraint: &str, _given: &Self::Fields, _before: Option<&Self>) -> Option<Error> {
        None
    }

    /// Rows the caller may see, beyond the organisation's own: hauliers' users see only theirs.
    fn narrow(_caller: &Caller, _conditions: &mut Where) {}

    /// Takes out of a row what this caller must not see; every row that is read goes through it.
    fn shown_to(&mut self, _caller: &Caller) {}

    /// What happens before the row goes, inside the same transaction.
    fn before_delete(
        &self,
        _connection: &mut PgConnection,
        _caller: &Caller,
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Further checks and consequences of a write, inside its transaction.
    fn written(
        &self,
        _connection: &mut PgConnection,
        _caller: &Caller,
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }
}

/// Access of the calls.
#[derive(Debug, Clone, Copy)]
pub struct Crud {
    /// List and get.
    pub read: Access,
    /// Create, patch, bulk patch.
    pub write: Access,
    /// Delete, bulk delete.
    pub delete: Access,
}

/// What a resource can be filtered by, for [`Routes::list`].
#[must_use]
pub fn filters<R: Resource>() -> &'static [Filter] {
    R::SHAPE.filters
}

/// The routes of a plain resource.
pub fn routes<R: Resource, S: Clone + Send + Sync + 'static>(crud: Crud) -> Routes<S> {
    Routes::new()
        .list(R::PATH, crud.read, R::SHAPE.filters, list::<R>)
        .post(R::PATH, crud.write, create::<R>)
        .patch(path::<R>("/bulk"), crud.write, patch_bulk::<R>)
        .delete(path::<R>("/bulk"), crud.delete, delete_bulk::<R>)
        .get(path::<R>("/{id}"), crud.read, get::<R>)
        .patch(path::<R>("/{id}"), crud.write, patch::<R>)
        .delete(path::<R>("/{id}"), crud.delete, delete::<R>)
}

/// `R::PATH` with a suffix. Leaked on purpose: the table of routes lives as long as the process.
#[must_use]
pub fn path<R: Resource>(suffix: &str) -> &'static str {
    Box::leak(format!("{}{suffix}", R::PATH).into_boxed_str())
}
