use std::io::Cursor;

use serde::{Deserialize, Serialize};
use zip::ZipArchive;

/// What a file is, told by its content, never by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FileKind {
    /// JPEG image.
    Jpeg,
    /// PNG image.
    Png,
    /// WebP image.
    Webp,
    /// HEIC image, the photos of many phones.
    Heic,
    /// PDF document.
    Pdf,
    /// Text in rows and columns, in UTF-8 or an encoding of one byte for each letter.
    Csv,
    /// Excel workbook.
    Xlsx,
}

impl FileKind {
    /// Recognises the kinds that may be stored; `None` for everything else.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match infer::get(bytes).map(|kind| kind.mime_type()) {
            Some("image/jpeg") => Some(Self::Jpeg),
            Some("image/png") => Some(Self::Png),
            Some("image/webp") => Some(Self::Webp),
            Some("image/heif") => Some(Self::Heic),
            Some("application/pdf") => is_whole_pdf(bytes).then_some(Self::Pdf),
            // `infer` guesses the kind of a zip from its first entries, whose order differs between programs.
            Some("application/zip" | XLSX) => is_workbook(bytes).then_some(Self::Xlsx),
            Some(_) => None,
            None => is_table_text(bytes).then_some(Self::Csv),
        }
    }

    /// The media type to store and answer with.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Heic => "image/heic",
            Self::Pdf => "application/pdf",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Xlsx => XLSX,
        }
    }

    /// The usual ending of a file name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Heic => "heic",
            Self::Pdf => "pdf",
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    /// Whether it is a picture.
    pub fn is_image(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png | Self::Webp | Self::Heic)
    }
}

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// What the entry of a part in a workbook's table of contents begins with, and most such entries.
const ENTRY: [u8; 4] = *b"PK\x01\x02";
const MOST_PARTS: usize = 5_000;

/// Readers find a document from its end, and look for that in the last kilobyte.
const PDF_END: usize = 1024;

/// A PDF ends with the place of its table of objects, which lies inside the file, and the mark of its end.
fn is_whole_pdf(bytes: &[u8]) -> bool {
    let end = String::from_utf8_lossy(bytes.get(bytes.len().saturating_sub(PDF_END)..).unwrap_or_default());
    let Some((_, tail)) = end.rsplit_once("startxref") else { return false };
    let Some((place, _)) = tail.split_once("%%EOF") else { return false };
    place.trim().parse::<usize>().is_ok_and(|place| place < bytes.len())
}

fn is_workbook(bytes: &[u8]) -> bool {
    // Counted first: the list of millions of empty parts would take far more than the file.
    if bytes.windows(ENTRY.len()).filter(|window| *window == ENTRY).nth(MOST_PARTS).is_some() {
        return false;
    }
    ZipArchive::new(Cursor::new(bytes)).is_ok_and(|archive| {
        let has = |name| archive.index_for_name(name).is_some();
        has("[Content_Types].xml") && has("xl/workbook.xml")
    })
}

/// A table has no signature: any clean text passes, except markup that a browser might run. Spreadsheets of many countries
/// still write their own encodings.
fn is_table_text(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return is_old_table_text(bytes) };
    let text = text.trim_start_matches('\u{feff}');
    let is_markup = text.trim_start().starts_with('<');
    let is_clean = text.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\r' | '\n'));
    !is_markup && is_clean && !text.trim().is_empty()
}

/// Text of one byte for each letter, at least two lines of two cells: that much other formats do not look like.
fn is_old_table_text(bytes: &[u8]) -> bool {
    let is_clean = bytes.iter().all(|byte| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r' | b'\n'));
    let is_markup = bytes.trim_ascii_start().starts_with(b"<");
    let mut lines =
        bytes.split(|byte| matches!(byte, b'\r' | b'\n')).filter(|line| !line.trim_ascii().is_empty());
    let is_row = |line: &[u8]| line.iter().any(|byte| matches!(byte, b',' | b';' | b'\t' | b'|'));
    is_clean && !is_markup && lines.next().is_some_and(is_row) && lines.next().is_some_and(is_row)
}
