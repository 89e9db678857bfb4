//! The groups with their defaults and checks.

use std::collections::BTreeSet;

use routewright_core::check;
use routewright_core::error::Problems;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// One group of settings.
pub(crate) trait Group: Default + Serialize + DeserializeOwned + Send {
    /// Name in paths and table.
    const NAME: &'static str;

    /// Notes what is wrong with it.
    fn check(&self, problems: &mut Problems);

    /// Files that it refers to, with the field that does.
    fn files(&self) -> Vec<(&'static str, i64)> {
        Vec::new()
    }

    /// The secret that it refers to, with the field that does.
    fn secret(&self) -> Option<(&'static str, i64)> {
        None
    }
}

const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

fn range(problems: &mut Problems, field: &str, value: i64, from: i64, to: i64) {
    problems.require((from..=to).contains(&value), field, &format!("Value must be between {from} and {to}"));
}

/// Addresses that one list may hold: each is a mail more whenever something is told.
const MOST_ADDRESSES: usize = 20;

fn addresses(problems: &mut Problems, field: &str, list: &[String]) {
    let most = format!("At most {MOST_ADDRESSES} addresses");
    problems.require(list.len() <= MOST_ADDRESSES, field, &most);
    problems.require(list.iter().all(|address| check::is_email(address.trim())), field, check::EMAIL);
}

/// Values of a vocabulary: with each of them once only, the list is as long as the vocabulary at most.
fn once(problems: &mut Problems, field: &str, list: &[String]) {
    let distinct: BTreeSet<&String> = list.iter().collect();
    problems.require(distinct.len() == list.len(), field, "Each value may be given once only");
}

/// Whether and how customers may ask for another time.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "RescheduleSettings")]
pub(crate) struct Reschedule {
    pub(crate) enabled: bool,
    /// Hours before the planned day begins.
    pub(crate) min_notice_hours: i64,
    pub(crate) max_days_ahead: i64,
    /// Names of weekdays.
    pub(crate) allowed_days: Vec<String>,
    pub(crate) allow_note: bool,
    /// Whether customers may name a place where the parcel is left.
    pub(crate) allow_safe_drop: bool,
    /// Minutes of driving that a request may add to the plan of its day; 0: only where a run passes anyhow.
    pub(crate) max_extra_minutes: i64,
    /// Whether a request that fits a plan is carried out at once.
    pub(crate) auto_accept: bool,
}

impl Default for Reschedule {
    fn default() -> Self {
        Self {
            enabled: false,
            min_notice_hours: 12,
            max_days_ahead: 7,
            allowed_days: DAYS[..5].iter().map(|day| (*day).to_owned()).collect(),
            allow_note: true,
            allow_safe_drop: false,
            max_extra_minutes: 30,
            auto_accept: false,
        }
    }
}

impl Group for Reschedule {
    const NAME: &'static str = "reschedule_settings";

    fn check(&self, problems: &mut Problems) {
        range(problems, "min_notice_hours", self.min_notice_hours, 0, 24 * 30);
        range(problems, "max_days_ahead", self.max_days_ahead, 1, 365);
        range(problems, "max_extra_minutes", self.max_extra_minutes, 0, 24 * 60);
        let known = self.allowed_days.iter().all(|day| DAYS.contains(&day.as_str()));
        once(problems, "allowed_days", &self.allowed_days);
        problems.require(known, "allowed_days", "Value is not one of monday to sunday");
    }
}

/// When somebody is told about a late job.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline)]
pub(crate) struct EtaAlert {
    pub(crate) enabled: bool,
    /// Minutes later than planned.
    pub(crate) threshold_minutes: i64,
    /// Addresses.
    pub(crate) recipients: Vec<String>,
    pub(crate) notify_customer: bool,
    /// Minutes after which a job that grew later is told again.
    pub(crate) repeat_minutes: i64,
}

impl Default for EtaAlert {
    fn default() -> Self {
        Self {
            enabled: false,
            threshold_minutes: 60,
            recipients: Vec::new(),
            notify_customer: false,
            repeat_minutes: 30,
        }
    }
}

/// What becomes a header of a mail has one line.
fn one_line(problems: &mut Problems, field: &str, text: Option<&str>) {
    problems.require(text.is_none_or(|text| !text.chars().any(char::is_control)), field, check::SPECIAL);
}

