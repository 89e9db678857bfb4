//! Drawing on pages: text in any script, tables, pictures and codes, saved as PDF.
//!
//! Lengths are millimetres from the upper left corner of the page; sizes of type are points.

mod canvas;
mod fonts;
mod pen;
mod picture;
mod shaping;
mod table;

pub(crate) use canvas::{Align, Frame, Paper, QrPlace};
pub(crate) use fonts::{Colour, Style, Weight};
pub(crate) use picture::{Kind, Picture};
pub(crate) use shaping::Line;
pub(crate) use table::{Block, Column, Row, Table};

/// Millimetres of one point.
pub(crate) const POINT: f32 = 25.4 / 72.0;

/// Nearly black: text.
pub(crate) const INK: Colour = Colour(0x1B, 0x27, 0x33);
/// Grey: captions, headings of tables, footers.
pub(crate) const MUTED: Colour = Colour(0x62, 0x6F, 0x7D);
/// Light grey: rules and frames.
pub(crate) const RULE: Colour = Colour(0xCF, 0xD7, 0xDF);
/// Very light grey: behind headings.
pub(crate) const BAND: Colour = Colour(0xF1, 0xF4, 0xF7);
/// Blue: what the eye should find first.
pub(crate) const ACCENT: Colour = Colour(0x12, 0x5A, 0x9C);
/// Green: success.
pub(crate) const GOOD: Colour = Colour(0x1B, 0x7F, 0x4B);
/// Red: failure, priority.
pub(crate) const BAD: Colour = Colour(0xB3, 0x26, 0x1E);
/// White.
pub(crate) const WHITE: Colour = Colour(0xFF, 0xFF, 0xFF);
