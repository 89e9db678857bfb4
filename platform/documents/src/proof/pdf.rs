//! The proof of delivery on paper: A4 upright.

use super::{ItemProof, ProofOfDelivery, ProofRecord};
use crate::{
    DocumentError, Letterhead, Result,
    letterhead::{day, facts},
    paper::{
        ACCENT, Align, BAD, BAND, Block, Column, Frame, GOOD, INK, Kind, MUTED, Paper, Picture, QrPlace,
        RULE, Row, Style, Table,
    },
    run_sheet::{size_lines, window},
};

const WIDTH: f32 = 210.0;
const HEIGHT: f32 = 297.0;
const MARGIN: f32 = 15.0;
const INNER: f32 = WIDTH - 2.0 * MARGIN;
/// Lowest point of what is drawn; the footer is below.
const BOTTOM: f32 = HEIGHT - 16.0;
/// Where drawing begins on a page that continues the proof.
const CONTINUED: f32 = 24.0;
/// Pixels on the longer side of a photo: 250 dots per inch at the size it is printed.
pub const PHOTO_PIXELS: u32 = 860;
/// Pixels on the longer side of a signature.
pub const SIGNATURE_PIXELS: u32 = 900;
const PHOTO_HEIGHT: f32 = 66.0;
const SIGNATURE_HEIGHT: f32 = 30.0;
const GAP: f32 = 5.0;
/// Side of the code that opens the check of the proof.
const QR: f32 = 28.0;

const COLUMNS: [Column; 7] = [
    Column::new("Type", 15.0),
    Column::new("Code", 31.0),
    Column::new("Name", 34.0),
    Column::new("Action", 18.0),
    Column::new("Time", 20.0),
    Column::new("Result", 27.0),
    Column::new("Comments", 35.0),
];

/// The proof of delivery of one job as PDF. Without a proof of the job or of one of its items there is nothing to
/// print.
pub fn pdf(letterhead: &Letterhead, proof: &ProofOfDelivery) -> Result<Vec<u8>> {
    if proof.proofs.is_empty() && proof.items.iter().all(|item| item.recorded_at.is_none()) {
        return Err(DocumentError::Nothing("the job has no proof"));
    }
    let title = format!("Proof of delivery {}", proof.job);
    let paper = Paper::new(&title, &letterhead.organisation, letterhead.printed_at, WIDTH, HEIGHT)?;
    let mut sheet = Sheet { paper, proof, y: 0.0 };
    sheet.head(letterhead);
    for (record, i) in proof.proofs.iter().zip(1usize..) {
        sheet.record(record, i);
    }
    sheet.items();
    sheet.check()?;
    letterhead.footers(&mut sheet.paper, MARGIN, &title);
    sheet.paper.save()
}

struct Sheet<'a> {
    paper: Paper,
    proof: &'a ProofOfDelivery,
    /// Where the next thing is drawn.
    y: f32,
}