/// What customers are told by mail.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "NotificationSettings")]
pub(crate) struct Notification {
    pub(crate) eta_alert: EtaAlert,
    pub(crate) on_dispatch: bool,
    /// The driver has set out.
    pub(crate) on_start: bool,
    pub(crate) on_next_stop: bool,
    pub(crate) on_delivered: bool,
    pub(crate) on_failed: bool,
    /// To the addresses of the job.
    pub(crate) by_email: bool,
    /// To the phone numbers of the job, by the organisation's SMS account.
    pub(crate) by_sms: bool,
    /// Name that mails come from.
    pub(crate) sender_name: Option<String>,
    /// Where answers go.
    pub(crate) reply_to: Option<String>,
}

impl Default for Notification {
    fn default() -> Self {
        Self {
            eta_alert: EtaAlert::default(),
            on_dispatch: false,
            on_start: false,
            on_next_stop: false,
            on_delivered: true,
            on_failed: true,
            by_email: true,
            by_sms: false,
            sender_name: None,
            reply_to: None,
        }
    }
}

impl Group for Notification {
    const NAME: &'static str = "notification_settings";

    fn check(&self, problems: &mut Problems) {
        let alert = &self.eta_alert;
        range(problems, "eta_alert.threshold_minutes", alert.threshold_minutes, 1, 24 * 60);
        range(problems, "eta_alert.repeat_minutes", alert.repeat_minutes, 1, 24 * 60);
        addresses(problems, "eta_alert.recipients", &alert.recipients);
        problems.optional_text("sender_name", self.sender_name.as_deref(), check::SHORT_TEXT);
        one_line(problems, "sender_name", self.sender_name.as_deref());
        problems.emails("reply_to", self.reply_to.as_deref());
    }
}

/// Fields of the job form.
const JOB_FIELDS: [&str; 22] = [
    "uid",
    "location",
    "customer_name",
    "customer_email",
    "phone_number",
    "duration",
    "arrive_after",
    "leave_by",
    "size",
    "spec_type",
    "priority",
    "colour",
    "comments",
    "consignee_info",
    "consignor_info",
    "external_comments",
    "dock_location",
    "invoice",
    "reference",
    "pickup_from",
    "deliver_to",
    "idm",
];

/// How the driver's page and the job form behave.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "AppSettings")]
pub(crate) struct App {
    pub(crate) require_start_odometer: bool,
    pub(crate) require_end_odometer: bool,
    pub(crate) require_start_photo: bool,
    pub(crate) allow_out_of_sequence: bool,
    pub(crate) show_customer_phone: bool,
    pub(crate) gps_interval_seconds: i64,
    pub(crate) offline_allowed: bool,
    pub(crate) language: String,
    /// Names of job fields.
    pub(crate) required_job_fields: Vec<String>,
}

impl Default for App {
    fn default() -> Self {
        let fields =
            ["uid", "location", "customer_name", "customer_email", "spec_type", "phone_number", "size"];
        Self {
            require_start_odometer: true,
            require_end_odometer: true,
            require_start_photo: false,
            allow_out_of_sequence: true,
            show_customer_phone: true,
            gps_interval_seconds: 30,
            offline_allowed: true,
            language: "en".to_owned(),
            required_job_fields: fields.iter().map(|field| (*field).to_owned()).collect(),
        }
    }
}

impl Group for App {
    const NAME: &'static str = "app_settings";

    fn check(&self, problems: &mut Problems) {
        range(problems, "gps_interval_seconds", self.gps_interval_seconds, 5, 3600);
        problems.text("language", &self.language, 20);
        let needed = ["uid", "location"];
        let kept = needed.iter().all(|field| self.required_job_fields.iter().any(|given| given == field));
        once(problems, "required_job_fields", &self.required_job_fields);
        problems.require(kept, "required_job_fields", "uid and location are always required");
        if let Some(unknown) =
            self.required_job_fields.iter().find(|field| !JOB_FIELDS.contains(&field.as_str()))
        {
            let shown: String = unknown.chars().take(100).collect();
            problems.add("required_job_fields", format!("`{shown}` is not a field of jobs"));
        }
    }
}

/// What customers see of their delivery.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "DeliveryTrackingSettings")]
pub(crate) struct DeliveryTracking {
    pub(crate) enabled: bool,
    pub(crate) show_driver_name: bool,
    pub(crate) show_vehicle_position: bool,
    /// Minutes before the expected arrival from which the vehicle shows.
    pub(crate) position_visible_minutes: i64,
    pub(crate) show_stops_before: bool,
    pub(crate) show_eta_range: bool,
    /// Whether customers may write to the driver.
    pub(crate) allow_instructions: bool,
    /// Days after the scheduled day.
    pub(crate) link_valid_days: i64,
    pub(crate) logo_file_id: Option<i64>,
    pub(crate) primary_colour: Option<String>,
    pub(crate) contact_phone: Option<String>,
    pub(crate) contact_email: Option<String>,
    pub(crate) email_subject: Option<String>,
    pub(crate) email_text: Option<String>,
}

