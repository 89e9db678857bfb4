//! Signing in through a real OpenID Connect provider.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use chrono::TimeDelta;
use http::Request;
use reqwest::redirect::Policy;
use routewright_core::Clock;
use routewright_testing::{Answer, Client};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use url::Url;

use crate::support::{Control, address, config, control, control_with, get_with};

const REDIRECT_URI: &str = "http://127.0.0.1:8080/api/auth/oidc/callback";

/// A provider of identities; it ends with the test.
struct Provider {
    issuer: String,
    child: Child,
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/ci/oidc")
}

/// Installs the provider once.
fn install() {
    static INSTALLED: std::sync::Once = std::sync::Once::new();
    INSTALLED.call_once(|| {
        if folder().join("node_modules/oidc-provider").is_dir() {
            return;
        }
        let done = Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"])
            .current_dir(folder())
            .status()
            .expect("npm is there");
        assert!(done.success(), "the test provider cannot be installed");
    });
}

async fn provider(more: &[&str]) -> Provider {
    install();
    let mut child = Command::new("node")
        .args(["server.js", "routewright", "a-secret-of-tests", REDIRECT_URI])
        .args(more)
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("node is there");
    let stdout = tokio::process::ChildStdout::from_std(child.stdout.take().unwrap()).unwrap();
    let line = BufReader::new(stdout).lines().next_line().await.unwrap();
    Provider { issuer: line.expect("the provider starts"), child }
}

async fn control_of(provider: &Provider, clock: Clock) -> Control {
    let config = config(&[
        ("OIDC_ISSUER", &provider.issuer),
        ("OIDC_CLIENT_ID", "routewright"),
        ("OIDC_CLIENT_SECRET", "a-secret-of-tests"),
        ("OIDC_NAME", "Test Identity"),
    ]);
    control_with(config, clock).await
}

fn location(answer: &Answer) -> Url {
    Url::parse(answer.headers["location"].to_str().unwrap()).unwrap()
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// Begins a sign-in; answers where the provider is and the cookie of this browser.
async fn begin(nobody: &Client) -> (Url, String) {
    let answer = nobody.get("/auth/oidc/start").await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    (location(&answer), cookie)
}

/// What a browser does at the provider as `account`: follows redirects and keeps cookies until it is sent back to us.
async fn at_provider(start: Url, account: Option<&Value>) -> Url {
    let browser = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
    let mut cookies: BTreeMap<String, String> = BTreeMap::new();
    let mut url = start;
    for _ in 0..10 {
        if url.as_str().starts_with(REDIRECT_URI) {
            return url;
        }
        let jar: Vec<String> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = browser.get(url.clone()).header("cookie", jar.join("; "));
        if let Some(account) = account {
            request = request.header("x-account", account.to_string());
        }
        let response = request.send().await.unwrap();
        for cookie in response.headers().get_all("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
            let (name, value) = pair.split_once('=').unwrap();
            cookies.insert(name.to_owned(), value.to_owned());
        }
        let Some(next) = response.headers().get("location") else {
            panic!("{url} answered {}: {}", response.status(), response.text().await.unwrap());
        };
        url = url.join(next.to_str().unwrap()).unwrap();
    }
    panic!("the provider redirects without end");
}

/// Back to us, with the browser's cookie.
async fn come_back(nobody: &Client, back: &Url, cookie: &str) -> Url {
    let path = format!("/auth/oidc/callback?{}", back.query().unwrap());
    let request = Request::get(path).header("cookie", cookie).body(axum::body::Body::empty()).unwrap();
    let answer = nobody.send(request).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.headers["referrer-policy"], "no-referrer");
    let page = location(&answer);
    assert!(page.as_str().starts_with("http://127.0.0.1:8080/?"), "{page}");
    page
}

async fn sign_in(nobody: &Client, account: &Value) -> Url {
    let (start, cookie) = begin(nobody).await;
    let back = at_provider(start, Some(account)).await;
    come_back(nobody, &back, &cookie).await
}

fn person(email: &str, verified: bool) -> Value {
    json!({"sub": routewright_core::token::random(12), "email": email, "email_verified": verified})
}

