//! Pages and what is drawn on them.

use chrono::NaiveDateTime;
use printpdf::{
    Actions, BorderArray, Color, LinePoint, LinkAnnotation, Mm, OffsetDateTime, Op, PageAnnotId,
    PageAnnotation, PaintMode, PdfDocument, PdfPage, PdfSaveOptions, Point, Polygon, PolygonRing, Pt, Rect,
    Rgb, WindingOrder, XObject, XObjectId, XObjectTransform,
};

use super::{
    POINT, Picture,
    fonts::{Colour, Fonts, Style},
};
use crate::{Result, codes};

/// Where text stands within its width. Text from right to left is mirrored: its start is on the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Start,
    Centre,
    Right,
}

/// A rectangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// Where a QR code stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QrPlace {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) side: f32,
}

/// A document being drawn.
pub(crate) struct Paper {
    pub(crate) fonts: Fonts,
    width: f32,
    height: f32,
    document: PdfDocument,
    pages: Vec<Vec<Op>>,
    /// Page that is drawn on.
    current: usize,
}

impl Paper {
    /// An empty document with pages of this size.
    pub(crate) fn new(
        title: &str,
        author: &str,
        made: NaiveDateTime,
        width: f32,
        height: f32,
    ) -> Result<Self> {
        let mut document = PdfDocument::new(title);
        let info = &mut document.metadata.info;
        info.author = author.to_owned();
        info.creator = "Routewright".to_owned();
        info.producer = "Routewright".to_owned();
        if let Ok(made) = OffsetDateTime::from_unix_timestamp(made.and_utc().timestamp()) {
            info.creation_date = made;
            info.modification_date = made;
            info.metadata_date = made;
        }
        let fonts = Fonts::new()?;
        Ok(Self { fonts, width, height, document, pages: Vec::new(), current: 0 })
    }

    pub(crate) fn width(&self) -> f32 {
        self.width
    }

    pub(crate) fn height(&self) -> f32 {
        self.height
    }

    /// Begins a page and draws on it from now on.
    pub(crate) fn page(&mut self) {
        self.pages.push(Vec::new());
        self.current = self.pages.len() - 1;
    }

    /// Number of pages so far.
    pub(crate) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Draws on an earlier page again, counted from 0, for footers that need the number of pages.
    pub(crate) fn return_to(&mut self, page: usize) {
        self.current = page.min(self.pages.len().saturating_sub(1));
    }

    /// Adds the current page to the outline that viewers show beside the document.
    pub(crate) fn bookmark(&mut self, name: &str) {
        let id = PageAnnotId(format!("B{}", self.document.bookmarks.map.len()));
        let bookmark = PageAnnotation { name: name.to_owned(), page: self.pages.len() };
        self.document.bookmarks.map.insert(id, bookmark);
    }

    /// Draws a text in a column and returns the height it took.
    pub(crate) fn text(&mut self, x: f32, y: f32, width: f32, text: &str, style: Style, align: Align) -> f32 {
        let lines = self.fonts.lines(text, &style, width);
        for (line, i) in lines.iter().zip(0u16..) {
            self.line(x, y + f32::from(i) * style.leading(), width, line, style, align);
        }
        lines.len() as f32 * style.leading()
    }

    /// Draws a text on one line, cut where it is too long.
    pub(crate) fn one_line(&mut self, x: f32, y: f32, width: f32, text: &str, style: Style, align: Align) {
        let line = self.fonts.one_line(text, &style, width);
        self.line(x, y, width, &line, style, align);
    }

    /// Draws a straight line.
    pub(crate) fn rule(&mut self, from: (f32, f32), to: (f32, f32), points: f32, ink: Colour) {
        let at = |(x, y): (f32, f32)| LinePoint {
            p: Point { x: Pt(x / POINT), y: Pt(self.up(y)) },
            bezier: false,
        };
        let line = printpdf::Line { points: vec![at(from), at(to)], is_closed: false };
        self.op(Op::SetOutlineColor { col: colour(ink) });
        self.op(Op::SetOutlineThickness { pt: Pt(points) });
        self.op(Op::DrawLine { line });
    }

    /// Draws the outline of a rectangle.
    pub(crate) fn outline(&mut self, frame: Frame, points: f32, ink: Colour) {
        self.op(Op::SetOutlineColor { col: colour(ink) });
        self.op(Op::SetOutlineThickness { pt: Pt(points) });
        let polygon = self.polygon(frame, PaintMode::Stroke);
        self.op(Op::DrawPolygon { polygon });
    }

    /// Fills a rectangle.
    pub(crate) fn fill(&mut self, frame: Frame, ink: Colour) {
        self.op(Op::SetFillColor { col: colour(ink) });
        let polygon = self.polygon(frame, PaintMode::Fill);
        self.op(Op::DrawPolygon { polygon });
    }

    fn polygon(&self, frame: Frame, mode: PaintMode) -> Polygon {
        Polygon { rings: vec![self.ring(frame)], mode, winding_order: WindingOrder::NonZero }
    }

    fn ring(&self, frame: Frame) -> PolygonRing {
        let Frame { x, y, width, height } = frame;
        let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        let at = |(x, y): (f32, f32)| LinePoint {
            p: Point { x: Pt(x / POINT), y: Pt(self.up(y)) },
            bezier: false,
        };
        PolygonRing { points: corners.into_iter().map(at).collect() }
    }

