//! What the audit trail is told of a request. What it writes into tables, triggers record (migration 31); here is who does it,
//! and the door for what leaves no trace there.

use http::Method;
use routewright_core::http::routes::Row;
use sqlx::postgres::PgConnection;

/// What the door notes of a request when it has succeeded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing: it reads, or is told by others.
    #[default]
    Nothing,
    /// That it was done, when what it wrote has left no entry: only what is computed changed, or nothing did.
    Silent,
    /// That it was done: it hands people's data out.
    Always,
}

/// Which routes of a service are told otherwise than by their method.
#[derive(Debug, Clone, Copy, Default)]
pub struct Telling {
    /// Routes of the method GET that hand people's data out.
    pub handing_out: &'static [&'static str],
    /// Routes that write nothing, whatever their method: searches, previews, telemetry of phones.
    pub quiet: &'static [&'static str],
}

impl Telling {
    pub(crate) fn of(&self, row: &Row) -> Told {
        let named = |paths: &[&str]| paths.contains(&row.path);
        match (row.method == Method::GET, named(self.handing_out), named(self.quiet)) {
            (true, true, _) => Told::Always,
            (true, false, _) | (false, _, true) => Told::Nothing,
            (false, _, false) => Told::Silent,
        }
    }
}

/// What a request is about: the noun before the last id of its path, and that id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) kind: String,
    pub(crate) id: Option<i64>,
}

impl About {
    /// Of `pattern`, which ends the path that was called.
    pub(crate) fn of(pattern: &str, path: &str) -> Self {
        let (patterns, values): (Vec<&str>, Vec<&str>) =
            (pattern.split('/').collect(), path.split('/').collect());
        let skipped = values.len().saturating_sub(patterns.len());
        let pairs: Vec<(&str, &str)> = patterns.into_iter().zip(values.into_iter().skip(skipped)).collect();
        let id = |(at, (_, value)): (usize, &(&str, &str))| value.parse().ok().map(|id: i64| (at, id));
        let found = pairs
            .iter()
            .enumerate()
            .filter(|(_, (pattern, _))| pattern.starts_with('{'))
            .filter_map(id)
            .next_back();
        let is_noun = |(pattern, _): &&(&str, &str)| {
            !pattern.is_empty() && !pattern.starts_with('{') && *pattern != "v2"
        };
        let noun = match found {
            // A verb may stand between the noun and the id: /runs/move_job_to_new/{id}.
            Some((at, _)) => pairs[..at]
                .iter()
                .rfind(|pair| is_noun(pair) && pair.0.ends_with('s'))
                .or(pairs[..at].iter().find(is_noun)),
            None => pairs.iter().find(is_noun),
        };
        let noun = noun.map_or("", |(pattern, _)| pattern);
        Self { kind: singular(noun), id: found.map(|(_, id)| id) }
    }
}

/// `vehicles` becomes `vehicle`, `territories` becomes `territory`.
fn singular(noun: &str) -> String {
    match (noun.strip_suffix("ies"), noun.strip_suffix('s')) {
        (Some(stem), _) => format!("{stem}y"),
        (None, Some(stem)) if !noun.ends_with("ss") => stem.to_owned(),
        _ => noun.to_owned(),
    }
}

/// The statement that tells of a request within its transaction; none when there is nothing to tell. `again`: the request has
/// committed something before.
pub(crate) fn statement(told: Told, about: &About, again: bool) -> Option<String> {
    if told == Told::Nothing {
        return None;
    }
    let always = told == Told::Always;
    let kind: String = about.kind.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let id = about.id.map_or_else(|| "null".to_owned(), |id| id.to_string());
    Some(format!("select audit_close({always}, '{kind}', {id}, {again});"))
}

/// Tells the platform's own record of a request that has left no row there.
///
/// # Errors
/// Database faults.
pub(crate) async fn tell_platform(
    connection: &mut PgConnection,
    user: Option<i64>,
    organisation: Option<i64>,
    action: &str,
    about: &About,
    request: &str,
    again: bool,
) -> Result<(), sqlx::Error> {
    // Rows of this transaction bear the time at which it began.
    sqlx::query(
        "insert into platform_audit (user_id, organisation_id, action, subject, request_id)
         select $1, $2, $3, $4, nullif($5, '')
         where not exists (
             select from platform_audit
             where request_id is not distinct from nullif($5, '')
                 and (at = now() or $6 and at > now() - interval '10 minutes' and user_id is not distinct from $1)
         )",
    )
    .bind(user)
    .bind(organisation)
    .bind(action)
    .bind(match about.id {
        Some(id) => format!("{}:{id}", about.kind),
        None => about.kind.clone(),
    })
    .bind(request)
    .bind(again)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_about_the_noun_before_its_id() {
        for (pattern, path, kind, id) in [
            ("/runs/{id}/delay", "/api/runs/5/delay", "run", Some(5)),
            ("/runs/move_job_to_new/{target}", "/runs/move_job_to_new/7", "run", Some(7)),
            ("/runs/move_job_to_new/{target}", "/runs/move_job_to_new/unserved", "run", None),
            ("/territories/{id}", "/territories/9", "territory", Some(9)),
            ("/optimise/background/scenarios/{id}", "/optimise/background/scenarios/3", "scenario", Some(3)),
            ("/v2/runsheet/run_proofs", "/v2/runsheet/run_proofs", "runsheet", None),
            ("/addresses_to_confirm/confirm", "/addresses_to_confirm/confirm", "addresses_to_confirm", None),
        ] {
            assert_eq!(About::of(pattern, path), About { kind: kind.to_owned(), id }, "{path}");
        }
    }
}
