//! What all exports share: reading everything that a search finds, and writing it as CSV or Excel.

use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;
use routewright_core::http::respond::Download;
use routewright_core::list::{self, ListQuery, MAX_PER_PAGE, Shape, Where};
use routewright_core::{Error, Result};
use routewright_documents::sheet::{Csv, Sheet, workbook};
use routewright_identity::Caller;
use sqlx::FromRow;
use sqlx::postgres::{PgConnection, PgRow};

use crate::app::App;

/// Most rows of one file.
pub(crate) const MOST: i64 = 100_000;
/// Rows from which on a file is made in the background.
pub(crate) const LARGE: i64 = 5000;

/// What kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Csv,
    Excel,
}

impl Kind {
    /// Name on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Excel => "excel",
        }
    }

    /// Ending of file names.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Excel => "xlsx",
        }
    }
}

/// An export as it is asked for: the filters of a search, and the kind of file.
pub(crate) struct Wanted {
    pub kind: Kind,
    filters: Vec<(String, String)>,
}

impl Wanted {
    /// Reads a query string. Pages mean nothing here.
    ///
    /// # Errors
    /// 400 for a kind that there is not.
    pub(crate) fn parse(query: Option<&str>) -> Result<Self> {
        let mut kind = Kind::Excel;
        let mut filters = Vec::new();
        for (name, value) in url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            match (name.as_ref(), value.as_ref()) {
                ("page" | "per_page" | "export", _) => {}
                ("kind", "csv") => kind = Kind::Csv,
                ("kind", "excel") => kind = Kind::Excel,
                ("kind", other) => {
                    return Err(Error::filters(format!("kind `{other}` is neither csv nor excel")));
                }
                _ => filters.push((name.into_owned(), value.into_owned())),
            }
        }
        Ok(Self { kind, filters })
    }

    /// Everything with these ids.
    pub(crate) fn of_ids(parameter: &str, ids: &[i64]) -> Self {
        let ids = ids.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        Self { kind: Kind::Excel, filters: vec![(parameter.to_owned(), ids)] }
    }

    /// The same as a query string.
    pub(crate) fn query(&self) -> String {
        let mut text = url::form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(&self.filters).append_pair("kind", self.kind.name());
        text.finish()
    }

    /// One page of what is found.
    pub(crate) fn page(&self, page: i64) -> Result<ListQuery> {
        let mut text = url::form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(&self.filters);
        text.append_pair("page", &page.to_string()).append_pair("per_page", &MAX_PER_PAGE.to_string());
        ListQuery::parse(&text.finish())
    }
}

/// Where rows come from.
pub(crate) struct From<'a> {
    pub select: &'a str,
    pub from: &'a str,
    pub shape: &'a Shape,
}

/// Reads all rows that are found; none when there are more than `most`.
///
/// # Errors
/// 400 for wrong filters.
pub(crate) async fn all<T>(
    connection: &mut PgConnection,
    wanted: &Wanted,
    from: From<'_>,
    most: i64,
    fixed: impl Fn(&mut ListQuery, &mut Where) -> Result<()>,
) -> Result<Option<Vec<T>>>
where
    T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let mut rows = Vec::new();
    for page in 1.. {
        let mut query = wanted.page(page)?;
        let mut conditions = Where::default();
        fixed(&mut query, &mut conditions)?;
        let mut listed = list::page(connection, from.select, from.from, query, from.shape, |place| {
            *place = conditions;
        })
        .await?
        .page;
        if listed.total_count > most {
            return Ok(None);
        }
        rows.append(&mut listed.data);
        if page >= listed.total_pages {
            break;
        }
    }
    Ok(Some(rows))
}

/// Writes a table as the wanted kind of file when it is the organisation's turn.
///
/// # Errors
/// When it cannot be written; 503 when too much is written at once.
pub(crate) async fn file(
    app: &App,
    caller: &Caller,
    name: &str,
    sheet: Sheet,
    kind: Kind,
) -> Result<Download> {
    let write = move |_: &_| match kind {
        Kind::Csv => Csv { byte_order_mark: true }.write(&sheet).map_err(Error::internal),
        Kind::Excel => workbook(std::slice::from_ref(&sheet)).map_err(Error::internal),
    };
    let bytes = app.governor.run(caller.share()?, routewright_governor::Kind::Export, write).await?;
    let (content_type, ending) = match kind {
        Kind::Csv => ("text/csv; charset=utf-8", "csv"),
        Kind::Excel => ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    };
    Ok(Download { content_type, name: format!("{name}.{ending}"), bytes })
}

/// A moment on the clocks of the organisation.
pub(crate) fn local(at: Option<DateTime<Utc>>, zone: Tz) -> Option<NaiveDateTime> {
    at.map(|at| at.with_timezone(&zone).naive_local())
}
