//! Who may call a route. Stated once, where the route is registered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An optional part of the product that an organisation can switch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Module {
    /// Freight-forwarder integration.
    Gefco,
    /// Units on jobs.
    Units,
    /// Returns on jobs.
    Returns,
    /// Containers of units.
    Containers,
    /// Packaging-distributor export.
    AllPurposeTransportBunzl,
    /// Freight-partner CSV and file transfer.
    AllPurposeTransport,
    /// Events and actions.
    Udf,
    /// KPI report of the second freight forwarder.
    GefcoNld,
    /// Constraint check of a plan.
    ConstraintsChecker,
}

impl Module {
    /// Every module, in the order of the specification.
    pub const ALL: [Self; 9] = [
        Self::Gefco,
        Self::Units,
        Self::Returns,
        Self::Containers,
        Self::AllPurposeTransportBunzl,
        Self::AllPurposeTransport,
        Self::Udf,
        Self::GefcoNld,
        Self::ConstraintsChecker,
    ];

    /// The key on the wire and in the database.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Gefco => "gefco",
            Self::Units => "units",
            Self::Returns => "returns",
            Self::Containers => "containers",
            Self::AllPurposeTransportBunzl => "all_purpose_transport_bunzl",
            Self::AllPurposeTransport => "all_purpose_transport",
            Self::Udf => "udf",
            Self::GefcoNld => "gefco_nld",
            Self::ConstraintsChecker => "constraints_checker",
        }
    }

    /// The name that administrators read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gefco => "Freight forwarder",
            Self::Units => "Units",
            Self::Returns => "Returns",
            Self::Containers => "Containers",
            Self::AllPurposeTransportBunzl => "Packaging distributor",
            Self::AllPurposeTransport => "Freight partner",
            Self::Udf => "Events & Actions",
            Self::GefcoNld => "KPI data export",
            Self::ConstraintsChecker => "Constraints checker",
        }
    }

    /// The module of a key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|module| module.key() == key)
    }
}

/// What a capability link opens. The token stands in the path as `{token}` or in the query as `ws_token`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Link {
    /// A customer's view of one job, by its tracking token.
    Tracking,
    /// A run's sheet, by the run's token.
    Run,
    /// A scenario's sockets, QR codes and header, by its `ws_token`.
    Scenario,
    /// The bytes of one file, by its uid.
    File,
    /// What a tracking device tells, by its key.
    Device,
    /// Whether the proofs of one job are as they were recorded.
    Proof,
}

/// Who is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Anybody, without an organisation.
    Public,
    /// The holder of a capability link; the organisation is read from the token.
    Link(Link),
    /// A driver with a run sheet token.
    Runsheet,
    /// A driver with a run sheet token, or a user with the levels.
    RunsheetOrUser,
    /// A signed-in user.
    User,
}

/// Access requirement of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The kind of caller.
    pub who: Who,
    /// All of these access levels are needed.
    pub levels: &'static [&'static str],
    /// One of these suffices; empty means no such alternative.
    pub any: &'static [&'static str],
    /// The organisation needs this module.
    pub module: Option<Module>,
    /// Only users of the Master organisation.
    pub master: bool,
}

impl Access {
    /// No caller at all: health, sign-in, sign-up.
    pub const PUBLIC: Self = Self::of(Who::Public);
    /// Any signed-in user.
    pub const SIGNED_IN: Self = Self::of(Who::User);
    /// A driver's run sheet token.
    pub const RUNSHEET: Self = Self::of(Who::Runsheet);

    const fn of(who: Who) -> Self {
        Self { who, levels: &[], any: &[], module: None, master: false }
    }

    /// A capability link.
    #[must_use]
    pub const fn link(link: Link) -> Self {
        Self::of(Who::Link(link))
    }

