//! The texts that cells of a workbook share.

use super::super::{LONGEST_TEXT, MOST_CELLS, Unreadable};
use super::package::Package;
use super::xml::{Node, local};

/// Texts by their place.
#[derive(Default)]
pub(super) struct Texts {
    all: String,
    ends: Vec<usize>,
}

impl Texts {
    /// A text.
    pub(super) fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)?;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.all.get(start..end)
    }
}

/// Reads them all, whatever number of them the workbook declares.
pub(super) fn read(package: &mut Package<'_>, part: &str) -> Result<Texts, Unreadable> {
    let mut texts = Texts::default();
    let Some(mut xml) = package.part(part)? else { return Ok(texts) };
    let mut run = Run::default();
    while let Some(node) = xml.next()? {
        match node {
            Node::Open(element) => run.open(element.name(), element.get("space")?.as_deref()),
            Node::Close(element) => {
                let name = element.name();
                let name = local(name.into_inner());
                if let Some(text) = run.close(name) {
                    texts.all.push_str(&text);
                }
                if name == "si" {
                    texts.ends.push(texts.all.len());
                }
            }
            Node::Text(text) => run.text(&text),
            Node::Other => {}
        }
        if texts.all.len() > LONGEST_TEXT || texts.ends.len() > MOST_CELLS {
            return Err(Unreadable::TooMuch);
        }
    }
    Ok(texts)
}

/// A run of text. How to pronounce it is no part of it.
#[derive(Default)]
pub(super) struct Run {
    text: String,
    inside: bool,
    kept: bool,
    spoken: bool,
}

impl Run {
    pub(super) fn open(&mut self, name: &str, space: Option<&str>) {
        match name {
            "rPh" => self.spoken = true,
            "t" => (self.inside, self.kept) = (!self.spoken, space == Some("preserve")),
            _ => {}
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.inside {
            self.text.push_str(text);
        }
    }

    /// The run when it ends here.
    pub(super) fn close(&mut self, name: &str) -> Option<String> {
        match name {
            "rPh" => self.spoken = false,
            "t" if std::mem::take(&mut self.inside) => {
                let text = std::mem::take(&mut self.text);
                let blanks = [' ', '\t', '\r', '\n'];
                return Some(unescaped(if self.kept { &text } else { text.trim_matches(blanks) }));
            }
            _ => {}
        }
        None
    }
}

/// Spreadsheets write what XML cannot hold as `_x000D_`.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find("_x") {
        let code = rest.get(place + 2..place + 6).filter(|_| rest.as_bytes().get(place + 6) == Some(&b'_'));
        let c = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        let length = match c {
            Some(c) => {
                plain.push_str(&rest[..place]);
                plain.push(c);
                place + 7
            }
            None => {
                plain.push_str(&rest[..place + 2]);
                place + 2
            }
        };
        rest = &rest[length..];
    }
    plain.push_str(rest);
    plain
}
