//! What a driver is told (S-13). Pure.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;
use routewright_messaging::Letter;

use crate::setup::information::Dispatch;

/// Longest text message, characters.
const SMS: usize = 160;

/// A run as its driver hears of it.
#[derive(Debug, Clone)]
pub(super) struct Sheet {
    pub(super) run: String,
    pub(super) driver: String,
    pub(super) scenario: String,
    pub(super) date: NaiveDate,
    pub(super) shift: (NaiveTime, NaiveTime),
    pub(super) start_address: Option<String>,
    pub(super) jobs: i64,
    pub(super) first_eta: Option<DateTime<Utc>>,
    pub(super) planned_start: Option<DateTime<Utc>>,
    pub(super) link: String,
}

impl Sheet {
    fn date(&self) -> String {
        self.date.format("%Y/%m/%d").to_string()
    }

    /// When the driver leaves: as planned, else when the shift begins.
    fn start(&self, zone: Tz) -> String {
        match self.planned_start {
            Some(start) => start.with_timezone(&zone).format("%H:%M").to_string(),
            None => self.shift.0.format("%H:%M").to_string(),
        }
    }

    fn fill(&self, text: &str, zone: Tz) -> String {
        text.replace("{run}", &self.run)
            .replace("{uid}", &self.run)
            .replace("{driver}", &self.driver)
            .replace("{scenario}", &self.scenario)
            .replace("{date}", &self.date())
            .replace("{jobs}", &self.jobs.to_string())
            .replace("{n}", &self.jobs.to_string())
            .replace("{start}", &self.start(zone))
            .replace("{link}", &self.link)
    }

    /// Subject and body of the mail.
    pub(super) fn letter(&self, settings: &Dispatch, zone: Tz) -> (String, Letter) {
        let subject = self.fill(&settings.email_subject, zone);
        let mut letter = Letter::new().paragraph(format!("Hello {},", self.driver));
        if let Some(text) = &settings.email_text {
            letter = letter.paragraph(self.fill(text, zone));
        }
        let clock = |time: NaiveTime| time.format("%H:%M").to_string();
        letter = letter
            .fact("Scenario", &self.scenario)
            .fact("Date", self.date())
            .fact("Shift", format!("{} - {}", clock(self.shift.0), clock(self.shift.1)));
        if let Some(address) = &self.start_address {
            letter = letter.fact("Start", address);
        }
        letter = letter.fact("Jobs", self.jobs.to_string());
        if let Some(eta) = self.first_eta {
            letter = letter.fact("First ETA", eta.with_timezone(&zone).format("%H:%M").to_string());
        }
        (subject, letter.link("Open the run sheet", &self.link))
    }

    /// The text message. What is too long is cut before the link, which must stay whole.
    pub(super) fn sms(&self, settings: &Dispatch, zone: Tz) -> String {
        let text =
            settings.sms_text.as_deref().unwrap_or("Run {uid} {date}: {n} jobs, start {start}. {link}");
        let before = text.replace("{link}", "");
        let before = self.fill(before.trim(), zone);
        let room = SMS.saturating_sub(self.link.chars().count() + 1);
        let cut: String = before.chars().take(room).collect();
        format!("{} {}", cut.trim_end(), self.link).trim_start().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        Sheet {
            run: "North 1".to_owned(),
            driver: "Ana".to_owned(),
            scenario: "Monday".to_owned(),
            date: NaiveDate::from_ymd_opt(2026, 7, 1).expect("a date"),
            shift: (NaiveTime::MIN, NaiveTime::from_hms_opt(17, 0, 0).expect("a time")),
            start_address: Some("Depot, Porto".to_owned()),
            jobs: 12,
            first_eta: "2026-07-01T08:07:00Z".parse().ok(),
            planned_start: "2026-07-01T07:30:00Z".parse().ok(),
            link:
                "https://plan.example.org/runsheet?runsheet=true&token=ABCDEFGHJKMN0123456789abcdefghijklmn"
                    .to_owned(),
        }
    }

    /// S-13, X-644: subject and facts of the mail.
    #[test]
    fn the_mail_says_where_when_and_how_many() {
        let (subject, letter) = sheet().letter(&Dispatch::default(), chrono_tz::Europe::Lisbon);
        assert_eq!(subject, "Run sheet North 1 2026/07/01");
        let text = letter.text();
        for part in [
            "Hello Ana,",
            "Scenario: Monday",
            "Date: 2026/07/01",
            "Shift: 00:00 - 17:00",
            "Start: Depot, Porto",
            "Jobs: 12",
            "First ETA: 09:07",
            "token=ABCDEFGHJKMN",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    /// S-13: at most 160 characters, the link always whole.
    #[test]
    fn a_text_message_fits() {
        let mut sheet = sheet();
        let text = sheet.sms(&Dispatch::default(), chrono_tz::Europe::Lisbon);
        assert!(text.starts_with("Run North 1 2026/07/01: 12 jobs, start 08:30. https://"), "{text}");
        assert!(text.chars().count() <= 160, "{text}");
        sheet.run = "x".repeat(100);
        let text = sheet.sms(&Dispatch::default(), chrono_tz::Europe::Lisbon);
        assert!(text.chars().count() <= 160 && text.ends_with(&sheet.link), "{text}");
    }
}
