//! A new run: a driver's defaults (or those of one of his variants), changed by whatever is given.

use axum::extract::State;
use routewright_core::http::respond::Created;
use routewright_core::{Error, Given, Result};
use routewright_tenancy::{Db, resource};

use super::model::{Run, RunFields};
use super::read::{self, RunDetail};
use super::{change, defaults, hours};
use crate::app::App;
use crate::fleet::drivers::Driver;
use crate::setup::settings::Settings;

/// `POST /runs`. A driver's second run over the same hours is refused with 409 unless `force` is given.
pub(super) async fn create(
    mut db: Db,
    State(app): State<App>,
    mut given: Given<RunFields>,
) -> Result<Created<RunDetail>> {
    let caller = db.caller().clone();
    let settings = Settings::of(caller.policy()?);
    let required = |field: &str| Error::field(field, routewright_core::check::REQUIRED);
    let scenario = given.value.scenario_id.ok_or_else(|| required("scenario_id"))?;
    let date = sqlx::query_scalar("select scheduled_date from scenarios where id = $1 for key share")
        .bind(scenario)
        .fetch_optional(&mut *db)
        .await?
        .ok_or_else(|| Error::field("scenario_id", "Value does not exist"))?;
    let new = defaults::of_one(&mut db, given.value.driver_id, given.value.config_id, date).await?;
    resource::find::<Driver>(&mut db, &caller, new.driver_id)
        .await
        .map_err(|_| Error::field("driver_id", "Value does not exist"))?;
    change::check_references(&mut db, &caller, &given).await?;
    let token = app.gate.links.long(caller.organisation()?);
    let id = defaults::insert(&mut db, scenario, &new, token, &settings).await?;
    let made = read::find(&mut db, &caller, id).await?;
    change::check_proposed(&made, &mut given, &caller)?;
    given.fields.remove("validated_by_id");
    let force = given.value.force == Some(true);
    resource::update::<Run>(&mut db, &caller, id, given).await?;
    if !force {
        hours::require_free(&mut db, id).await?;
    }
    read::one(&mut db, &caller, id).await.map(Created)
}
