//! The query string of a list.

use std::collections::BTreeMap;

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::Operation;
use axum::extract::FromRequestParts;
use http::request::Parts;

use super::filter::{Shape, Where};
use super::{MAX_PER_PAGE, PER_PAGE};
use crate::error::{Error, Result};

/// Page, order, search and filters of a list request. What no filter of the noun takes is refused.
#[derive(Debug, Clone)]
pub struct ListQuery {
    pub(super) page: i64,
    pub(super) per_page: i64,
    pub(super) lookup: Option<Vec<String>>,
    sort_by: Option<String>,
    descending: Option<bool>,
    parameters: BTreeMap<String, Vec<String>>,
}

impl ListQuery {
    /// Parses a query string.
    ///
    /// # Errors
    /// 400 for a wrong page, page size or order.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (key, value) in url::form_urlencoded::parse(text.as_bytes()) {
            if value.contains('\0') || key.contains('\0') {
                return Err(Error::filters("Value cannot contain special characters"));
            }
            parameters.entry(key.into_owned()).or_default().push(value.into_owned());
        }
        let mut single = |name: &str| parameters.remove(name).and_then(|mut values| values.pop());
        let number = |name: &str, text: Option<String>, default: i64, highest: i64| match text {
            None => Ok(default),
            Some(text) => match text.parse::<i64>() {
                Ok(value) if (1..=highest).contains(&value) => Ok(value),
                _ => Err(Error::filters(format!("{name} must be between 1 and {highest}"))),
            },
        };
        let page = number("page", single("page"), 1, 10_000_000)?;
        let per_page = number("per_page", single("per_page"), PER_PAGE, MAX_PER_PAGE)?;
        let sort_by = single("sort_by");
        let descending = match single("sort_order").map(|order| order.to_ascii_lowercase()).as_deref() {
            None => None,
            Some("asc") => Some(false),
            Some("desc") => Some(true),
            Some(other) => {
                return Err(Error::filters(format!("sort_order `{other}` is neither asc nor desc")));
            }
        };
        Ok(Self { page, per_page, lookup: None, sort_by, descending, parameters })
    }

    /// Takes a parameter that the noun handles itself.
    pub fn take(&mut self, name: &str) -> Option<String> {
        self.parameters.remove(name).and_then(|mut values| values.pop())
    }

    /// Takes a parameter as a yes/no value.
    ///
    /// # Errors
    /// 400 for another text.
    pub fn take_bool(&mut self, name: &str) -> Result<Option<bool>> {
        self.take(name).map(|text| super::filter::boolean(name, &text)).transpose()
    }

    /// Takes a list of ids that the noun handles itself: `{name}` and `{name}s`, repeated or comma-joined.
    ///
    /// # Errors
    /// 400 for a text that is no number.
    pub fn take_ids(&mut self, name: &str) -> Result<Option<Vec<i64>>> {
        let plural = format!("{name}s");
        let mut taken = None;
        for parameter in [name, plural.as_str()] {
            if let Some(values) = self.parameters.remove(parameter) {
                taken.get_or_insert_with(Vec::new).extend(super::filter::integers(parameter, &values)?);
            }
        }
        Ok(taken)
    }

    /// The page size, for nouns that read on their own.
    #[must_use]
    pub fn per_page(&self) -> i64 {
        self.per_page
    }

    /// The page, from 1.
    #[must_use]
    pub fn page(&self) -> i64 {
        self.page
    }

    pub(super) fn order(&self, shape: &Shape) -> Result<String> {
        let Some(name) = &self.sort_by else { return Ok(shape.order.to_owned()) };
        let Some((_, expression)) = shape.sort.iter().find(|(known, _)| known == name) else {
            return Err(Error::filters(format!("cannot sort by `{name}`")));
        };
        let direction = if self.descending.unwrap_or(false) { "desc nulls last" } else { "asc nulls last" };
        Ok(format!("{expression} {direction}, {}", shape.order))
    }

    pub(super) fn conditions(mut self, shape: &Shape, conditions: &mut Where) -> Result<()> {
        if let Some(text) = self.take("search")
            && !text.trim().is_empty()
        {
            conditions.search(shape.search, text.trim());
        }
        for filter in shape.filters {
            filter.apply(&mut self.parameters, conditions)?;
        }
        match self.parameters.keys().next() {
            None => Ok(()),
            Some(unknown) => Err(Error::filters(format!("unknown filter `{unknown}`"))),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ListQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let mut query = Self::parse(parts.uri.query().unwrap_or_default())?;
        query.lookup = parts.headers.get("lookup-fields").and_then(|value| value.to_str().ok()).map(|text| {
            text.split(';').map(|field| field.trim().to_owned()).filter(|field| !field.is_empty()).collect()
        });
        Ok(query)
    }
}

impl OperationInput for ListQuery {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        <axum::extract::Query<ListParameters> as OperationInput>::operation_input(ctx, operation);
    }
}

/// The parameters that every list takes, for the API document.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only describes")]
struct ListParameters {
    /// Page, from 1.
    page: Option<i64>,
    /// Items per page, at most 300.
    per_page: Option<i64>,
    /// Case-insensitive search text.
    search: Option<String>,
    /// Column to sort by.
    sort_by: Option<String>,
    /// `asc` or `desc`.
    sort_order: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P-5xx: page sizes 10 to 300, default 25; a larger one is refused.
    #[test]
    fn page_sizes_are_bounded() {
        assert_eq!(ListQuery::parse("").map(|query| query.per_page).ok(), Some(25));
        assert_eq!(ListQuery::parse("per_page=300").map(|query| query.per_page).ok(), Some(300));
        for wrong in
            ["per_page=301", "per_page=0", "page=-1", "per_page=x", "sort_order=sideways", "search=%00"]
        {
            let error = ListQuery::parse(wrong).err().map(|error| error.body());
            assert!(error.is_some_and(|body| body["description"]["filters"].is_string()), "{wrong}");
        }
    }

    #[test]
    fn unknown_filters_are_refused() -> Result<()> {
        const SHAPE: Shape =
            Shape { filters: &[], search: &["uid"], sort: &[("uid", "uid")], order: "id desc" };
        let query = ListQuery::parse("colour=red")?;
        let error = query.conditions(&SHAPE, &mut Where::default()).err();
        assert_eq!(
            error.map(|error| error.body()["description"]["filters"].clone()),
            Some("unknown filter `colour`".into())
        );
        assert!(ListQuery::parse("sort_by=password")?.order(&SHAPE).is_err());
        assert_eq!(
            ListQuery::parse("sort_by=uid&sort_order=desc")?.order(&SHAPE)?,
            "uid desc nulls last, id desc"
        );
        Ok(())
    }
}