impl Sheet<'_> {
    fn head(&mut self, letterhead: &Letterhead) {
        let proof = self.proof;
        self.paper.page();
        letterhead.draw(&mut self.paper, Frame { x: MARGIN, y: 11.0, width: INNER * 0.55, height: 13.0 });
        let right = MARGIN + INNER * 0.55;
        let width = INNER * 0.45;
        self.paper.one_line(right, 11.0, width, "Proof of delivery", Style::bold(15.0, ACCENT), Align::Right);
        self.paper.one_line(right, 18.0, width, &proof.job, Style::bold(11.0, INK), Align::Right);
        self.y = 28.0;
        self.verdict();
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let planned = proof.planned_eta.map(|eta| format!("{} {}", day(eta.date()), eta.format("%H:%M")));
        let frame = Frame { x: MARGIN, y: self.y, width: INNER, height: 0.0 };
        self.y = facts(
            &mut self.paper,
            frame,
            3,
            &[
                ("CUSTOMER", proof.customer.clone()),
                ("ADDRESS", proof.address.clone()),
                ("PHONE", text(&proof.phone)),
                ("INVOICE", text(&proof.invoice)),
                ("REFERENCE", text(&proof.reference)),
                ("SIZE", size_lines(proof.size.as_deref().unwrap_or_default()).replace('\n', ", ")),
                ("DATE", proof.date.map(day).unwrap_or_default()),
                ("PLANNED ARRIVAL", planned.unwrap_or_default()),
                ("WINDOW", window(proof.arrive_after, proof.leave_by)),
                ("RUN", text(&proof.run)),
                ("DRIVER", text(&proof.driver)),
                ("VEHICLE", text(&proof.vehicle)),
                ("SCENARIO", text(&proof.scenario)),
            ],
        );
        self.y += 1.0;
    }

    /// The result as a band over the page: what the reader wants to know first.
    fn verdict(&mut self) {
        let (text, colour, when) = match self.proof.proofs.first() {
            Some(record) => {
                (result(record.success), verdict_colour(record.success), Some(record.recorded_at))
            }
            None => ("No proof of the job, only of its items", MUTED, None),
        };
        let frame = Frame { x: MARGIN, y: self.y, width: INNER, height: 12.0 };
        self.paper.fill(frame, BAND);
        self.paper.fill(Frame { width: 1.6, ..frame }, colour);
        self.paper.one_line(
            MARGIN + 5.0,
            self.y + 2.6,
            INNER * 0.6,
            text,
            Style::bold(13.0, colour),
            Align::Start,
        );
        if let Some(when) = when {
            let when = format!("{}  {}", day(when.date()), when.format("%H:%M"));
            let x = MARGIN + INNER * 0.6;
            self.paper.one_line(
                x,
                self.y + 3.2,
                INNER * 0.4 - 4.0,
                &when,
                Style::bold(11.0, INK),
                Align::Right,
            );
        }
        self.y += 17.0;
    }

    /// One proof with its signature and photos.
    fn record(&mut self, record: &ProofRecord, number: usize) {
        self.need(40.0);
        let title = match self.proof.proofs.len() {
            1 => "Proof".to_owned(),
            count => format!("Proof {} of {count}", count + 1 - number),
        };
        self.section(&title);
        let position = record.position.map(|(lat, lon)| format!("{lat:.5}, {lon:.5}"));
        let frame = Frame { x: MARGIN, y: self.y, width: INNER, height: 0.0 };
        let when = format!("{} {}", day(record.recorded_at.date()), record.recorded_at.format("%H:%M:%S"));
        self.y = facts(
            &mut self.paper,
            frame,
            4,
            &[
                ("TIME", when),
                ("RESULT", result(record.success).to_owned()),
                ("REASON", record.reason.clone().unwrap_or_default()),
                ("POSITION", position.unwrap_or_default()),
                ("DISTANCE TO THE ADDRESS", record.distance.map(metres).unwrap_or_default()),
                ("DEVICE", record.device.clone().unwrap_or_default()),
                (
                    "DELIVERED",
                    size_lines(record.delivered_size.as_deref().unwrap_or_default()).replace('\n', ", "),
                ),
                ("PIN", record.pin_ok.map(|ok| yes(ok, "Right", "Wrong")).unwrap_or_default()),
                ("AGE CHECK", record.age_check.map(|ok| yes(ok, "Yes", "No")).unwrap_or_default()),
            ],
        );
        if let Some(comments) = record.comments.as_deref().filter(|text| !text.trim().is_empty()) {
            self.paragraph("COMMENTS", comments);
        }
        self.signature(record);
        self.photos(&record.photos);
    }

    /// A text of any length, over pages where it must.
    fn paragraph(&mut self, caption: &str, text: &str) {
        let style = Style::new(9.0, INK);
        let heading = Style::bold(6.5, MUTED);
        self.need(heading.leading() + style.leading());
        self.paper.one_line(MARGIN, self.y, INNER, caption, heading, Align::Start);
        self.y += heading.leading();
        for line in self.paper.fonts.lines(text, &style, INNER) {
            self.need(style.leading());
            self.paper.line(MARGIN, self.y, INNER, &line, style, Align::Start);
            self.y += style.leading();
        }
        self.y += 2.0;
    }

    fn signature(&mut self, record: &ProofRecord) {
        let name = record.signature_name.as_deref().filter(|name| !name.trim().is_empty());
        if record.signature.is_none() && name.is_none() {
            return;
        }
        self.need(SIGNATURE_HEIGHT + 10.0);
        self.caption("SIGNATURE");
        if let Some(bytes) = &record.signature {
            let frame =
                Frame { x: MARGIN, y: self.y, width: INNER / 2.0 - GAP / 2.0, height: SIGNATURE_HEIGHT };
            self.framed(
                frame,
                Picture::read(bytes, Kind::Drawing, SIGNATURE_PIXELS),
                2.0,
                "The signature cannot be shown",
            );
            self.y += SIGNATURE_HEIGHT + 1.0;
        }
        if let Some(name) = name {
            let style = Style::new(9.0, INK);
            self.y += self.paper.text(MARGIN, self.y, INNER, name, style, Align::Start);
        }
        self.y += 3.0;
    }

    fn photos(&mut self, photos: &[Vec<u8>]) {
        if photos.is_empty() {
            return;
        }
        let width = (INNER - GAP) / 2.0;
        for (pair, row) in photos.chunks(2).zip(0u16..) {
            self.need(PHOTO_HEIGHT + 6.0);
            if row == 0 {
                self.caption("PHOTOS");
            }
            for (bytes, i) in pair.iter().zip(0u8..) {
                let x = MARGIN + f32::from(i) * (width + GAP);
                let frame = Frame { x, y: self.y, width, height: PHOTO_HEIGHT };
                self.framed(
                    frame,
                    Picture::read(bytes, Kind::Photo, PHOTO_PIXELS),
                    1.0,
                    "The photo cannot be shown",
                );
            }
            self.y += PHOTO_HEIGHT + GAP;
        }
    }

    /// A picture in a frame, or what to say where it cannot be read.
    fn framed(&mut self, frame: Frame, picture: Option<Picture>, inset: f32, otherwise: &str) {
        self.paper.outline(frame, 0.5, RULE);
        let inner = Frame {
            x: frame.x + inset,
            y: frame.y + inset,
            width: frame.width - 2.0 * inset,
            height: frame.height - 2.0 * inset,
        };
        match picture {
            Some(picture) => {
                self.paper.picture(inner, picture, Align::Centre);
            }
            None => {
                let y = frame.y + frame.height / 2.0 - 2.0;
                self.paper.one_line(
                    inner.x,
                    y,
                    inner.width,
                    otherwise,
                    Style::new(8.0, MUTED),
                    Align::Centre,
                );
            }
        }
    }

    /// The table of units and returns.
    fn items(&mut self) {
        if self.proof.items.is_empty() {
            return;
        }
        self.need(30.0);
        self.section("Units and returns");
        let rows: Vec<Row> = self.proof.items.iter().map(item_row).collect();
        let table = Table {
            x: MARGIN,
            columns: &COLUMNS,
            least_height: 6.5,
            bottom: BOTTOM,
            page_room: BOTTOM - CONTINUED,
        };
        let job = self.proof.job.clone();
        self.y = table.draw(&mut self.paper, self.y, &rows, &mut |paper| continued(paper, &job));
    }

    /// The code that opens the page which says whether anything was altered, and the seal to compare.
    fn check(&mut self) -> Result<()> {
        let Some(check) = &self.proof.check else { return Ok(()) };
        self.need(QR + 14.0);
        self.y += 3.0;
        self.section("Seal");
        self.paper.qr(QrPlace { x: MARGIN, y: self.y, side: QR }, &check.link)?;
        self.paper.link(Frame { x: MARGIN, y: self.y, width: QR, height: QR }, &check.link);
        let (x, width) = (MARGIN + QR + 6.0, INNER - QR - 6.0);
        let mut y = self.y + 1.0;
        let text = "Scan to check that nothing of this proof was altered since it was recorded.";
        y += self.paper.text(x, y, width, text, Style::new(9.0, INK), Align::Start) + 2.0;
        if let Some(seal) = &check.seal {
            let digits: Vec<char> = seal.chars().collect();
            let groups: Vec<String> = digits.chunks(8).map(|group| group.iter().collect()).collect();
            self.paper.text(x, y, width, &groups.join(" "), Style::new(7.5, MUTED), Align::Start);
        }
        self.y += QR + 3.0;
        Ok(())
    }

    fn section(&mut self, title: &str) {
        self.paper.rule((MARGIN, self.y), (MARGIN + INNER, self.y), 0.4, RULE);
        self.y += 3.0;
        self.paper.one_line(MARGIN, self.y, INNER, title, Style::bold(11.0, INK), Align::Start);
        self.y += 7.0;
    }

    fn caption(&mut self, text: &str) {
        let style = Style::bold(6.5, MUTED);
        self.paper.one_line(MARGIN, self.y, INNER, text, style, Align::Start);
        self.y += style.leading() + 0.8;
    }

    /// Begins a page where less than `height` is left.
    fn need(&mut self, height: f32) {
        if self.y + height > BOTTOM {
            self.y = continued(&mut self.paper, &self.proof.job);
        }
    }
}

