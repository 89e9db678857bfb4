use html_escape::{encode_double_quoted_attribute, encode_text};

/// The body of a mail, written once and rendered as plain text and as HTML. Whatever is put in is text: markup in
/// it is shown, not obeyed.
#[derive(Clone, Debug, Default)]
pub struct Letter(Vec<Block>);

#[derive(Clone, Debug)]
enum Block {
    Paragraph(String),
    Fact { label: String, value: String },
    Link { label: String, url: String },
}

impl Letter {
    /// An empty letter.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a paragraph; line breaks in it are kept.
    #[must_use]
    pub fn paragraph(mut self, text: impl Into<String>) -> Self {
        self.0.push(Block::Paragraph(text.into()));
        self
    }

    /// Adds a line of a list of facts, `label: value`; consecutive ones become one table.
    #[must_use]
    pub fn fact(mut self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.push(Block::Fact { label: label.into(), value: value.into() });
        self
    }

    /// Adds a button; anything but a web address is shown as text only.
    #[must_use]
    pub fn link(mut self, label: impl Into<String>, url: impl Into<String>) -> Self {
        self.0.push(Block::Link { label: label.into(), url: url.into() });
        self
    }

    /// As plain text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut previous_is_fact = false;
        for block in &self.0 {
            let is_fact = matches!(block, Block::Fact { .. });
            if !out.is_empty() {
                out.push_str(if is_fact && previous_is_fact { "\n" } else { "\n\n" });
            }
            previous_is_fact = is_fact;
            match block {
                Block::Paragraph(text) => out.push_str(text),
                Block::Fact { label, value } | Block::Link { label, url: value } => {
                    out.push_str(label);
                    out.push_str(": ");
                    out.push_str(value);
                }
            }
        }
        out.push('\n');
        out
    }

    /// As an HTML document that mail programs show alike: no scripts, no images, no outside resources.
    #[must_use]
    pub fn html(&self) -> String {
        let mut body = String::new();
        let mut in_facts = false;
        for block in &self.0 {
            let is_fact = matches!(block, Block::Fact { .. });
            if is_fact != in_facts {
                body.push_str(if is_fact {
                    "<table cellpadding=\"0\" cellspacing=\"0\">"
                } else {
                    "</table>"
                });
                in_facts = is_fact;
            }
            body.push_str(&block.html());
        }
        if in_facts {
            body.push_str("</table>");
        }
        format!(
            "<!doctype html><html><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"></head>\
             <body style=\"margin:0;padding:24px;font:16px/1.5 Arial,Helvetica,sans-serif;color:#1f2933\">\
             <div style=\"max-width:600px;margin:0 auto\">{body}</div></body></html>"
        )
    }
}

impl Block {
    fn html(&self) -> String {
        match self {
            Self::Paragraph(text) => {
                format!("<p style=\"margin:0 0 16px\">{}</p>", encode_text(text).replace('\n', "<br>"))
            }
            Self::Fact { label, value } => format!(
                "<tr><td style=\"padding:2px 16px 2px 0;color:#52606d\">{}</td>\
                 <td style=\"padding:2px 0\">{}</td></tr>",
                encode_text(label),
                encode_text(value)
            ),
            Self::Link { label, url } if url.starts_with("https://") || url.starts_with("http://") => {
                format!(
                    "<p style=\"margin:24px 0\"><a href=\"{}\" style=\"display:inline-block;padding:10px 20px;\
                 border-radius:4px;background:#1565c0;color:#ffffff;text-decoration:none\">{}</a></p>",
                    encode_double_quoted_attribute(url),
                    encode_text(label)
                )
            }
            Self::Link { label, url } => {
                format!("<p>{}: {}</p>", encode_text(label), encode_text(url))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_in_html_and_plain_in_text() {
        let letter = Letter::new()
            .paragraph("Dear <script>alert(1)</script> & Co,\nyour delivery")
            .fact("Date", "2025/03/01")
            .fact("Stop", "\"Rua\" <b>")
            .link("Follow", "https://example.org/tracking?t=a&u=\"><img src=x>");
        let html = letter.html();
        assert!(html.contains("Dear &lt;script&gt;alert(1)&lt;/script&gt; &amp; Co,<br>your delivery"));
        assert!(html.contains("href=\"https://example.org/tracking?t=a&amp;u=&quot;&gt;&lt;img src=x&gt;\""));
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<b>"), "{html}");
        assert_eq!(html.matches("<table").count(), 1);
        assert_eq!(
            letter.text(),
            "Dear <script>alert(1)</script> & Co,\nyour delivery\n\nDate: 2025/03/01\nStop: \"Rua\" <b>\n\n\
             Follow: https://example.org/tracking?t=a&u=\"><img src=x>\n"
        );
    }

    #[test]
    fn a_link_that_would_run_something_is_not_a_link() {
        let html = Letter::new().link("Open", "javascript:alert(1)").html();
        assert!(!html.contains("href"), "{html}");
    }
}
