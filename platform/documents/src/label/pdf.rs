//! Labels on paper.

use super::Label;
use crate::{
    DocumentError, Letterhead, Result, codes,
    paper::{Align, Colour, Frame, INK, MUTED, POINT, Paper, QrPlace, Style, WHITE},
};

const WIDTH: f32 = 100.0;
const HEIGHT: f32 = 150.0;
const MARGIN: f32 = 5.0;
const INNER: f32 = WIDTH - 2.0 * MARGIN;
const BLACK: Colour = Colour(0, 0, 0);
/// Thinnest bar that the printers and scanners of a depot cope with: two dots at 203 dots per inch.
const THINNEST_BAR: f32 = 0.25;
/// Thickest bar worth printing.
const THICKEST_BAR: f32 = 0.6;
const BARCODE_HEIGHT: f32 = 24.0;
const QR: f32 = 34.0;

/// The labels as PDF, one per page of 100 x 150 mm. Without labels there is nothing to print.
///
/// A code that a barcode cannot carry, or that would need bars too thin to scan, is printed as QR code only, and
/// the label says so.
pub fn pdf(letterhead: &Letterhead, labels: &[Label]) -> Result<Vec<u8>> {
    if labels.is_empty() {
        return Err(DocumentError::Nothing("there are no labels"));
    }
    let mut paper = Paper::new("Labels", &letterhead.organisation, letterhead.printed_at, WIDTH, HEIGHT)?;
    for label in labels {
        draw(&mut paper, letterhead, label)?;
    }
    paper.save()
}

fn draw(paper: &mut Paper, letterhead: &Letterhead, label: &Label) -> Result<()> {
    paper.page();
    letterhead.draw(paper, Frame { x: MARGIN, y: MARGIN, width: 58.0, height: 11.0 });
    count(paper, label);
    paper.rule((MARGIN, 19.0), (WIDTH - MARGIN, 19.0), 0.8, INK);
    big(paper, &label.uid, Frame { x: MARGIN, y: 21.0, width: INNER, height: 16.0 });
    barcode(paper, &label.uid, 40.0)?;
    paper.rule((MARGIN, 68.0), (WIDTH - MARGIN, 68.0), 0.8, INK);
    destination(paper, label, 70.0);
    paper.rule((MARGIN, 109.0), (WIDTH - MARGIN, 109.0), 0.8, INK);
    paper.qr(QrPlace { x: WIDTH - MARGIN - QR - 1.0, y: 111.5, side: QR }, &label.uid)?;
    place_in_run(paper, label, 111.0);
    Ok(())
}

/// What it is and which of how many, white on black.
fn count(paper: &mut Paper, label: &Label) {
    let frame = Frame { x: WIDTH - MARGIN - 30.0, y: MARGIN, width: 30.0, height: 11.0 };
    paper.fill(frame, BLACK);
    let kind = label.kind.name().to_uppercase();
    paper.one_line(frame.x, frame.y + 0.6, frame.width, &kind, Style::bold(7.0, WHITE), Align::Centre);
    let text = format!("{} of {}", label.number, label.of);
    paper.one_line(frame.x, frame.y + 3.6, frame.width, &text, Style::bold(13.0, WHITE), Align::Centre);
}

/// A text as big as it fits on one line, at most 34 points; below 14 points it is broken over lines instead.
fn big(paper: &mut Paper, text: &str, frame: Frame) {
    let wide = paper.fonts.one_line(text, &Style::bold(10.0, INK), f32::INFINITY).width;
    let size = (10.0 * frame.width / wide.max(1.0)).min(34.0);
    if size >= 14.0 {
        let style = Style::bold(size, BLACK);
        let y = frame.y + (frame.height - style.leading()) / 2.0;
        paper.one_line(frame.x, y, frame.width + 1.0, text, style, Align::Centre);
        return;
    }
    let mut style = Style::bold(12.0, BLACK);
    while style.size > 6.0
        && paper.fonts.lines(text, &style, frame.width).len() as f32 * style.leading() > frame.height
    {
        style.size -= 0.5;
    }
    paper.text(frame.x, frame.y, frame.width, text, style, Align::Centre);
}

