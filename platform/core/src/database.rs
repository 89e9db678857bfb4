//! What faults of the database mean to the caller.

use crate::check::REQUIRED;
use crate::error::{Error, Kind, Result};
use crate::full::{self, Place};

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if let sqlx::Error::Database(database) = &error {
            // Class 22 is bad data, such as a number or date outside the column's range.
            let code = database.code().unwrap_or_default().into_owned();
            match code.as_str() {
                "22003" => return Self::bad_request("Value is out of range").caused_by(error),
                "22007" | "22008" => {
                    return Self::bad_request("Value is not a valid date or time").caused_by(error);
                }
                "22021" | "22P05" => {
                    return Self::bad_request("Text contains characters that cannot be stored")
                        .caused_by(error);
                }
                "22P02" => return Self::bad_request("Value has the wrong format").caused_by(error),
                "40001" | "40P01" => {
                    return Self::conflict(
                        "Somebody else changed this at the same moment. Please try again.",
                    )
                    .caused_by(error);
                }
                "23505" | "23P01" | "23514" | "23503" | "23502" | "23001" => {
                    return constraint(database.as_ref(), &code).caused_by(error);
                }
                // Shut down, starting up, or full.
                "57P01" | "57P02" | "57P03" | "53300" => {
                    return Self::new(Kind::Unavailable, "The database is not available. Please try again.")
                        .retry_after(1)
                        .caused_by(error);
                }
                // No room for data, or for what is sorted aside.
                "53100" => {
                    return full::refused(Place::Database).caused_by(error);
                }
                "57014" => return Self::new(Kind::Unavailable, "The request took too long").caused_by(error),
                _ => {}
            }
        }
        match error {
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            // A connection that breaks off in the middle of an answer.
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed => {
                Self::new(Kind::Unavailable, "The database is not available. Please try again.")
                    .retry_after(1)
                    .caused_by(error)
            }
            other => Self::internal(other),
        }
    }
}

/// What a violated constraint means to the caller. Constraints are named `{table}_{field}_check|key|fkey`, so that the
/// field can be told even where a statement does not translate its own constraints with [`OnConstraint`].
fn constraint(error: &dyn sqlx::error::DatabaseError, code: &str) -> Error {
    let table = error.table().unwrap_or_default();
    let name = error.constraint().unwrap_or_default();
    let inner = name.strip_prefix(table).unwrap_or(name).trim_start_matches('_');
    let field = inner.rsplit_once('_').map_or(inner, |(field, _)| field).to_owned();
    match code {
        "23505" | "23P01" => Error::field(field, "This value is already in use"),
        "23514" => Error::field(field, "Value is not valid"),
        "23502" => {
            match error.try_downcast_ref::<sqlx::postgres::PgDatabaseError>().and_then(|error| error.column())
            {
                Some(column) => Error::field(column, REQUIRED),
                None => Error::bad_request(REQUIRED),
            }
        }
        // The message tells a missing parent from a row that others still refer to.
        _ if error.message().contains("update or delete") => {
            Error::conflict("It is still in use and cannot be deleted")
        }
        _ => Error::field(field, "Value does not exist"),
    }
}

/// Turns a violated constraint into the message that belongs to it, where the statement is.
pub trait OnConstraint<T> {
    /// Answers `to` when the statement broke the constraint `name`.
    ///
    /// # Errors
    /// `to` for that constraint, any other error unchanged.
    fn on_constraint(self, name: &str, to: impl FnOnce() -> Error) -> Result<T>;
}

impl<T> OnConstraint<T> for Result<T, sqlx::Error> {
    fn on_constraint(self, name: &str, to: impl FnOnce() -> Error) -> Result<T> {
        self.map_err(|error| match &error {
            sqlx::Error::Database(database) if database.constraint() == Some(name) => to(),
            _ => error.into(),
        })
    }
}
