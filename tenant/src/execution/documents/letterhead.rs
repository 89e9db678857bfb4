//! What stands on every document of an organisation.

use chrono::{DateTime, NaiveDateTime, Utc};
use routewright_core::Result;
use routewright_documents::{DistanceUnit, Letterhead};
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::setup::files;
use crate::setup::settings::Settings;

/// The organisation's letterhead; `logo` is a file that stands in for the organisation's own logo.
///
/// # Errors
/// 503 when the logo cannot be read from the storage.
pub(crate) async fn letterhead(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    logo: Option<i64>,
) -> Result<Letterhead> {
    let policy = caller.policy()?;
    let mut picture = match logo {
        Some(file) => files::bytes_by_id(connection, app, caller, file).await?,
        None => None,
    };
    if picture.is_none()
        && let Some(uid) = &policy.logo_file_uid
    {
        picture = files::bytes_by_uid(connection, app, caller, uid).await?;
    }
    let unit = match Settings::of(policy).distance_unit.as_str() {
        "mi" => DistanceUnit::Miles,
        _ => DistanceUnit::Kilometres,
    };
    Ok(Letterhead {
        organisation: policy.name.clone(),
        logo: picture.map(|bytes| bytes.to_vec()),
        printed_at: local(caller, app.clock.now())?,
        distance_unit: unit,
    })
}

/// A moment on the organisation's clock.
pub(super) fn local(caller: &Caller, at: DateTime<Utc>) -> Result<NaiveDateTime> {
    Ok(at.with_timezone(&caller.policy()?.timezone).naive_local())
}