fn continued(paper: &mut Paper, job: &str) -> f32 {
    paper.page();
    let text = format!("Proof of delivery · {job}");
    paper.one_line(MARGIN, 13.0, INNER - 30.0, &text, Style::bold(9.0, INK), Align::Start);
    paper.one_line(MARGIN + INNER - 30.0, 13.0, 30.0, "continued", Style::new(8.0, MUTED), Align::Right);
    CONTINUED
}

fn item_row(item: &ItemProof) -> Row {
    let mut outcome = Vec::new();
    if let Some(success) = item.success {
        let style = Style::bold(8.0, verdict_colour(success));
        outcome.push(Block::styled(if success { "OK" } else { "Not OK" }, style));
    }
    outcome.push(Block::aside(item.reason.clone().unwrap_or_default()));
    let when = item.recorded_at.map(|at| format!("{} {}", day(at.date()), at.format("%H:%M")));
    Row {
        cells: vec![
            vec![Block::plain(item.kind.name())],
            vec![Block::strong(&item.uid)],
            vec![Block::plain(item.name.clone().unwrap_or_default())],
            vec![Block::plain(item.mode.as_deref().map(action).unwrap_or_default())],
            vec![Block::plain(when.unwrap_or_default())],
            outcome,
            vec![Block::plain(item.comments.clone().unwrap_or_default())],
        ],
    }
}

/// A mode in words.
fn action(mode: &str) -> String {
    match mode {
        "load" => "Loaded".to_owned(),
        "deliver" => "Delivered".to_owned(),
        "pickup" => "Picked up".to_owned(),
        "at_depot" => "At depot".to_owned(),
        "return" => "Returned".to_owned(),
        other => other.to_owned(),
    }
}

fn metres(distance: i32) -> String {
    if distance < 1000 { format!("{distance} m") } else { format!("{:.1} km", f64::from(distance) / 1000.0) }
}

fn yes(is_so: bool, yes: &str, no: &str) -> String {
    if is_so { yes } else { no }.to_owned()
}

fn result(success: bool) -> &'static str {
    if success { "Successful" } else { "Not successful" }
}

fn verdict_colour(success: bool) -> crate::paper::Colour {
    if success { GOOD } else { BAD }
}