fn barcode(paper: &mut Paper, uid: &str, y: f32) -> Result<()> {
    let modules = codes::code128_modules(uid).map(|modules| modules.len() as f32);
    // Ten modules of white on each side belong to the code.
    let bar = modules.as_ref().map(|count| (INNER / (count + 20.0)).min(THICKEST_BAR)).unwrap_or_default();
    match modules {
        Ok(count) if bar >= THINNEST_BAR => {
            let width = count * bar;
            let frame = Frame { x: (WIDTH - width) / 2.0, y, width, height: BARCODE_HEIGHT };
            paper.code128(frame, uid)
        }
        _ => {
            let style = Style::new(9.0, MUTED);
            let text = "This code does not fit a barcode: scan the QR code below.";
            paper.text(MARGIN, y + BARCODE_HEIGHT / 2.0 - 4.0, INNER, text, style, Align::Centre);
            Ok(())
        }
    }
}

/// Customer and address, as large as they fit.
fn destination(paper: &mut Paper, label: &Label, y: f32) {
    let customer = label.customer.as_deref().unwrap_or_default();
    let address = label.address.as_deref().unwrap_or_default();
    let room = 37.0;
    let mut size = 16.0;
    let (lines, styles) = loop {
        let styles = [Style::bold(size, INK), Style::new(size * 0.82, INK)];
        let lines =
            [paper.fonts.lines(customer, &styles[0], INNER), paper.fonts.lines(address, &styles[1], INNER)];
        let height: f32 =
            lines.iter().zip(&styles).map(|(lines, style)| lines.len() as f32 * style.leading()).sum();
        if height + 2.0 <= room || size <= 6.0 {
            break (lines, styles);
        }
        size -= 0.5;
    };
    let mut top = y;
    for (lines, style) in lines.iter().zip(styles) {
        for line in lines {
            if top + style.leading() > y + room + 1.0 {
                break;
            }
            paper.line(MARGIN, top, INNER, line, style, Align::Start);
            top += style.leading();
        }
        top += 1.0;
    }
}

/// Run and stop, job and reference, beside the QR code.
fn place_in_run(paper: &mut Paper, label: &Label, y: f32) {
    let width = INNER - QR - 5.0;
    let caption = Style::bold(6.5, MUTED);
    let mut top = y;
    let mut fact = |paper: &mut Paper, name: &str, text: &str, style: Style| {
        if text.trim().is_empty() {
            return;
        }
        paper.one_line(MARGIN, top, width, name, caption, Align::Start);
        top += caption.leading() - 0.4;
        let line = paper.fonts.one_line(text, &style, f32::INFINITY);
        // A name that is too long is set smaller before it is cut.
        let size = (style.size * (width / line.width.max(1.0))).clamp(7.0_f32.min(style.size), style.size);
        let style = Style { size, ..style };
        paper.one_line(MARGIN, top, width + POINT, text, style, Align::Start);
        top += style.leading() + 0.6;
    };
    let run = label.run.as_deref().unwrap_or_default();
    let stop = label.seq.map(|seq| seq.to_string()).unwrap_or_default();
    let stop = if stop.is_empty() || run.is_empty() { stop } else { format!("{run}  ·  {stop}") };
    match (run.is_empty(), label.seq) {
        (_, Some(_)) => {
            fact(paper, if run.is_empty() { "STOP" } else { "RUN · STOP" }, &stop, Style::bold(18.0, BLACK))
        }
        (false, None) => fact(paper, "RUN", run, Style::bold(18.0, BLACK)),
        (true, None) => {}
    }
    fact(paper, "JOB", label.job.as_deref().unwrap_or_default(), Style::bold(11.0, INK));
    fact(paper, "REFERENCE", label.reference.as_deref().unwrap_or_default(), Style::new(10.0, INK));
}