    /// A signed-in user whose role holds all `levels`.
    #[must_use]
    pub const fn levels(levels: &'static [&'static str]) -> Self {
        Self { levels, ..Self::of(Who::User) }
    }

    /// A signed-in user whose role holds at least one of `any`.
    #[must_use]
    pub const fn any(any: &'static [&'static str]) -> Self {
        Self { any, ..Self::of(Who::User) }
    }

    /// The same, for organisations with `module` only.
    #[must_use]
    pub const fn module(self, module: Module) -> Self {
        Self { module: Some(module), ..self }
    }

    /// The same, for the Master organisation's users only.
    #[must_use]
    pub const fn master(self) -> Self {
        Self { master: true, ..self }
    }

    /// The same, and a driver's run sheet token also opens it.
    #[must_use]
    pub const fn or_runsheet(self) -> Self {
        Self { who: Who::RunsheetOrUser, ..self }
    }

    /// One line for the access matrix.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut text = match self.who {
            Who::Public => "public".to_owned(),
            Who::Link(link) => format!("link:{link:?}").to_lowercase(),
            Who::Runsheet => "runsheet".to_owned(),
            Who::RunsheetOrUser => "runsheet or user".to_owned(),
            Who::User => "signed in".to_owned(),
        };
        for level in self.levels {
            text.push_str(" +");
            text.push_str(level);
        }
        if !self.any.is_empty() {
            text.push_str(" +any(");
            text.push_str(&self.any.join(","));
            text.push(')');
        }
        if let Some(module) = self.module {
            text.push_str(" +module:");
            text.push_str(module.key());
        }
        if self.master {
            text.push_str(" +master");
        }
        text
    }
}

/// The resources with a read and a write level each.
const RESOURCES: [&str; 23] = [
    "locations",
    "jobs",
    "units",
    "runs",
    "clients",
    "returns",
    "drivers",
    "scenarios",
    "users",
    "organisations",
    "roles",
    "run_code_maps",
    "proofs",
    "organisation_settings",
    "reason",
    "hauliers",
    "vehicles",
    "driver_users",
    "billing_rates",
    "filename_regex",
    "password_policy",
    "containers",
    "territories",
];

/// Levels that open a view rather than a resource.
const VIEWS: [&str; 20] = [
    "bulk_entry_jobs",
    "delivery_management_view",
    "job_search_view",
    "unit_search_view",
    "run_search_view",
    "transport_management_view",
    "return_management_view",
    "create_returns_view",
    "costing_management_view",
    "database_read",
    "pod_pdf_export",
    "excel_export",
    "kpi_read",
    "run_detail_read",
    "customer_view_read",
    "customer_view_login",
    "live_overview_read",
    "live_overview_login",
    "optimisation_view_read",
    "support_chat",
];

/// All 67 access levels (A-2xx of the checklist), sorted by resource, then views.
#[must_use]
pub fn all_levels() -> Vec<String> {
    let mut levels: Vec<String> = RESOURCES
        .iter()
        .flat_map(|resource| {
            let delete = (*resource == "jobs").then(|| "jobs_delete".to_owned());
            [format!("{resource}_read"), format!("{resource}_write")].into_iter().chain(delete)
        })
        .collect();
    levels.extend(VIEWS.iter().map(|view| (*view).to_owned()));
    levels
}

/// Levels of the built-in role `admin`: all but the two that restrict an account to one view.
#[must_use]
pub fn admin_levels() -> Vec<String> {
    all_levels().into_iter().filter(|level| !level.ends_with("_login")).collect()
}

/// Levels of the built-in role `user`: planners and dispatchers, without billing and administration.
#[must_use]
pub fn user_levels() -> Vec<String> {
    let written = [
        "jobs",
        "units",
        "returns",
        "containers",
        "runs",
        "scenarios",
        "clients",
        "locations",
        "proofs",
        "drivers",
    ];
    let read = ["vehicles", "driver_users", "territories", "reason", "hauliers", "organisation_settings"];
    let views = [
        "delivery_management_view",
        "job_search_view",
        "unit_search_view",
        "run_search_view",
        "return_management_view",
        "create_returns_view",
        "transport_management_view",
        "pod_pdf_export",
        "excel_export",
        "run_detail_read",
        "live_overview_read",
        "customer_view_read",
        "optimisation_view_read",
        "bulk_entry_jobs",
        "support_chat",
    ];
    let mut levels: Vec<String> = written
        .iter()
        .flat_map(|resource| [format!("{resource}_read"), format!("{resource}_write")])
        .chain(read.iter().map(|resource| format!("{resource}_read")))
        .chain(views.iter().map(|view| (*view).to_owned()))
        .collect();
    levels.push("jobs_delete".to_owned());
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_67_access_levels_and_roles_use_only_those() {
        let all = all_levels();
        assert_eq!(all.len(), 67);
        assert_eq!(admin_levels().len(), 65);
        assert!(user_levels().iter().all(|level| all.contains(level)));
        assert!(!user_levels().iter().any(|level| level.starts_with("billing_rates") || level == "kpi_read"));
    }

    #[test]
    fn module_keys_match_their_serde_names() -> Result<(), serde_json::Error> {
        for module in Module::ALL {
            assert_eq!(serde_json::to_value(module)?, module.key());
            assert_eq!(Module::from_key(module.key()), Some(module));
        }
        Ok(())
    }
}
