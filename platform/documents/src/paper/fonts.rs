//! The typefaces of the product and what of them a document uses.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use printpdf::{FontId, ParsedFont, PdfFont};
use rustybuzz::{Direction, GlyphBuffer, Script, ShapePlan, UnicodeBuffer, ttf_parser::GlyphId};
use subsetter::GlyphRemapper;

use crate::{DocumentError, Result};

/// Thickness of type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// Red, green, blue, 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) weight: Weight,
    /// Points.
    pub(crate) size: f32,
    pub(crate) colour: Colour,
}

impl Style {
    pub(crate) const fn new(size: f32, colour: Colour) -> Self {
        Self { weight: Weight::Regular, size, colour }
    }

    pub(crate) const fn bold(size: f32, colour: Colour) -> Self {
        Self { weight: Weight::Bold, size, colour }
    }

    /// From one line of text to the next, in millimetres.
    pub(crate) fn leading(&self) -> f32 {
        self.size * 1.3 * super::POINT
    }

    /// From the top of a line of text to its baseline, in millimetres.
    pub(crate) fn ascent(&self) -> f32 {
        self.size * 1.02 * super::POINT
    }
}

/// Name for the PDF and program of each typeface. The first of a weight sets the text, the others help out where it
/// lacks a character: Noto Sans for Latin, Greek and Cyrillic, Noto Sans Arabic, DejaVu Sans for Hebrew, Armenian,
/// Georgian and symbols.
const PROGRAMS: [(&str, &[u8]); 5] = [
    ("NotoSans-Regular", include_bytes!("../../fonts/NotoSans-Regular.ttf")),
    ("NotoSans-Bold", include_bytes!("../../fonts/NotoSans-Bold.ttf")),
    ("NotoSansArabic-Regular", include_bytes!("../../fonts/NotoSansArabic-Regular.ttf")),
    ("NotoSansArabic-Bold", include_bytes!("../../fonts/NotoSansArabic-Bold.ttf")),
    ("DejaVuSans", include_bytes!("../../fonts/DejaVuSans.ttf")),
];
const REGULAR: [usize; 3] = [0, 2, 4];
const BOLD: [usize; 3] = [1, 3, 4];

/// Characters whose glyphs have neither ink nor width.
const BLANKS: [char; 6] = ['\u{200B}', '\u{200C}', '\u{200D}', '\u{200E}', '\u{200F}', '\u{FEFF}'];

/// The typefaces with the glyphs a document has used so far.
pub(crate) struct Fonts {
    faces: Vec<Typeface>,
    /// How to shape a script in a direction with a face: worked out once, as it takes longer than the shaping.
    plans: RefCell<HashMap<(usize, bool, Script), Rc<ShapePlan>>>,
}

struct Typeface {
    name: &'static str,
    program: &'static [u8],
    face: rustybuzz::Face<'static>,
    used: GlyphRemapper,
    /// Text of each used glyph, by its number in the subset; what a reader copies and searches.
    texts: HashMap<u16, String>,
}

/// A glyph as the document refers to it.
pub(crate) struct UsedGlyph {
    /// Number in the subset.
    pub(crate) id: u16,
    /// Text under which the glyph is registered; it may differ from what it stands for here.
    pub(crate) text: String,
    /// Advance a PDF viewer applies, in 1/1000 em.
    pub(crate) advance: f32,
}

impl Fonts {
    pub(crate) fn new() -> Result<Self> {
        let faces = PROGRAMS.iter().map(|(name, program)| {
            let face = rustybuzz::Face::from_slice(program, 0);
            let face = face.ok_or_else(|| broken(name, "not a font"))?;
            Ok(Typeface { name, program, face, used: GlyphRemapper::new(), texts: HashMap::new() })
        });
        Ok(Self { faces: faces.collect::<Result<_>>()?, plans: RefCell::default() })
    }

