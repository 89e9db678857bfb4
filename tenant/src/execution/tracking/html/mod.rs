//! The page behind a tracking link, written here so that it can be read as it comes: on any phone, without scripts. The
//! app's `tracking.js` only refreshes it, and adds the map and the forms.

mod card;
mod forms;
mod texts;

use axum::extract::State;
use axum::response::Html;
use http::request::Parts;
use maud::{DOCTYPE, Markup, html};
use routewright_core::http::Path;
use routewright_core::{Error, Kind, Link, Result};
use routewright_identity::authorise::NO_JOB;

use super::delivery::shown_to;
use super::{carried, page};
use crate::app::App;
use crate::setup::map;
use card::Card;

/// Deliveries on one page.
const MOST: usize = 20;

/// `GET /jobs/tracking/{token}/page`: the deliveries of one token, or of several with commas between them. Where nothing
/// opens with them it is 401 as everywhere; the gateway shows a page for it.
pub(super) async fn page(
    State(app): State<App>,
    Path(given): Path<String>,
    parts: Parts,
) -> Result<Html<String>> {
    let address = app.guesses.address(&parts);
    let tokens = tokens(&given);
    let mut cards = Vec::with_capacity(tokens.len());
    let mut found = false;
    for token in &tokens {
        app.guesses.admit(&address)?;
        match Box::pin(of_token(&app, token)).await {
            Ok(card) => {
                found = true;
                cards.push(card.markup());
            }
            // An unknown token, an expired one and an organisation that is closed look alike.
            Err(error) if error.kind() == Kind::Unauthorized => {
                app.guesses.wrong(&address, &format!("/jobs/tracking/{token}")).await?;
                cards.push(card::unknown(token));
            }
            Err(error) => return Err(error),
        }
    }
    if !found {
        return Err(Error::new(Kind::Unauthorized, NO_JOB));
    }
    Ok(Html(document(&cards).into_string()))
}

async fn of_token(app: &App, token: &str) -> Result<Card> {
    let caller = app.gate.link(Link::Tracking, token).await?;
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let (job, delivery) = shown_to(&mut work, &caller, app).await?;
    let found = page::recorded_of(&mut work, &caller, job).await?;
    let units = carried::units(&mut work, job, &found).await?;
    let returns = carried::returns(&mut work, job, &found).await?;
    work.rollback().await?;
    let map = serde_json::to_string(&map::for_guests(app))?;
    Ok(Card {
        token: token.to_owned(),
        rehearsal: caller.rehearses(),
        delivery,
        proofs: found,
        units,
        returns,
        map,
    })
}

fn tokens(given: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    // Commas that a browser has escaped come escaped through the gateway.
    for token in given.replace("%2C", ",").split(',').map(|token| token.trim().to_ascii_uppercase()) {
        if !token.is_empty() && !tokens.contains(&token) && tokens.len() < MOST {
            tokens.push(token);
        }
    }
    tokens
}

fn document(cards: &[Markup]) -> Markup {
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
                title { (texts::TITLE) }
                link rel="stylesheet" href="/tracking/page.css";
                script type="module" src="/tracking.js" {}
            }
            body {
                header {
                    img src="/mark.svg" alt="" width="28" height="28";
                    h1 { (texts::TITLE) }
                }
                main {
                    @for card in cards { (card) }
                }
                form class="add" action="/tracking" {
                    label { (texts::TRACKING_NUMBER) input name="tokens" required autocomplete="off" autocapitalize="characters"; }
                    button { (texts::ADD) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_once_each() {
        assert_eq!(tokens("aa, BB,,aa%2Cbb"), ["AA", "BB"]);
        assert_eq!(tokens(""), [""; 0]);
        let many: Vec<String> = (0..50).map(|n| n.to_string()).collect();
        assert_eq!(tokens(&many.join(",")).len(), MOST);
    }

    #[test]
    fn what_is_typed_stays_text() {
        let page = document(&[card::unknown("<b>")]).into_string();
        assert!(page.contains("&lt;b&gt;"), "{page}");
    }
}
