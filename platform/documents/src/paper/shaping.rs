//! From text to glyphs: line breaks, writing direction, typefaces, shaping.

use rustybuzz::{Direction, UnicodeBuffer};
use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};
use unicode_linebreak::{BreakOpportunity, linebreaks};

use super::{POINT, Style, Weight, fonts::Fonts};

/// One line of text, ready to draw, its runs from left to right.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    pub(super) runs: Vec<Run>,
    /// Millimetres.
    pub(crate) width: f32,
    /// The paragraph is written from right to left.
    pub(crate) right_to_left: bool,
}

/// Neighbouring clusters in one face.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) face: usize,
    pub(super) right_to_left: bool,
    pub(super) clusters: Vec<Cluster>,
}

/// Glyphs that together stand for a piece of text.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    pub(super) text: String,
    pub(super) glyphs: Vec<Glyph>,
}

/// One glyph; lengths in 1/1000 em.
#[derive(Debug, Clone)]
pub(super) struct Glyph {
    pub(super) id: u16,
    pub(super) advance: f32,
    pub(super) x: f32,
    pub(super) y: f32,
}

impl Fonts {
    /// Breaks a text into lines no wider than `width` millimetres. Line breaks in the text are kept; a word that is
    /// wider than the line is broken where it must be.
    pub(crate) fn lines(&self, text: &str, style: &Style, width: f32) -> Vec<Line> {
        let text = clean(text);
        let em = style.size * POINT / 1_000.0;
        let mut lines = Vec::new();
        for paragraph in text.split('\n') {
            let bidi = BidiInfo::new(paragraph, None);
            let Some(info) = bidi.paragraphs.first() else {
                lines.push(Line::default());
                continue;
            };
            for (start, end) in self.breaks(paragraph, style.weight, width / em) {
                let (levels, ranges) = bidi.visual_runs(info, start..end);
                let mut line = Line { right_to_left: info.level.is_rtl(), ..Line::default() };
                for range in ranges {
                    let level = levels.get(range.start).copied().unwrap_or(Level::ltr());
                    line.runs.extend(self.runs(&paragraph[range], style.weight, level.is_rtl()));
                }
                let advance =
                    |run: &Run| run.clusters.iter().flat_map(|c| &c.glyphs).map(|g| g.advance).sum::<f32>();
                line.width = line.runs.iter().map(advance).sum::<f32>() * em;
                lines.push(line);
            }
        }
        while lines.len() > 1 && lines.last().is_some_and(|line| line.runs.is_empty()) {
            lines.pop();
        }
        lines
    }

    /// A text on one line, ending in an ellipsis where it is wider than `width` millimetres.
    pub(crate) fn one_line(&self, text: &str, style: &Style, width: f32) -> Line {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let fitting =
            |text: &str| self.lines(text, style, f32::INFINITY).into_iter().next().unwrap_or_default();
        let line = fitting(&text);
        if line.width <= width {
            return line;
        }
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let cut = |end: &usize| format!("{}…", text[..*end].trim_end());
        let count = ends.partition_point(|end| fitting(&cut(end)).width <= width);
        ends.get(count.saturating_sub(1)).map_or(line, |end| fitting(&cut(end)))
    }

    /// Start and end of each line, without the blanks at its end. `width` is in 1/1000 em.
    fn breaks(&self, text: &str, weight: Weight, width: f32) -> Vec<(usize, usize)> {
        let mut lines = Vec::new();
        let (mut start, mut end, mut used) = (0, 0, 0.0);
        for (next, opportunity) in linebreaks(text) {
            let piece = &text[end..next];
            let visible = self.advance(piece.trim_end(), weight);
            if used + visible > width && end > start {
                lines.push((start, end));
                (start, used) = (end, 0.0);
            }
            let mut rest = piece;
            if visible > width {
                let mut pieces = self.forced(text, end, next, weight, width);
                if let Some(last) = pieces.pop() {
                    lines.extend(pieces);
                    (start, used) = (last.0, 0.0);
                    rest = &text[start..next];
                }
            }
            used += self.advance(rest, weight);
            end = next;
            if opportunity == BreakOpportunity::Mandatory {
                lines.push((start, end));
                (start, used) = (end, 0.0);
            }
        }
        if lines.is_empty() {
            lines.push((0, text.len()));
        }
        lines.into_iter().map(|(start, end)| (start, start + text[start..end].trim_end().len())).collect()
    }

