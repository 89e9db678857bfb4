//! Tables that run over pages.

use super::{ACCENT, Align, BAND, Frame, INK, Line, MUTED, Paper, RULE, Style};

/// Space between the edge of a cell and its text, in millimetres.
const PADDING: (f32, f32) = (1.3, 1.2);

/// One column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    /// Millimetres.
    pub(crate) width: f32,
    pub(crate) align: Align,
    /// Framed and left empty, for a signature.
    pub(crate) boxed: bool,
}

impl Column {
    /// A column of text.
    pub(crate) const fn new(heading: &'static str, width: f32) -> Self {
        Self { heading, width, align: Align::Start, boxed: false }
    }

    /// A column of numbers.
    pub(crate) const fn right(heading: &'static str, width: f32) -> Self {
        Self { heading, width, align: Align::Right, boxed: false }
    }

    /// A column to write in by hand.
    pub(crate) const fn boxed(heading: &'static str, width: f32) -> Self {
        Self { heading, width, align: Align::Start, boxed: true }
    }
}

/// A piece of text in a cell.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    text: String,
    style: Style,
    /// Where it leads.
    link: Option<String>,
}

/// One row: for each column the blocks that stand in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Vec<Block>>,
}

/// A table; its heading is repeated on each page.
pub(crate) struct Table<'a> {
    pub(crate) x: f32,
    pub(crate) columns: &'a [Column],
    /// Lowest height of a row, in millimetres.
    pub(crate) least_height: f32,
    /// Lowest point of the table on a page.
    pub(crate) bottom: f32,
    /// Height a page that the table begins has for it.
    pub(crate) page_room: f32,
}

type Lines = Vec<(Line, Style, Option<String>)>;

impl Table<'_> {
    /// Draws the rows from `y` on and returns where the table ends. `new_page` begins a page and returns where the
    /// table goes on there.
    pub(crate) fn draw(
        &self,
        paper: &mut Paper,
        y: f32,
        rows: &[Row],
        new_page: &mut dyn FnMut(&mut Paper) -> f32,
    ) -> f32 {
        let mut y = y;
        let mut headed = false;
        for row in rows {
            let mut cells = self.lay_out(paper, row);
            let height = self.height(&cells) + if headed { 0.0 } else { self.heading_height() };
            // A row that a page can hold stays together; a longer one begins here when there is room to begin.
            let room = self.bottom - y;
            if height > room && (height < self.page_room || room < 40.0) {
                y = new_page(paper);
                headed = false;
            }
            loop {
                if !headed {
                    y = self.heading(paper, y);
                    headed = true;
                }
                let (part, rest) = split(cells, self.bottom - y - 2.0 * PADDING.1);
                y = self.row(paper, y, &part);
                let Some(rest) = rest else { break };
                cells = rest;
                y = new_page(paper);
                headed = false;
            }
        }
        y
    }

    fn width(&self) -> f32 {
        self.columns.iter().map(|column| column.width).sum()
    }

    /// Left edge of each column.
    fn positions(&self) -> impl Iterator<Item = (f32, &Column)> {
        self.columns.iter().scan(self.x, |next, column| {
            let x = *next;
            *next += column.width;
            Some((x, column))
        })
    }

    fn heading_height(&self) -> f32 {
        HEADING.leading() + 2.0 * PADDING.1
    }

    fn heading(&self, paper: &mut Paper, y: f32) -> f32 {
        let height = self.heading_height();
        paper.fill(Frame { x: self.x, y, width: self.width(), height }, BAND);
        for (x, column) in self.positions() {
            let room = column.width - 2.0 * PADDING.0;
            paper.one_line(x + PADDING.0, y + PADDING.1, room, column.heading, HEADING, column.align);
        }
        paper.rule((self.x, y + height), (self.x + self.width(), y + height), 0.8, MUTED);
        y + height
    }

    fn lay_out(&self, paper: &Paper, row: &Row) -> Vec<Lines> {
        let cell = |(blocks, column): (&Vec<Block>, &Column)| {
            let room = column.width - 2.0 * PADDING.0;
            let lines = |block: &Block| {
                let lines = paper.fonts.lines(&block.text, &block.style, room);
                lines.into_iter().map(|line| (line, block.style, block.link.clone())).collect::<Vec<_>>()
            };
            blocks.iter().filter(|block| !block.text.trim().is_empty()).flat_map(lines).collect()
        };
        row.cells.iter().zip(self.columns).map(cell).collect()
    }

    fn height(&self, cells: &[Lines]) -> f32 {
        let tallest = cells.iter().map(leading).fold(0.0, f32::max);
        (tallest + 2.0 * PADDING.1).max(self.least_height)
    }

    fn row(&self, paper: &mut Paper, y: f32, cells: &[Lines]) -> f32 {
        let height = self.height(cells);
        for (lines, (x, column)) in cells.iter().zip(self.positions()) {
            let mut top = y + PADDING.1;
            for (line, style, link) in lines {
                let (x, width) = (x + PADDING.0, column.width - 2.0 * PADDING.0);
                paper.line(x, top, width, line, *style, column.align);
                if let Some(link) = link {
                    paper.link(Frame { x, y: top, width, height: style.leading() }, link);
                }
                top += style.leading();
            }
        }
        for (x, column) in self.positions().filter(|(_, column)| column.boxed) {
            paper.outline(
                Frame { x: x + 0.7, y: y + 0.9, width: column.width - 1.4, height: height - 1.8 },
                0.5,
                RULE,
            );
        }
        paper.rule((self.x, y + height), (self.x + self.width(), y + height), 0.4, RULE);
        y + height
    }
}

const HEADING: Style = Style::bold(7.0, MUTED);

impl Block {
    /// Text in a style of its own.
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, link: None }
    }

    /// Text in the size of tables.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self::styled(text, Style::new(8.0, INK))
    }

    /// Text that leads somewhere.
    pub(crate) fn linked(text: impl Into<String>, link: String) -> Self {
        Self { link: Some(link), ..Self::styled(text, Style::new(8.0, ACCENT)) }
    }

    /// Bold text in the size of tables.
    pub(crate) fn strong(text: impl Into<String>) -> Self {
        Self::styled(text, Style::bold(8.0, INK))
    }

    /// Small grey text.
    pub(crate) fn aside(text: impl Into<String>) -> Self {
        Self::styled(text, Style::new(7.0, MUTED))
    }
}

fn leading(lines: &Lines) -> f32 {
    lines.iter().map(|(_, style, _)| style.leading()).sum()
}

/// The lines that fit into `room` millimetres, and the rest.
fn split(cells: Vec<Lines>, room: f32) -> (Vec<Lines>, Option<Vec<Lines>>) {
    let mut rest = Vec::with_capacity(cells.len());
    let mut part = Vec::with_capacity(cells.len());
    for mut lines in cells {
        let mut used = 0.0;
        let fitting = lines
            .iter()
            .take_while(|(_, style, _)| {
                used += style.leading();
                used <= room
            })
            .count();
        // At least one line per page, so that the table comes to an end on the smallest page.
        let fitting = fitting.max(1).min(lines.len());
        rest.push(lines.split_off(fitting));
        part.push(lines);
    }
    let more = rest.iter().any(|lines| !lines.is_empty());
    (part, more.then_some(rest))
}