impl Default for DeliveryTracking {
    fn default() -> Self {
        Self {
            enabled: true,
            show_driver_name: true,
            show_vehicle_position: true,
            position_visible_minutes: 60,
            show_stops_before: true,
            show_eta_range: true,
            allow_instructions: true,
            link_valid_days: 14,
            logo_file_id: None,
            primary_colour: None,
            contact_phone: None,
            contact_email: None,
            email_subject: None,
            email_text: None,
        }
    }
}

impl Group for DeliveryTracking {
    const NAME: &'static str = "delivery_tracking_settings";

    fn check(&self, problems: &mut Problems) {
        range(problems, "position_visible_minutes", self.position_visible_minutes, 1, 24 * 60);
        range(problems, "link_valid_days", self.link_valid_days, 1, 3650);
        problems.colour("primary_colour", self.primary_colour.as_deref());
        problems.phone("contact_phone", self.contact_phone.as_deref());
        problems.emails("contact_email", self.contact_email.as_deref());
        problems.optional_text("email_subject", self.email_subject.as_deref(), check::SHORT_TEXT);
        one_line(problems, "email_subject", self.email_subject.as_deref());
        problems.optional_text("email_text", self.email_text.as_deref(), check::LONG_TEXT);
    }

    fn files(&self) -> Vec<(&'static str, i64)> {
        self.logo_file_id.map(|id| ("logo_file_id", id)).into_iter().collect()
    }
}

/// How run sheets are sent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "DispatchSettings")]
pub(crate) struct Dispatch {
    /// `{run}` and `{date}` are filled in.
    pub(crate) email_subject: String,
    pub(crate) email_text: Option<String>,
    pub(crate) sms_text: Option<String>,
    pub(crate) attach_pdf: bool,
    /// Hours from the beginning of the scheduled day, or from the dispatch when that is later.
    pub(crate) link_valid_hours: i64,
    pub(crate) auto_set_tracking_stage: bool,
    /// Addresses that get every run sheet too.
    pub(crate) copy_to: Vec<String>,
}

impl Default for Dispatch {
    fn default() -> Self {
        Self {
            email_subject: "Run sheet {run} {date}".to_owned(),
            email_text: None,
            sms_text: None,
            attach_pdf: true,
            link_valid_hours: 48,
            auto_set_tracking_stage: true,
            copy_to: Vec::new(),
        }
    }
}

impl Group for Dispatch {
    const NAME: &'static str = "dispatch_settings";

    fn check(&self, problems: &mut Problems) {
        problems.text("email_subject", &self.email_subject, check::SHORT_TEXT);
        one_line(problems, "email_subject", Some(&self.email_subject));
        problems.optional_text("email_text", self.email_text.as_deref(), check::LONG_TEXT);
        problems.optional_text("sms_text", self.sms_text.as_deref(), 160);
        range(problems, "link_valid_hours", self.link_valid_hours, 1, 24 * 90);
        addresses(problems, "copy_to", &self.copy_to);
    }
}

/// Limits of events and actions.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "UdfConfig")]
pub(crate) struct Udf {
    pub(crate) enabled: bool,
    pub(crate) max_actions: i64,
    pub(crate) webhook_timeout_seconds: i64,
    pub(crate) retries: i64,
    pub(crate) signing_secret_id: Option<i64>,
}

impl Default for Udf {
    fn default() -> Self {
        Self {
            enabled: true,
            max_actions: 20,
            webhook_timeout_seconds: 10,
            retries: 3,
            signing_secret_id: None,
        }
    }
}

impl Group for Udf {
    const NAME: &'static str = "udf_config";

    fn check(&self, problems: &mut Problems) {
        range(problems, "max_actions", self.max_actions, 1, 200);
        range(problems, "webhook_timeout_seconds", self.webhook_timeout_seconds, 1, 60);
        range(problems, "retries", self.retries, 0, 10);
    }

    fn secret(&self) -> Option<(&'static str, i64)> {
        self.signing_secret_id.map(|secret| ("signing_secret_id", secret))
    }
}