    /// Draws a picture as large as it fits into the frame, in its middle. Returns the frame it fills.
    pub(crate) fn picture(&mut self, frame: Frame, picture: Picture, align: Align) -> Frame {
        let width = frame.width.min(frame.height * picture.ratio());
        let height = width / picture.ratio();
        let free = frame.width - width;
        let shift = match align {
            Align::Start => 0.0,
            Align::Centre => free / 2.0,
            Align::Right => free,
        };
        let placed = Frame { x: frame.x + shift, y: frame.y + (frame.height - height) / 2.0, width, height };
        let Some(object) = picture.into_object() else { return placed };
        let id = XObjectId(format!("P{}", self.document.resources.xobjects.map.len()));
        self.document.resources.xobjects.map.insert(id.clone(), XObject::External(object));
        let transform = XObjectTransform {
            translate_x: Some(Pt(placed.x / POINT)),
            translate_y: Some(Pt(self.up(placed.y + placed.height))),
            scale_x: Some(placed.width / POINT),
            scale_y: Some(placed.height / POINT),
            no_auto_scale: true,
            ..XObjectTransform::default()
        };
        self.op(Op::UseXobject { id, transform });
        placed
    }

    /// Draws a QR code as vector modules; the quiet zone around it is the caller's.
    pub(crate) fn qr(&mut self, place: QrPlace, text: &str) -> Result<()> {
        let code = codes::qr_modules(text)?;
        let side = place.side / code.size as f32;
        let mut rings = Vec::new();
        for (row, modules) in code.dark.chunks(code.size).enumerate() {
            rings.extend(self.bars(modules, place.x, place.y + row as f32 * side, side, side));
        }
        self.dark(rings);
        Ok(())
    }

    /// Draws a Code 128 barcode over the width of the frame; the quiet zone beside it is the caller's.
    pub(crate) fn code128(&mut self, frame: Frame, text: &str) -> Result<()> {
        let modules = codes::code128_modules(text)?;
        let rings = self.bars(&modules, frame.x, frame.y, frame.width / modules.len() as f32, frame.height);
        self.dark(rings);
        Ok(())
    }

    /// Rectangles for the dark modules of a row; neighbours become one, so that no viewer draws hairlines between.
    fn bars(&self, modules: &[bool], x: f32, y: f32, module: f32, height: f32) -> Vec<PolygonRing> {
        let mut at = 0;
        let mut rings = Vec::new();
        for bar in modules.chunk_by(|a, b| a == b) {
            if bar.first() == Some(&true) {
                let width = bar.len() as f32 * module;
                rings.push(self.ring(Frame { x: x + at as f32 * module, y, width, height }));
            }
            at += bar.len();
        }
        rings
    }

    fn dark(&mut self, rings: Vec<PolygonRing>) {
        self.op(Op::SetFillColor { col: colour(Colour(0, 0, 0)) });
        let polygon = Polygon { rings, mode: PaintMode::Fill, winding_order: WindingOrder::NonZero };
        self.op(Op::DrawPolygon { polygon });
    }

    /// Makes a rectangle open an address when clicked.
    pub(crate) fn link(&mut self, frame: Frame, uri: &str) {
        let rect = Rect::from_xywh(
            Pt(frame.x / POINT),
            Pt(self.up(frame.y + frame.height)),
            Pt(frame.width / POINT),
            Pt(frame.height / POINT),
        );
        let border = Some(BorderArray::Solid([0.0, 0.0, 0.0]));
        let link = LinkAnnotation::new(rect, Actions::uri(uri.to_owned()), border, None, None);
        self.op(Op::LinkAnnotation { link });
    }

    /// The document as PDF.
    pub(crate) fn save(mut self) -> Result<Vec<u8>> {
        for (id, font) in self.fonts.embedded()? {
            self.document.resources.fonts.map.insert(id, font);
        }
        let (width, height) = (Mm(self.width), Mm(self.height));
        self.document.pages = self.pages.into_iter().map(|ops| PdfPage::new(width, height, ops)).collect();
        // The fonts are cut down already.
        let options = PdfSaveOptions { subset_fonts: false, ..PdfSaveOptions::default() };
        let mut file = self.document.to_lopdf_document(&options, &mut Vec::new());
        // The text that clusters stand for came with PDF 1.5.
        file.version = "1.7".to_owned();
        file.compress();
        let mut bytes = Vec::new();
        // Writing to memory does not fail.
        file.save_to(&mut bytes).ok();
        Ok(bytes)
    }

    /// A distance from the top in millimetres as one from the bottom in points.
    pub(super) fn up(&self, y: f32) -> f32 {
        (self.height - y) / POINT
    }

    pub(super) fn op(&mut self, op: Op) {
        if let Some(page) = self.pages.get_mut(self.current) {
            page.push(op);
        }
    }
}

pub(super) fn colour(Colour(r, g, b): Colour) -> Color {
    let part = |value: u8| f32::from(value) / 255.0;
    Color::Rgb(Rgb { r: part(r), g: part(g), b: part(b), icc_profile: None })
}