    /// Shapes a text whose direction and script are set.
    pub(super) fn shape_with_plan(&self, face: usize, buffer: UnicodeBuffer) -> GlyphBuffer {
        let (direction, script) = (buffer.direction(), buffer.script());
        let face_of = &self.faces[face].face;
        let key = (face, direction == Direction::RightToLeft, script);
        let new =
            || Rc::new(ShapePlan::new(face_of, direction, Some(script), buffer.language().as_ref(), &[]));
        let plan = Rc::clone(self.plans.borrow_mut().entry(key).or_insert_with(new));
        rustybuzz::shape_with_plan(face_of, &plan, buffer)
    }

    pub(super) fn face(&self, index: usize) -> &rustybuzz::Face<'static> {
        &self.faces[index].face
    }

    /// The face that has the character: the preferred one where it does, else the first of the weight. Without
    /// any, the main face, whose box for missing characters is drawn.
    pub(super) fn face_for(&self, character: char, weight: Weight, preferred: Option<usize>) -> usize {
        let order = match weight {
            Weight::Regular => REGULAR,
            Weight::Bold => BOLD,
        };
        let has = |face: &usize| self.faces[*face].face.glyph_index(character).is_some();
        // Only what belongs to no script follows its neighbours; a Latin letter in Arabic text stays Latin.
        let neutral = !character.is_alphabetic();
        preferred
            .filter(|face| neutral && has(face))
            .or_else(|| order.into_iter().find(has))
            .unwrap_or(order[0])
    }

    /// Notes that the document uses a glyph for a text.
    pub(super) fn use_glyph(&mut self, face: usize, glyph: u16, text: &str) -> UsedGlyph {
        let typeface = &mut self.faces[face];
        let id = typeface.used.remap(glyph);
        let text = typeface.texts.entry(id).or_insert_with(|| text.to_owned()).clone();
        let units = f32::from(typeface.face.glyph_hor_advance(GlyphId(glyph)).unwrap_or_default());
        // The PDF writer cuts widths to whole thousandths of an em.
        let advance = (units * 1_000.0 / typeface.face.units_per_em() as f32).trunc();
        UsedGlyph { id, text, advance }
    }

    /// A glyph of the face without ink that carries this text, or `None` when the face has no more of them.
    pub(super) fn use_blank(&mut self, face: usize, text: &str) -> Option<UsedGlyph> {
        let typeface = &self.faces[face];
        let blank =
            BLANKS.into_iter().filter_map(|blank| typeface.face.glyph_index(blank)).find(|glyph| {
                let registered = typeface.used.get(glyph.0).and_then(|id| typeface.texts.get(&id));
                registered.is_none_or(|registered| registered == text)
            })?;
        Some(self.use_glyph(face, blank.0, text))
    }

    /// Name of a face within the document.
    pub(super) fn id(face: usize) -> FontId {
        FontId(format!("T{face}"))
    }

    /// The used faces, cut down to the used glyphs.
    pub(super) fn embedded(&self) -> Result<Vec<(FontId, PdfFont)>> {
        let used = self.faces.iter().enumerate().filter(|(_, typeface)| !typeface.texts.is_empty());
        used.map(|(index, typeface)| {
            let subset = subsetter::subset(typeface.program, 0, &typeface.used)
                .map_err(|error| broken(typeface.name, &error.to_string()))?;
            let mut font = ParsedFont::from_bytes(&subset, 0, &mut Vec::new())
                .ok_or_else(|| broken(typeface.name, "the subset is not a font"))?;
            // Six capitals and a plus mark a subset (ISO 32000-1, 9.6.4).
            font.font_name = Some(format!("RWSUB{}+{}", char::from(b'A' + index as u8), typeface.name));
            Ok((Self::id(index), PdfFont::new(font)))
        })
        .collect()
    }
}

fn broken(font: &'static str, reason: &str) -> DocumentError {
    DocumentError::Font { font, reason: reason.to_owned() }
}