/// an existing user signs in by a verified address and ends at the auto-login of the web app; from then on
/// the identity is theirs, whatever becomes of the address.
#[tokio::test]
async fn an_existing_user_signs_in_through_the_provider() {
    for more in [&[][..], &["id_token"]] {
        let provider = provider(more).await;
        let control = control_of(&provider, Clock::system()).await;
        let providers = control.nobody.get("/auth/providers").await.ok();
        assert_eq!(providers[0]["name"], "Test Identity");
        assert_eq!(providers[0]["url"], "http://127.0.0.1:8080/api/auth/oidc/start");
        let (user, email) = control.with_password("user").await;
        let account = person(&email.to_uppercase(), true);
        let page = sign_in(&control.nobody, &account).await;
        let token = parameter(&page, "authtoken").expect("a token");
        let signed = control.nobody.send(get_with("/users/login/from_token", "token", &token)).await.ok();
        assert_eq!(signed["id"], user.id);
        let own = control.nobody.with_token(signed["token"].as_str().unwrap());
        let _ = own.get("/auth/user").await.ok();

        let _ = own.patch("/users/me", json!({"email": address()})).await.ok();
        let page = sign_in(&control.nobody, &account).await;
        assert!(parameter(&page, "authtoken").is_some(), "{page}");
        let record = control.record(&format!("user:{}", user.id)).await;
        assert_eq!(record.iter().filter(|action| *action == "identity_linked").count(), 1);
    }
}

/// V-20: who signed in at the provider a moment ago needs no password for a new password or address; a session that was
/// only renewed does not count.
#[tokio::test]
async fn a_fresh_sign_in_at_the_provider_stands_for_the_password() {
    let provider = provider(&[]).await;
    let clock = Clock::fixed(chrono::Utc::now());
    let control = control_of(&provider, clock.clone()).await;
    let (user, email) = control.with_password("user").await;
    let without = "update users set password_hash = null where id = $1";
    sqlx::query(without).bind(user.id).execute(&control.app.control).await.unwrap();
    let account = person(&email, true);
    let enter = async || {
        let page = sign_in(&control.nobody, &account).await;
        let token = parameter(&page, "authtoken").expect("a token");
        control.nobody.send(get_with("/users/login/from_token", "token", &token)).await.ok()
    };
    let signed = enter().await;
    let own = control.nobody.with_token(signed["token"].as_str().unwrap());
    let next = address();
    let answer = own.patch("/users/me", json!({"email": next})).await.ok();
    assert_eq!((&answer["email"], &answer["pending_email"]), (&json!(email), &json!(next)));

    clock.advance(TimeDelta::minutes(11));
    let body = json!({"refresh_token": signed["refresh_token"]});
    let renewed = control.nobody.post("/auth/refresh_token", body).await.ok();
    let own = own.with_token(renewed["token"].as_str().unwrap());
    let again = "Please sign out, sign in again with your provider and save within 10 minutes.";
    for given in [json!({"new_password": "Other-Flower 8"}), json!({"email": address()})] {
        let refused = own.patch("/users/me", given).await.refused(400);
        assert_eq!(refused["fields"]["current_password"], again);
    }
    let own = own.with_token(enter().await["token"].as_str().unwrap());
    let _ = own.patch("/users/me", json!({"new_password": "Other-Flower 8"})).await.ok();
}

/// The token in the address is good for two minutes and one use; the session then lives as long as any.
#[tokio::test]
async fn the_token_in_the_address_is_soon_worthless() {
    let provider = provider(&[]).await;
    let clock = Clock::fixed(chrono::Utc::now());
    let control = control_of(&provider, clock.clone()).await;
    let (_, email) = control.with_password("user").await;
    let account = person(&email, true);
    let used = parameter(&sign_in(&control.nobody, &account).await, "authtoken").unwrap();
    let unused = parameter(&sign_in(&control.nobody, &account).await, "authtoken").unwrap();
    let signed = control.nobody.send(get_with("/users/login/from_token", "token", &used)).await.ok();
    clock.advance(TimeDelta::minutes(2));
    let _ = control.nobody.send(get_with("/users/login/from_token", "token", &unused)).await.refused(401);
    let body = json!({"refresh_token": signed["refresh_token"]});
    let _ = control.nobody.post("/auth/refresh_token", body).await.ok();
}

