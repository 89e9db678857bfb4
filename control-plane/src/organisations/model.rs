use chrono::{DateTime, Utc};
use routewright_core::list::{Filter, Shape, Where};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;
use sqlx::types::Json;

use super::settings::{Settings, SettingsFields};

/// A logo: a file of the organisation.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct Logo {
    /// The file's uid.
    pub(super) uid: String,
    /// Where to load it.
    #[serde(default)]
    pub(super) link: Option<String>,
}

/// An organisation.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct Organisation {
    /// Id.
    pub(super) id: i64,
    /// Name.
    pub(super) name: String,
    /// IANA name.
    pub(super) timezone: String,
    /// Settings with their defaults.
    #[schemars(with = "Settings")]
    pub(super) settings: Value,
    /// Keys of the modules that are switched on.
    pub(super) modules: Vec<String>,
    /// The organisation above, of a haulier.
    pub(super) parent_organisation_id: Option<i64>,
    /// Logo.
    #[schemars(with = "Option<Logo>")]
    pub(super) logo: Option<Json<Logo>>,
    /// Whether its users run the platform.
    pub(super) is_master: bool,
    /// Pieces of heavy work that each process does for it at the same time: files that are read, documents, exports,
    /// optimisations; `null` for the usual number.
    pub(super) heavy_work_at_once: Option<i16>,
    /// Requests of it that each process answers at the same time, alone or beside others; `null` for the usual number.
    pub(super) requests_at_once: Option<i16>,
    /// `provisioning`, `ready`, `failed` or `deleting`.
    pub(super) state: String,
    /// When it was made.
    pub(super) created: DateTime<Utc>,
    /// When it was last changed.
    pub(super) modified: DateTime<Utc>,
}

impl Organisation {
    /// Stored are only the settings that were set.
    pub(super) fn with_defaults(mut self) -> Self {
        if let Ok(settings) = serde_json::to_value(Settings::of(&self.settings)) {
            self.settings = settings;
        }
        self
    }
}

/// What can be written of an organisation.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct OrganisationFields {
    /// Name, unique on the platform.
    pub(super) name: Option<String>,
    /// IANA name.
    pub(super) timezone: Option<String>,
    /// Settings to change; those not named stay.
    pub(super) settings: Option<SettingsFields>,
    /// Keys of the modules that shall be on.
    pub(super) modules: Option<Vec<String>>,
    /// A file of the organisation.
    pub(super) logo: Option<Logo>,
    /// 1 to 100 pieces of heavy work at the same time, `null` for the usual number; only operators may change it.
    pub(super) heavy_work_at_once: Option<i64>,
    /// 1 to 100 requests at the same time, `null` for the usual number; only operators may change it.
    pub(super) requests_at_once: Option<i64>,
}

/// A new organisation.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct NewFields {
    /// Name, unique on the platform.
    pub(super) name: Option<String>,
    /// IANA name; UTC unless given.
    pub(super) timezone: Option<String>,
    /// Settings; where not given, what is usual in the time zone's country, see `GET /timezones/settings`.
    pub(super) settings: Option<SettingsFields>,
    /// Keys of the modules that shall be on; units and returns unless given.
    pub(super) modules: Option<Vec<String>>,
    /// The database to live in; `default` unless given.
    pub(super) placement: Option<String>,
    /// 1 to 100 pieces of heavy work at the same time; the usual number unless given.
    pub(super) heavy_work_at_once: Option<i64>,
    /// 1 to 100 requests at the same time; the usual number unless given.
    pub(super) requests_at_once: Option<i64>,
    /// Its first user.
    pub(super) admin: Option<AdminFields>,
}

/// The first user of a new organisation, with the role `admin`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct AdminFields {
    /// Address, unique on the platform.
    pub(super) email: Option<String>,
    /// Password, unless they are invited.
    pub(super) password: Option<String>,
    /// In place of a password: they get a mail with a link to choose one.
    #[serde(default)]
    pub(super) invite: bool,
    /// First name.
    pub(super) first_name: Option<String>,
    /// Last name.
    pub(super) last_name: Option<String>,
}

impl std::fmt::Debug for AdminFields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AdminFields").field("email", &self.email).finish_non_exhaustive()
    }
}

impl Resource for Organisation {
    const NAME: &'static str = "Organisation";
    const PATH: &'static str = "/organisations";
    const TABLE: &'static str = "organisations";
    const COLUMNS: &'static str = "id, name, timezone, settings, modules, parent_organisation_id, \
         case when logo_file_uid is not null \
             then jsonb_build_object('uid', logo_file_uid, 'link', '/files/uid/' || logo_file_uid) end as logo, \
         is_master, heavy_work_at_once, requests_at_once, state, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("id", "id"),
            Filter::id("organisation_id", "id"),
            Filter::id("parent_organisation_id", "parent_organisation_id"),
            Filter::text("name", "name"),
            Filter::choice("state", "state"),
            Filter::present("haulier", "parent_organisation_id"),
        ],
        search: &["name"],
        sort: &[
            ("id", "id"),
            ("name", "lower(name)"),
            ("timezone", "timezone"),
            ("state", "state"),
            ("created", "created"),
        ],
        order: "id desc",
    };
    type Fields = OrganisationFields;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        super::narrow(caller, conditions);
    }
}
