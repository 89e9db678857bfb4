//! What stands on every document of an organisation.

use chrono::{NaiveDate, NaiveDateTime};

use crate::paper::{Align, Frame, INK, Kind, MUTED, Paper, Picture, RULE, Style};

/// Logos are printed with so many pixels on their longer side.
pub const LOGO_PIXELS: u32 = 500;

/// The sender of a document.
#[derive(Debug, Clone, Default)]
pub struct Letterhead {
    /// Name of the organisation.
    pub organisation: String,
    /// Logo as PNG, JPEG or WebP bytes. A picture that cannot be read is left out and the name stands alone.
    pub logo: Option<Vec<u8>>,
    /// When the document is made, in the organisation's timezone; printed in the footer.
    pub printed_at: NaiveDateTime,
    /// Unit of the distances in print.
    pub distance_unit: DistanceUnit,
}

impl Letterhead {
    /// Draws the logo, or the name where there is none.
    pub(crate) fn draw(&self, paper: &mut Paper, frame: Frame) {
        match self.logo.as_deref().and_then(|logo| Picture::read(logo, Kind::Drawing, LOGO_PIXELS)) {
            Some(logo) => {
                let placed = paper.picture(frame, logo, Align::Start);
                let beside = placed.width + 3.0;
                let style = Style::bold(9.0, MUTED);
                let middle = frame.y + (frame.height - style.leading()) / 2.0;
                paper.one_line(
                    frame.x + beside,
                    middle,
                    frame.width - beside,
                    &self.organisation,
                    style,
                    Align::Start,
                );
            }
            None => {
                let style = Style::bold(12.0, INK);
                let middle = frame.y + (frame.height - style.leading()) / 2.0;
                paper.one_line(frame.x, middle, frame.width, &self.organisation, style, Align::Start);
            }
        }
    }

    /// Draws the foot of every page: organisation and document, when it was made, page of pages.
    pub(crate) fn footers(&self, paper: &mut Paper, margin: f32, document: &str) {
        let (width, pages) = (paper.width() - 2.0 * margin, paper.page_count());
        let y = paper.height() - 11.0;
        let style = Style::new(7.0, MUTED);
        let made = format!("Printed {} {}", day(self.printed_at.date()), self.printed_at.format("%H:%M"));
        for page in 0..pages {
            paper.return_to(page);
            paper.rule((margin, y), (margin + width, y), 0.4, RULE);
            let number = format!("{made}   ·   Page {} of {pages}", page + 1);
            let text = format!("{} · {document}", self.organisation);
            paper.one_line(margin, y + 1.2, width * 0.6, &text, style, Align::Start);
            paper.one_line(margin + width * 0.6, y + 1.2, width * 0.4, &number, style, Align::Right);
        }
    }
}

/// A day as the product shows it.
pub(crate) fn day(date: NaiveDate) -> String {
    date.format("%Y/%m/%d").to_string()
}

/// Draws captions with their values in columns of equal width and returns where they end. Empty values are left out.
pub(crate) fn facts(paper: &mut Paper, frame: Frame, columns: usize, facts: &[(&str, String)]) -> f32 {
    let (caption, value) = (Style::bold(6.5, MUTED), Style::new(9.0, INK));
    let facts: Vec<_> = facts.iter().filter(|(_, text)| !text.trim().is_empty()).collect();
    let width = frame.width / columns.max(1) as f32;
    let mut y = frame.y;
    for row in facts.chunks(columns.max(1)) {
        let mut height = 0.0f32;
        for (i, (name, text)) in row.iter().enumerate() {
            let x = frame.x + i as f32 * width;
            paper.one_line(x, y, width - 4.0, name, caption, Align::Start);
            let used = paper.text(x, y + caption.leading(), width - 4.0, text, value, Align::Start);
            height = height.max(caption.leading() + used);
        }
        y += height + 1.8;
    }
    y
}

/// The organisation's unit of distance. Values are passed in metres and converted in print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DistanceUnit {
    /// Kilometres, 1,000 m.
    #[default]
    Kilometres,
    /// International miles, 1,609.344 m.
    Miles,
}

impl DistanceUnit {
    /// The unit that goes with the setting `distance_unit`.
    pub fn of_setting(setting: &str) -> Self {
        if setting == "mi" { Self::Miles } else { Self::Kilometres }
    }

    /// `km` or `mi`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Kilometres => "km",
            Self::Miles => "mi",
        }
    }

    /// Length of one unit in metres.
    pub fn metres(self) -> f64 {
        match self {
            Self::Kilometres => 1_000.0,
            Self::Miles => 1_609.344,
        }
    }

    /// Metres in this unit.
    pub fn of_metres(self, metres: f64) -> f64 {
        metres / self.metres()
    }
}

/// The unit in which amounts of fuel are shown: that in which consumption is told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FuelUnit {
    /// Litres.
    #[default]
    Litres,
    /// Imperial gallons, 4.54609 l.
    UkGallons,
    /// US gallons, 3.785411784 l.
    UsGallons,
}

impl FuelUnit {
    /// The unit that goes with the setting `fuel_consumption_unit`.
    pub fn of_setting(setting: &str) -> Self {
        match setting {
            "mpg_uk" => Self::UkGallons,
            "mpg_us" => Self::UsGallons,
            _ => Self::Litres,
        }
    }

    /// `l`, `gal (UK)` or `gal (US)`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Litres => "l",
            Self::UkGallons => "gal (UK)",
            Self::UsGallons => "gal (US)",
        }
    }

    /// Litres in this unit.
    pub fn of_litres(self, litres: f64) -> f64 {
        match self {
            Self::Litres => litres,
            Self::UkGallons => litres / 4.546_09,
            Self::UsGallons => litres / 3.785_411_784,
        }
    }
}
