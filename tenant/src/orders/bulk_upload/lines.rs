//! Reads a request body line by line.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use bytes::BytesMut;
use futures_util::StreamExt;
use tokio::time::timeout;

/// Longest line, bytes.
const LONGEST: usize = 64 * 1024;
/// What has arrived is worked on when nothing more comes for this long.
const PATIENCE: Duration = Duration::from_millis(100);

/// A line of the request.
#[derive(Debug)]
pub(super) struct Line {
    /// From 1; blank lines count.
    pub number: usize,
    /// The text, unless it is too long.
    pub text: Option<Vec<u8>>,
}

/// The lines of a body.
pub(super) struct Lines {
    body: BodyDataStream,
    pending: BytesMut,
    number: usize,
    /// Inside a line that is too long.
    skipping: bool,
    ended: bool,
    /// The request broke off.
    pub broken: bool,
}

impl Lines {
    pub(super) fn of(body: Body) -> Self {
        Self {
            body: body.into_data_stream(),
            pending: BytesMut::new(),
            number: 0,
            skipping: false,
            ended: false,
            broken: false,
        }
    }

    /// The next lines, at most `most`; none at the end. Waits for the first, then takes what comes without delay.
    pub(super) async fn batch(&mut self, most: usize) -> Vec<Line> {
        let mut batch = Vec::new();
        while batch.len() < most {
            if let Some(line) = self.whole() {
                batch.extend(line);
                continue;
            }
            if self.ended {
                batch.extend(self.rest());
                break;
            }
            if batch.is_empty() {
                self.read().await;
            } else if timeout(PATIENCE, self.read()).await.is_err() {
                break;
            }
        }
        batch
    }

    async fn read(&mut self) {
        match self.body.next().await {
            Some(Ok(bytes)) => self.pending.extend_from_slice(&bytes),
            Some(Err(error)) => {
                tracing::info!(%error, "an upload broke off");
                // What came last may be half a line.
                self.pending.clear();
                (self.ended, self.broken) = (true, true);
            }
            None => self.ended = true,
        }
    }

    /// Takes a line that has arrived as a whole; inside, nothing when it is blank.
    fn whole(&mut self) -> Option<Option<Line>> {
        match self.pending.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                let text = self.pending.split_to(end + 1);
                Some(self.line(&text[..end]))
            }
            None => {
                if self.pending.len() > LONGEST {
                    self.skipping = true;
                    self.pending.clear();
                }
                None
            }
        }
    }

    fn rest(&mut self) -> Option<Line> {
        let text = self.pending.split();
        if text.is_empty() && !self.skipping { None } else { self.line(&text) }
    }

    fn line(&mut self, text: &[u8]) -> Option<Line> {
        self.number += 1;
        let number = self.number;
        if std::mem::take(&mut self.skipping) || text.len() > LONGEST {
            return Some(Line { number, text: None });
        }
        let text = text.trim_ascii();
        (!text.is_empty()).then(|| Line { number, text: Some(text.to_vec()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_numbered_and_long_ones_are_told() {
        let long = "x".repeat(LONGEST + 1);
        let parts: Vec<Result<String, std::io::Error>> =
            ["a\n\nb", "b\r\n", &long, "x\nc"].map(|part| Ok(part.to_owned())).into();
        let mut lines = Lines::of(Body::from_stream(futures_util::stream::iter(parts)));
        let read: Vec<(usize, Option<String>)> = lines
            .batch(100)
            .await
            .into_iter()
            .map(|line| (line.number, line.text.map(|text| String::from_utf8_lossy(&text).into_owned())))
            .collect();
        assert_eq!(
            read,
            [(1, Some("a".to_owned())), (3, Some("bb".to_owned())), (4, None), (5, Some("c".to_owned()))]
        );
        assert!(lines.batch(100).await.is_empty());
    }
}
