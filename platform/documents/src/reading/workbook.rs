//! From a workbook to cells. Its parts are read as they unpack, cell by cell: nothing is made as large as a file says that it
//! is. calamine would do that, with the far corner of a sheet, the declared number of texts, and a format for each style.

mod cells;
mod package;
mod styles;
mod texts;
mod xml;

use super::gathered::Gathered;
use super::{Options, Sheet, Table, Unreadable};
use cells::Book;
use package::Package;

/// Most sheets of a workbook.
const MOST_SHEETS: usize = 200;

/// A sheet as the workbook lists it.
struct Listed {
    name: String,
    /// Its part; nothing for a chart.
    part: Option<String>,
    visible: bool,
}

/// Reads the sheet that is asked for, and how many rows the others have.
pub(super) fn read(bytes: &[u8], options: Options<'_>) -> Result<Table, Unreadable> {
    let mut package = Package::open(bytes)?;
    let (book, listed) = open(&mut package)?;
    let mut sheets: Vec<Sheet> = Vec::new();
    let mut best: Option<(usize, Gathered<'_>)> = None;
    for Listed { name, part, visible } in listed {
        let asked = options.sheet == Some(name.as_str());
        let Some(part) = part.filter(|_| visible || asked) else { continue };
        let mut gathered = Gathered::new(&options);
        let done = book.read(&mut package, &part, &mut gathered);
        let (rows, meant) = gathered.outline();
        let place = sheets.len();
        let rows = match done {
            Ok(()) => Some(rows),
            Err(error @ Unreadable::Unpacked) => return Err(error),
            // Only the sheet that is wanted has to be whole; an only one is.
            Err(error) if asked || (options.sheet.is_none() && best.is_none()) => return Err(error),
            Err(_) => None,
        };
        sheets.push(Sheet { name, rows, meant, read: false });
        let better = match (options.sheet, &best) {
            (Some(_), _) => asked,
            (None, None) => true,
            (None, Some((best, _))) => {
                let best = &sheets[*best];
                rows > Some(0) && ((meant && !best.meant) || best.rows == Some(0))
            }
        };
        if better {
            best = Some((place, gathered));
        }
    }
    let Some((place, gathered)) = best else {
        return Err(options.sheet.map_or(Unreadable::Empty, |name| Unreadable::Sheet(name.to_owned())));
    };
    sheets[place].read = true;
    Ok(Table { sheets, ..gathered.table()? })
}

/// What all sheets need, and which there are.
fn open(package: &mut Package<'_>) -> Result<(Book, Vec<Listed>), Unreadable> {
    let top = package.relations("")?;
    let main = top.iter().find(|relation| relation.kind == "officeDocument");
    let main = main.map_or_else(|| "xl/workbook.xml".to_owned(), |relation| relation.target.clone());
    let relations = package.relations(&main)?;
    let part = |kind: &str| relations.iter().find(|relation| relation.kind == kind);
    let mut book = Book::default();
    if let Some(styles) = part("styles") {
        book.formats = styles::read(package, &styles.target)?;
    }
    if let Some(texts) = part("sharedStrings") {
        book.texts = texts::read(package, &texts.target)?;
    }
    let mut listed = Vec::new();
    let mut xml = package.part(&main)?.ok_or_else(|| broken("it has no list of sheets"))?;
    while let Some(node) = xml.next()? {
        let Some(element) = node.opened() else { continue };
        match element.name() {
            "workbookPr" => {
                book.from_1904 =
                    element.get("date1904")?.is_some_and(|value| value == "1" || value == "true");
            }
            "sheet" => {
                let id = element.get("id")?.unwrap_or_default();
                let relation = relations.iter().find(|relation| relation.id == id);
                listed.push(Listed {
                    name: element.get("name")?.unwrap_or_default(),
                    part: relation
                        .filter(|relation| relation.kind == "worksheet")
                        .map(|relation| relation.target.clone()),
                    visible: element.get("state")?.is_none_or(|state| state == "visible"),
                });
                if listed.len() > MOST_SHEETS {
                    return Err(Unreadable::TooMuch);
                }
            }
            _ => {}
        }
    }
    Ok((book, listed))
}

fn broken(reason: impl std::fmt::Display) -> Unreadable {
    Unreadable::Workbook(reason.to_string())
}