/// An address that the provider has not verified, or that no user has, opens nothing; neither does a cancelled sign-in.
#[tokio::test]
async fn only_a_verified_address_of_a_user_opens() {
    let provider = provider(&[]).await;
    let control = control_of(&provider, Clock::system()).await;
    let (user, email) = control.with_password("user").await;
    for account in [person(&email, false), person(&address(), true), json!({"sub": "bare"})] {
        let page = sign_in(&control.nobody, &account).await;
        assert_eq!(parameter(&page, "authtoken"), None);
        let text = parameter(&page, "login_error").unwrap();
        assert!(text.starts_with("There is no user with this identity"), "{text}");
    }
    let (start, cookie) = begin(&control.nobody).await;
    let back = at_provider(start, None).await;
    let page = come_back(&control.nobody, &back, &cookie).await;
    assert_eq!(parameter(&page, "login_error").unwrap(), "The sign-in was cancelled at the provider");
    // A user who was deleted since does not come back by their identity.
    let account = person(&email, true);
    assert!(parameter(&sign_in(&control.nobody, &account).await, "authtoken").is_some());
    let _ = control.admin.delete(&format!("/users/{}", user.id)).await.ok();
    assert_eq!(parameter(&sign_in(&control.nobody, &account).await, "authtoken"), None);
}

/// The answer must come to the browser that began, once and in time, with the state that we made.
#[tokio::test]
async fn a_stolen_answer_is_worthless() {
    let provider = provider(&[]).await;
    let clock = Clock::fixed(chrono::Utc::now());
    let control = control_of(&provider, clock.clone()).await;
    let (_, email) = control.with_password("user").await;
    let account = person(&email, true);
    let nobody = &control.nobody;
    let (start, cookie) = begin(nobody).await;
    let (_, other_cookie) = begin(nobody).await;
    let back = at_provider(start, Some(&account)).await;
    let opens = |page: Url| parameter(&page, "authtoken").is_some();
    assert!(!opens(come_back(nobody, &back, &other_cookie).await));
    assert!(!opens(come_back(nobody, &back, "").await));
    let mut forged = back.clone();
    forged.query_pairs_mut().clear().append_pair("code", "x").append_pair("state", "y");
    assert!(!opens(come_back(nobody, &forged, "routewright_oidc=y").await));
    assert!(opens(come_back(nobody, &back, &cookie).await));
    assert!(!opens(come_back(nobody, &back, &cookie).await));

    let (start, cookie) = begin(nobody).await;
    let back = at_provider(start, Some(&account)).await;
    clock.advance(TimeDelta::minutes(10));
    assert!(!opens(come_back(nobody, &back, &cookie).await));
}

/// Without a provider there is none to choose; one that is away is told so.
#[tokio::test]
async fn a_provider_may_be_missing_or_away() {
    let control = control().await;
    let sign_up = json!({"key": "sign_up", "name": "Sign up", "url": "http://127.0.0.1:8080/?sign_up"});
    assert_eq!(control.nobody.get("/auth/providers").await.ok(), json!([sign_up]));
    let _ = control.nobody.get("/auth/oidc/start").await.refused(404);
    let gone = provider(&[]).await;
    let issuer = Provider { issuer: gone.issuer.clone(), child: Command::new("true").spawn().unwrap() };
    drop(gone);
    let control = control_of(&issuer, Clock::system()).await;
    let refusal = control.nobody.get("/auth/oidc/start").await.refused(502);
    assert_eq!(refusal["description"], "The sign-in provider does not answer. Please try again.");
}

/// a token for the map vendor comes by client credentials and serves until shortly before it expires.
#[tokio::test]
async fn the_map_vendor_gives_a_token() {
    let provider = provider(&[]).await;
    let clock = Clock::fixed(chrono::Utc::now());
    let token_url = format!("{}/token", provider.issuer);
    let account = |secret: &'static str| {
        config(&[
            ("ESRI_TOKEN_URL", &token_url),
            ("ESRI_CLIENT_ID", "service"),
            ("ESRI_CLIENT_SECRET", secret),
        ])
    };
    let control = control_with(account("a-secret-of-tests"), clock.clone()).await;
    let token = async || {
        let planner = control.planner.with_token(control.organisation.token(control.organisation.planner));
        planner.get("/auth/esri_token").await.ok()
    };
    let first = token().await;
    assert!(first["esri_access_token"].as_str().is_some_and(|token| !token.is_empty()));
    let expiry: chrono::DateTime<chrono::Utc> = first["esri_token_expiry"].as_str().unwrap().parse().unwrap();
    assert!(expiry > clock.now() + TimeDelta::minutes(2));
    clock.advance(expiry - clock.now() - TimeDelta::minutes(2) - TimeDelta::seconds(1));
    assert_eq!(token().await, first);
    clock.advance(TimeDelta::seconds(2));
    assert_ne!(token().await["esri_access_token"], first["esri_access_token"]);

    let wrong = control_with(account("another-secret"), Clock::system()).await;
    let refusal = wrong.planner.get("/auth/esri_token").await.refused(502);
    assert_eq!(refusal["description"], "Failed to fetch GIS token");
}
