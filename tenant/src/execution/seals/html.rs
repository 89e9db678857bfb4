//! The page behind the code on a proof of delivery, written here so that it can be read as it comes, on any phone and without
//! scripts. It looks as the tracking page does.

use axum::extract::State;
use axum::response::Html;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use maud::{DOCTYPE, Markup, html};
use routewright_core::Result;
use routewright_core::http::Query;
use routewright_identity::Caller;

use super::check::{Paper, ProofCheck, found};
use super::judge::{CheckedChain, CheckedFile, CheckedRecord, State as Found};
use crate::app::App;

/// Letters of a fingerprint that are shown at first sight.
const SHOWN: usize = 16;

/// `GET /proofs/check/{token}/page`. Where nothing opens with the token it is 401 as everywhere; the gateway shows a page for it.
pub(super) async fn page(
    caller: Caller,
    State(app): State<App>,
    Query(paper): Query<Paper>,
) -> Result<Html<String>> {
    let check = found(&app, &caller, &paper).await?;
    Ok(Html(document(&check).into_string()))
}

fn document(check: &ProofCheck) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                meta name="theme-color" content="#0f5f74";
                link rel="icon" type="image/svg+xml" href="/mark.svg";
                title { "Check of a proof of delivery" }
                link rel="stylesheet" href="/tracking/page.css";
            }
            body {
                header {
                    img src="/mark.svg" alt="" width="28" height="28";
                    h1 { "Check of a proof of delivery" }
                }
                main {
                    (verdict(check))
                    @for record in &check.records { (of_record(check, record)) }
                    @for chain in &check.chains { (of_chain(chain)) }
                }
            }
        }
    }
}

fn verdict(check: &ProofCheck) -> Markup {
    let meaning = match (check.state, check.paper) {
        (_, Some(false)) => {
            "The seal on the paper is not among those of this delivery: what it shows is not what is on record."
        }
        (Found::Altered, _) => {
            "Something was changed, added or taken away since it was sealed. It is marked below."
        }
        (Found::BeforeSealing, _) => "It was recorded before seals were kept. Nothing can be said about it.",
        (Found::Unchanged | Found::Removed, _) if check.records.is_empty() => "Nothing has been recorded.",
        (Found::Unchanged | Found::Removed, _) => {
            "What was recorded, its files and the chain of seals are as they were when they were sealed."
        }
    };
    html! {
        article {
            div class="head" {
                div {
                    h2 { (check.uid) }
                    p class="quiet" { (check.organisation) }
                }
                strong class="state" data-tone=(tone(check.state)) { (word(check.state)) }
            }
            p { (meaning) }
            dl {
                div { dt { "Checked" } dd { (moment(check, check.checked_at)) } }
                @if let Some(known) = check.paper {
                    div { dt { "Seal on paper" } dd { (if known { "Is on record" } else { "Is not on record" }) } }
                }
            }
        }
    }
}

fn of_record(check: &ProofCheck, record: &CheckedRecord) -> Markup {
    html! {
        article {
            div class="head" {
                div {
                    h3 { (title(record)) }
                    p class="quiet" { (moment(check, record.recorded_at)) }
                }
                strong class="state" data-tone=(tone(record.state)) { (word(record.state)) }
            }
            @if !record.altered.is_empty() {
                p class="error" role="alert" { "Altered: " (record.altered.join(", ")) }
            }
            dl {
                @if let Some(at) = record.sealed_at { div { dt { "Sealed" } dd { (moment(check, at)) } } }
                @if let Some(number) = record.number { div { dt { "Place in the chain" } dd { (number) } } }
                @if record.corrections > 0 { div { dt { "Corrections" } dd { (record.corrections) " by the office, sealed" } } }
                @if let Some(seal) = &record.seal { div { dt { "Seal" } dd { code { (seal) } } } }
                @for file in &record.files { (of_file(file)) }
            }
        }
    }
}

fn of_file(file: &CheckedFile) -> Markup {
    let name = match file.part.as_str() {
        "signature" => "Signature".to_owned(),
        "photo" => format!("Photo {}", file.number),
        _ => format!("Answer {}", file.number),
    };
    html! {
        div {
            dt { (name) }
            dd {
                span class=[(file.state == Found::Altered).then_some("error")] { (word(file.state)) }
                @if let Some(note) = &file.note { br; (note) }
                @if let Some(hash) = &file.hash { br; (fingerprint(hash)) }
            }
        }
    }
}

fn of_chain(chain: &CheckedChain) -> Markup {
    let seals = if chain.seals == 1 { "1 seal".to_owned() } else { format!("{} seals", chain.seals) };
    html! {
        article {
            div class="head" {
                div {
                    h3 { "Chain of the run" }
                    p class="quiet" { (seals) }
                }
                strong class="state" data-tone=(tone(chain.state)) { (word(chain.state)) }
            }
            @if !chain.faults.is_empty() {
                ul { @for fault in &chain.faults { li class="error" { (fault) } } }
            }
        }
    }
}

fn fingerprint(hash: &str) -> Markup {
    html! { code title=(hash) { (hash.get(..SHOWN).unwrap_or(hash)) "…" } }
}

fn title(record: &CheckedRecord) -> String {
    let kind = match record.kind.as_str() {
        "job" => "Proof of the delivery",
        "unit" => "Unit",
        "return" => "Return",
        "container" => "Container",
        _ => "As the driver's phone sent it",
    };
    let item = record.item.as_deref().map(|item| format!(" {item}")).unwrap_or_default();
    match record.mode.as_deref().filter(|_| record.item.is_some()) {
        Some(mode) => format!("{kind}{item} · {}", mode.replace('_', " ")),
        None => format!("{kind}{item}"),
    }
}

const fn word(state: Found) -> &'static str {
    match state {
        Found::Unchanged => "Unchanged",
        Found::Altered => "Altered",
        Found::BeforeSealing => "Recorded before sealing",
        Found::Removed => "Removed, seal intact",
    }
}

const fn tone(state: Found) -> &'static str {
    match state {
        Found::Unchanged => "good",
        Found::Altered => "bad",
        Found::BeforeSealing | Found::Removed => "warn",
    }
}

fn moment(check: &ProofCheck, at: DateTime<Utc>) -> String {
    let zone: Tz = check.timezone.parse().unwrap_or(Tz::UTC);
    at.with_timezone(&zone).format("%Y/%m/%d %H:%M:%S").to_string()
}
