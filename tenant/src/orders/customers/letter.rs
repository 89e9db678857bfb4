//! Composing the mail and the text message to a customer. Pure.

use chrono_tz::Tz;
use routewright_messaging::Letter;

use super::range::eta_range;
use super::tell::{Delivery, Occasion};
use crate::setup::information::DeliveryTracking;

/// What a customer is told.
pub(super) struct Words {
    /// Of the mail.
    pub(super) subject: String,
    /// The mail.
    pub(super) letter: Letter,
    /// The text message: what it is, when, the PIN, the link; one after the other.
    pub(super) text: String,
}

/// Writes it for an organisation, given by name and clock.
pub(super) fn compose(
    (organisation, zone): (&str, Tz),
    settings: &DeliveryTracking,
    delivery: &Delivery,
    occasion: Occasion,
    (link, pin): (&str, Option<&str>),
) -> Words {
    let date = delivery.scheduled_date.map(|date| date.format("%Y/%m/%d").to_string()).unwrap_or_default();
    let fill = |text: &str| {
        text.replace("{organisation}", organisation).replace("{uid}", &delivery.uid).replace("{date}", &date)
    };
    let (subject, text) = match occasion {
        Occasion::Track => (
            settings.email_subject.as_deref().unwrap_or("{organisation}: track your delivery {uid}"),
            settings.email_text.as_deref().unwrap_or("You can follow your delivery {uid} here."),
        ),
        Occasion::Dispatched => {
            ("{organisation}: your delivery {uid} is planned", "Your delivery {uid} is planned for {date}.")
        }
        Occasion::Out => (
            "{organisation}: your delivery {uid} is on its way",
            "The driver has set out with your delivery {uid}.",
        ),
        Occasion::Next => {
            ("{organisation}: your delivery {uid} is next", "Your delivery {uid} is the driver's next stop.")
        }
        Occasion::Delivered => {
            ("{organisation}: your delivery {uid} has arrived", "Your delivery {uid} has been delivered.")
        }
        Occasion::Failed => (
            "{organisation}: your delivery {uid} could not be made",
            "We could not deliver {uid}. Please contact us.",
        ),
    };
    let mut letter = Letter::new().paragraph(fill(text));
    let mut short = vec![fill(subject)];
    let ahead = !matches!(occasion, Occasion::Delivered | Occasion::Failed);
    if ahead && !date.is_empty() {
        letter = letter.fact("Date", &date);
    }
    if ahead
        && settings.show_eta_range
        && let Some(range) = delivery.expected.or(delivery.updated_eta.or(delivery.eta).map(eta_range))
    {
        let clock = |at: chrono::DateTime<chrono::Utc>| at.with_timezone(&zone).format("%H:%M").to_string();
        let expected = format!("{}–{}", clock(range.from), clock(range.to));
        short.push(format!("Expected {expected}"));
        letter = letter.fact("Expected", expected);
    }
    if let Some(pin) = pin.filter(|_| ahead) {
        letter = letter.fact("PIN to tell the driver", pin);
        short.push(format!("PIN for the driver: {pin}"));
    }
    letter = letter.link("Track your delivery", link);
    short.push(link.to_owned());
    for (label, value) in [("Phone", &settings.contact_phone), ("Email", &settings.contact_email)] {
        if let Some(value) = value {
            letter = letter.fact(label, value);
        }
    }
    Words { subject: fill(subject), letter, text: short.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-43: subject, date, ETA range when enabled, link and contact.
    #[test]
    fn the_tracking_mail_says_what_is_set() {
        let mut settings = DeliveryTracking {
            contact_phone: Some("+351220000001".to_owned()),
            ..DeliveryTracking::default()
        };
        let delivery = Delivery {
            uid: "A-1".to_owned(),
            scheduled_date: chrono::NaiveDate::from_ymd_opt(2026, 7, 1),
            eta: "2026-07-01T08:07:00Z".parse().ok(),
            ..Delivery::default()
        };
        let compose = |settings: &DeliveryTracking| {
            let zone = chrono_tz::Europe::Lisbon;
            let link = ("https://x.example/tracking?tokens=T", None);
            compose(("Porto Parcels", zone), settings, &delivery, Occasion::Track, link)
        };
        let Words { subject, letter, text } = compose(&settings);
        assert_eq!(subject, "Porto Parcels: track your delivery A-1");
        assert_eq!(
            letter.text(),
            "You can follow your delivery A-1 here.\n\nDate: 2026/07/01\nExpected: 09:05–09:20\n\n\
             Track your delivery: https://x.example/tracking?tokens=T\n\nPhone: +351220000001\n"
        );
        assert_eq!(
            text,
            "Porto Parcels: track your delivery A-1\nExpected 09:05–09:20\nhttps://x.example/tracking?tokens=T"
        );
        settings.show_eta_range = false;
        settings.email_subject = Some("{uid} is coming".to_owned());
        let Words { subject, letter, .. } = compose(&settings);
        assert_eq!(subject, "A-1 is coming");
        assert!(!letter.text().contains("Expected"));
    }
}
