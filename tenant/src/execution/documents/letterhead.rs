//! What stands on every document of an organisation.

use std::fmt::Debug;

use chrono::{DateTime, NaiveDateTime, Utc};
use routewright_core::Result;
use routewright_documents::{DistanceUnit, Letterhead};
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::setup::files;
use crate::setup::settings::Settings;

/// A letterhead whose logo is still in the storage.
pub(crate) struct Heading {
    /// Storage keys, the one that is wanted most first.
    logos: Vec<String>,
    letterhead: Letterhead,
}

/// The organisation's letterhead; `logo` is a file that stands in for the organisation's own logo.
///
/// # Errors
/// Database faults.
pub(crate) async fn heading(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    logo: Option<i64>,
) -> Result<Heading> {
    let policy = caller.policy()?;
    let mut logos = Vec::new();
    if let Some(file) = logo {
        logos.extend(files::key_by_id(connection, file).await?);
    }
    if let Some(uid) = &policy.logo_file_uid {
        logos.extend(files::key_by_uid(connection, uid).await?);
    }
    let letterhead = Letterhead {
        organisation: policy.name.clone(),
        logo: None,
        printed_at: local(caller, caller.now(&app.clock))?,
        distance_unit: DistanceUnit::of_setting(&Settings::of(policy).distance_unit),
    };
    Ok(Heading { logos, letterhead })
}

impl Heading {
    /// What stands on it but for the moment.
    pub(super) fn shown(&self) -> impl Debug {
        let Letterhead { organisation, distance_unit, .. } = &self.letterhead;
        (&self.logos, organisation, *distance_unit)
    }

    /// Fetches the logo; no transaction may be open meanwhile.
    ///
    /// # Errors
    /// 503 when the logo cannot be read from the storage.
    pub(crate) async fn load(self, app: &App, caller: &Caller) -> Result<Letterhead> {
        for key in &self.logos {
            if let Some(bytes) = files::reduced(app, caller, key, files::LOGO).await? {
                return Ok(Letterhead { logo: Some(bytes.to_vec()), ..self.letterhead });
            }
        }
        Ok(self.letterhead)
    }
}

/// A moment on the organisation's clock.
pub(super) fn local(caller: &Caller, at: DateTime<Utc>) -> Result<NaiveDateTime> {
    Ok(at.with_timezone(&caller.policy()?.timezone).naive_local())
}
