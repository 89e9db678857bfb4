//! Writing lines of glyphs so that their text can be searched and copied.

use printpdf::{Codepoint, DictItem, Op, PdfFontHandle, Pt, TextItem, TextMatrix};

use super::{
    Align, POINT, Paper, Style,
    canvas::colour,
    fonts::{Fonts, UsedGlyph},
    shaping::{Cluster, Glyph, Line, Run},
};

impl Paper {
    /// Draws a line of text; `y` is its top.
    pub(crate) fn line(&mut self, x: f32, y: f32, width: f32, line: &Line, style: Style, align: Align) {
        let free = width - line.width;
        let shift = match align {
            Align::Start if line.right_to_left => free,
            Align::Start => 0.0,
            Align::Centre => free / 2.0,
            Align::Right => free,
        };
        let baseline = self.up(y + style.ascent());
        let mut pen = (x + shift) / POINT;
        self.op(Op::SetFillColor { col: colour(style.colour) });
        self.op(Op::StartTextSection);
        for run in &line.runs {
            pen = self.run(run, pen, baseline, style.size);
        }
        self.op(Op::EndTextSection);
    }

    /// Shows a run of glyphs from `pen` on and returns where it ends, in points.
    fn run(&mut self, run: &Run, pen: f32, baseline: f32, size: f32) -> f32 {
        self.op(Op::SetFont { font: PdfFontHandle::External(Fonts::id(run.face)), size: Pt(size) });
        let em = size / 1_000.0;
        let mut pen =
            Pen { origin: pen, baseline, em, wanted: 0.0, actual: 0.0, start: 0.0, items: Vec::new() };
        for cluster in &run.clusters {
            match self.letters(run, cluster) {
                Some(letters) => {
                    for (letter, glyph) in letters {
                        pen.put(letter, glyph);
                    }
                }
                None => {
                    self.show(&mut pen);
                    self.spelled(run.face, cluster, &mut pen);
                }
            }
        }
        self.show(&mut pen);
        pen.origin + pen.wanted * em
    }

    /// The glyphs of a cluster where each stands for its own letter on the baseline; `None` where they do not spell
    /// the text.
    fn letters(&mut self, run: &Run, cluster: &Cluster) -> Option<Vec<(UsedGlyph, Glyph)>> {
        let [glyph] = &cluster.glyphs[..] else { return None };
        if glyph.id == 0 || glyph.y != 0.0 {
            return None;
        }
        let mut letters = Vec::new();
        let mut own = cluster.text.as_str();
        if run.right_to_left {
            // Readers take the letters of a ligature from left to right, which is backwards here. So the glyph
            // carries the first letter, on the right, and blanks to its left the ones that follow.
            let first = own.chars().next().map_or(0, char::len_utf8);
            let blank = Glyph { id: 0, advance: 0.0, x: 0.0, y: 0.0 };
            for letter in own[first..].chars().rev() {
                let used = self.fonts.use_blank(run.face, letter.encode_utf8(&mut [0; 4]))?;
                letters.push((used, blank.clone()));
            }
            own = &own[..first];
        }
        let used = self.fonts.use_glyph(run.face, glyph.id, own);
        let registered = used.text == own;
        letters.push((used, glyph.clone()));
        registered.then_some(letters)
    }

    /// Shows a cluster whose glyphs do not spell its text (marks, characters no face has) and says what it stands
    /// for, so that it can be searched and copied.
    fn spelled(&mut self, face: usize, cluster: &Cluster, pen: &mut Pen) {
        let utf16 = std::iter::once(0xFEFF).chain(cluster.text.encode_utf16());
        let text = DictItem::String { data: utf16.flat_map(u16::to_be_bytes).collect(), literal: false };
        let properties = DictItem::Dict { map: [("ActualText".to_owned(), text)].into() };
        self.op(Op::BeginMarkedContentWithProperties { tag: "Span".to_owned(), properties });
        for (glyph, i) in cluster.glyphs.iter().zip(0..) {
            let own = if i == 0 { cluster.text.as_str() } else { "" };
            let used = self.fonts.use_glyph(face, glyph.id, own);
            let mut raised = Pen { baseline: pen.baseline + glyph.y * pen.em, items: Vec::new(), ..*pen };
            raised.put(used, glyph.clone());
            self.show(&mut raised);
            pen.wanted = raised.wanted;
        }
        self.op(Op::EndMarkedContentWithProperties);
    }

    /// Shows what the pen has gathered.
    fn show(&mut self, pen: &mut Pen) {
        if !pen.items.is_empty() {
            let (x, y) = (pen.origin + pen.start * pen.em, pen.baseline);
            self.op(Op::SetTextMatrix { matrix: TextMatrix::Raw([1.0, 0.0, 0.0, 1.0, x, y]) });
            self.op(Op::ShowText { items: std::mem::take(&mut pen.items) });
        }
    }
}

/// Gathers glyphs of one run until they are shown. Lengths in 1/1000 em from the origin.
struct Pen {
    /// Left end of the run and height of its baseline, in points.
    origin: f32,
    baseline: f32,
    /// Points of 1/1000 em.
    em: f32,
    /// Where the next glyph belongs.
    wanted: f32,
    /// Where a viewer would draw it.
    actual: f32,
    /// Where the gathered glyphs begin.
    start: f32,
    items: Vec<TextItem>,
}

impl Pen {
    fn put(&mut self, used: UsedGlyph, glyph: Glyph) {
        let place = self.wanted + glyph.x;
        if self.items.is_empty() {
            (self.start, self.actual) = (place, place);
        } else if (place - self.actual).abs() > 0.5 {
            self.items.push(TextItem::Offset(self.actual - place));
            self.actual = place;
        }
        self.actual += used.advance;
        self.wanted += glyph.advance;
        self.items.push(TextItem::GlyphIds(vec![Codepoint::with_cid(used.id, 0.0, used.text)]));
    }
}
