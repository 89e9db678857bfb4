//! XML piece by piece.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};

use super::super::Unreadable;
use super::broken;
use super::package::Ended;

/// A part as XML.
pub(super) struct Xml<R> {
    reader: Reader<BufReader<R>>,
    buffer: Vec<u8>,
}

/// A piece.
pub(super) enum Node<'b> {
    /// An element begins; one without content ends at once.
    Open(Element<'b>),
    /// An element ends.
    Close(BytesEnd<'b>),
    /// Text.
    Text(Cow<'b, str>),
    /// A comment and the like.
    Other,
}

impl<'b> Node<'b> {
    /// The element that begins.
    pub(super) fn opened(self) -> Option<Element<'b>> {
        match self {
            Self::Open(element) => Some(element),
            _ => None,
        }
    }
}

/// The beginning of an element.
pub(super) struct Element<'b>(BytesStart<'b>);

impl<'b> Element<'b> {
    /// Its name without prefix.
    pub(super) fn name(&self) -> &str {
        local(self.0.name().into_inner())
    }

    /// An attribute by its name without prefix.
    pub(super) fn get(&self, name: &str) -> Result<Option<String>, Unreadable> {
        // Repeated attributes are not looked for: that takes the square of their number.
        for attribute in self.0.attributes().with_checks(false) {
            let attribute = attribute.map_err(broken)?;
            if local(attribute.key.into_inner()) == name {
                return Ok(Some(
                    attribute.normalized_value(XmlVersion::Implicit1_0).map_err(broken)?.into_owned(),
                ));
            }
        }
        Ok(None)
    }
}

/// A name without its prefix.
pub(super) fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or_default()
}

impl<R: Read> Xml<R> {
    pub(super) fn new(bytes: BufReader<R>) -> Self {
        let mut reader = Reader::from_reader(bytes);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.check_end_names = false;
        Self { reader, buffer: Vec::new() }
    }

    /// The next piece; nothing at the end.
    pub(super) fn next(&mut self) -> Result<Option<Node<'_>>, Unreadable>
    where
        BufReader<R>: BufRead,
    {
        self.buffer.clear();
        Ok(Some(match self.reader.read_event_into(&mut self.buffer).map_err(ended)? {
            Event::Start(element) => Node::Open(Element(element)),
            Event::End(element) => Node::Close(element),
            Event::Text(text) => Node::Text(text.xml10_content()),
            Event::CData(text) => Node::Text(text.xml10_content()),
            Event::GeneralRef(reference) => match resolve_xml_entity(&reference) {
                Some(text) => Node::Text(Cow::Borrowed(text)),
                None => match reference.resolve_char_ref().map_err(broken)? {
                    Some(c) => Node::Text(Cow::Owned(c.to_string())),
                    None => return Err(broken(format!("nothing is known of &{};", &*reference))),
                },
            },
            Event::Eof => return Ok(None),
            _ => Node::Other,
        }))
    }
}

/// What ended unpacking comes through the library as an I/O error.
fn ended(error: Error) -> Unreadable {
    if let Error::Io(error) = &error
        && let Some(Ended(reason)) = error.get_ref().and_then(|reason| reason.downcast_ref())
    {
        return reason.clone();
    }
    broken(error)
}