    /// Cuts a word into pieces that fit.
    fn forced(&self, text: &str, from: usize, to: usize, weight: Weight, width: f32) -> Vec<(usize, usize)> {
        let mut pieces = Vec::new();
        let (mut start, mut used) = (from, 0.0);
        for (at, character) in text[from..to].char_indices() {
            let face = self.face(self.face_for(character, weight, None));
            let units =
                face.glyph_index(character).and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap_or(600);
            let advance = f32::from(units) * 1_000.0 / face.units_per_em() as f32;
            // A mark without width stays with its letter.
            if used + advance > width && advance > 0.0 && from + at > start {
                pieces.push((start, from + at));
                (start, used) = (from + at, 0.0);
            }
            used += advance;
        }
        pieces.push((start, to));
        pieces
    }

    /// Width of a text on one line, in 1/1000 em.
    fn advance(&self, text: &str, weight: Weight) -> f32 {
        let backwards = |c| matches!(bidi_class(c), BidiClass::R | BidiClass::AL);
        let runs = self.runs(text, weight, text.chars().any(backwards));
        runs.iter().flat_map(|run| &run.clusters).flat_map(|c| &c.glyphs).map(|g| g.advance).sum()
    }

    /// Shapes a text of one direction, face by face, and orders the runs from left to right.
    fn runs(&self, text: &str, weight: Weight, right_to_left: bool) -> Vec<Run> {
        let mut pieces: Vec<(usize, usize, usize)> = Vec::new();
        for (at, character) in text.char_indices() {
            let previous = pieces.last().map(|(face, ..)| *face);
            let face = match previous {
                // Joiners and variation selectors are no characters of their own.
                Some(previous) if is_joiner(character) => previous,
                _ => self.face_for(character, weight, previous),
            };
            let end = at + character.len_utf8();
            match pieces.last_mut() {
                Some(piece) if piece.0 == face => piece.2 = end,
                _ => pieces.push((face, at, end)),
            }
        }
        if right_to_left {
            pieces.reverse();
        }
        pieces.into_iter().map(|(face, from, to)| self.shape(face, &text[from..to], right_to_left)).collect()
    }

    fn shape(&self, face: usize, text: &str, right_to_left: bool) -> Run {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        buffer.set_direction(if right_to_left { Direction::RightToLeft } else { Direction::LeftToRight });
        let shaped = self.shape_with_plan(face, buffer);
        let scale = 1_000.0 / self.face(face).units_per_em() as f32;
        let mut starts: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        starts.sort_unstable();
        starts.dedup();
        let text_from = |start: usize| {
            let next = starts.get(starts.partition_point(|s| *s <= start)).copied().unwrap_or(text.len());
            text[start..next].to_owned()
        };
        let mut clusters: Vec<(usize, Cluster)> = Vec::new();
        for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
            let glyph = Glyph {
                id: info.glyph_id as u16,
                advance: position.x_advance as f32 * scale,
                x: position.x_offset as f32 * scale,
                y: position.y_offset as f32 * scale,
            };
            let start = info.cluster as usize;
            match clusters.last_mut() {
                Some((same, cluster)) if *same == start => cluster.glyphs.push(glyph),
                _ => clusters.push((start, Cluster { text: text_from(start), glyphs: vec![glyph] })),
            }
        }
        Run { face, right_to_left, clusters: clusters.into_iter().map(|(_, cluster)| cluster).collect() }
    }
}

/// Line breaks of all systems as `\n`, tabs as blanks. Other control characters are dropped, and so are overrides of
/// the writing direction: with them an address could read differently from what it is.
fn clean(text: &str) -> String {
    let text =
        text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}', '\u{85}'], "\n").replace('\t', " ");
    text.trim_end()
        .chars()
        .filter(|c| *c == '\n' || !(c.is_control() || matches!(c, '\u{202A}'..='\u{202E}')))
        .collect()
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}
