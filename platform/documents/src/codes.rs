//! QR codes and barcodes.

use barcoders::sym::code128::Code128;
use qrcode::{EcLevel, QrCode, render::svg};

use crate::{DocumentError, Result};

/// Modules of a QR code, row by row, `true` = dark; error correction level M, no quiet zone.
#[derive(Debug, Clone)]
pub struct QrModules {
    /// Modules per side.
    pub size: usize,
    /// `size * size` modules, row-major.
    pub dark: Vec<bool>,
}

/// A text as QR code.
pub fn qr_modules(text: &str) -> Result<QrModules> {
    let code = qr(text)?;
    Ok(QrModules {
        size: code.width(),
        dark: code.to_colors().into_iter().map(|c| c == qrcode::Color::Dark).collect(),
    })
}

/// A text as QR code in SVG, with the quiet zone of four modules that scanners need.
pub fn qr_svg(text: &str) -> Result<String> {
    Ok(qr(text)?.render::<svg::Color>().min_dimensions(240, 240).build())
}

fn qr(text: &str) -> Result<QrCode> {
    QrCode::with_error_correction_level(text, EcLevel::M).map_err(|error| DocumentError::Code {
        code: "QR code",
        text: text.to_owned(),
        reason: error.to_string(),
    })
}

/// Bars of a Code 128 barcode from left to right, one entry per module, `true` = dark; without quiet zones, which
/// are ten modules on each side. Carries printable ASCII; a text of digits in pairs takes half the width.
pub fn code128_modules(text: &str) -> Result<Vec<bool>> {
    let failed = |reason: String| DocumentError::Code { code: "Code 128", text: text.to_owned(), reason };
    if text.is_empty() || !text.chars().all(|c| matches!(c, ' '..='~')) {
        return Err(failed("it carries printable ASCII characters only".into()));
    }
    let pairs = text.len().is_multiple_of(2) && text.bytes().all(|b| b.is_ascii_digit());
    let character_set = if pairs { CODE_C } else { CODE_B };
    let code = Code128::new(format!("{character_set}{text}")).map_err(|error| failed(error.to_string()))?;
    Ok(code.encode().into_iter().map(|bar| bar == 1).collect())
}

/// Start characters by which the encoder chooses the character set.
const CODE_B: char = '\u{0181}';
const CODE_C: char = '\u{0106}';
