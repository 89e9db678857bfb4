//! Text messages to a gateway over real HTTP.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Form, Router};
use routewright_messaging::{SendError, SmsAccount, SmsGateway, SmsProvider, WayOut};
use tokio::net::TcpListener;

type Received = Arc<Mutex<Vec<HashMap<String, String>>>>;

async fn gateway() -> (String, Received) {
    async fn accept(State(received): State<Received>, Form(form): Form<HashMap<String, String>>) -> Response {
        let to = form.get("to").cloned().unwrap_or_default();
        received.lock().expect("the list").push(form);
        match to.as_str() {
            "+351900000400" => (StatusCode::BAD_REQUEST, "number\nblocked").into_response(),
            "+351900000429" => StatusCode::TOO_MANY_REQUESTS.into_response(),
            "+351900000500" => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            "+351900000302" => Redirect::temporary("http://169.254.169.254/").into_response(),
            _ => r#"{"id": 4711, "state": "queued"}"#.into_response(),
        }
    }
    let received = Received::default();
    let router = Router::new().route("/send", post(accept)).with_state(received.clone());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = format!("http://{}/send", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, received)
}

fn account(base_url: &str) -> SmsAccount {
    SmsAccount {
        provider: SmsProvider::Http,
        account: "demo".to_owned(),
        api_key: "k&y=1".to_owned(),
        sender: "Routewright".to_owned(),
        base_url: base_url.to_owned(),
    }
}

/// X-012: a run sheet goes out by SMS through the organisation's gateway.
#[tokio::test]
async fn a_text_message_reaches_the_gateway() {
    let (address, received) = gateway().await;
    let sms = SmsGateway::new(true).expect("a gateway");
    let text = "Run D-1 01/03: 12 jobs, start 09:00. https://example.org/r?t=1&u=ü";
    let id = sms.send(&WayOut::of_platform(), &account(&address), "+351912345678", text).await.expect("sent");
    assert_eq!(id.as_deref(), Some("4711"));
    let received = received.lock().expect("the list");
    let expected = [
        ("account", "demo"),
        ("key", "k&y=1"),
        ("sender", "Routewright"),
        ("to", "+351912345678"),
        ("text", text),
    ];
    assert_eq!(received[0], HashMap::from(expected.map(|(k, v)| (k.to_owned(), v.to_owned()))));
}

#[tokio::test]
async fn refusals_tell_whether_trying_again_helps() {
    let (address, _) = gateway().await;
    let sms = SmsGateway::new(true).expect("a gateway");
    let account = account(&address);
    let way = WayOut::of_platform();
    let send = |to| sms.send(&way, &account, to, "text");
    let refused = send("+351900000400").await;
    assert_eq!(
        refused,
        Err(SendError::Permanent("SMS gateway answered 400 Bad Request: numberblocked".to_owned()))
    );
    for busy in ["+351900000429", "+351900000500"] {
        let answer = send(busy).await;
        assert!(matches!(answer, Err(SendError::Temporary(_))), "{busy}: {answer:?}");
    }
    let redirected = send("+351900000302").await;
    assert!(matches!(redirected, Err(SendError::Permanent(_))), "redirects are not followed: {redirected:?}");
}

#[tokio::test]
async fn outside_of_development_a_private_gateway_is_refused() {
    let (address, received) = gateway().await;
    let sms = SmsGateway::new(false).expect("a gateway");
    let behind_a_name = address.replace("http://127.0.0.1", "https://localhost");
    for inside in [address.as_str(), "https://192.168.0.7/send", behind_a_name.as_str()] {
        let answer = sms.send(&WayOut::of_platform(), &account(inside), "+351912345678", "text").await;
        assert!(answer.is_err(), "{inside}: {answer:?}");
    }
    assert!(received.lock().expect("the list").is_empty());
    assert!(sms.check_base_url("https://10.0.0.1/").is_err());
    assert!(sms.check_base_url("https://sms.example.com/send").is_ok());
}

#[tokio::test]
async fn the_outbox_provider_sends_nothing() {
    let (address, received) = gateway().await;
    let account = SmsAccount { provider: SmsProvider::Outbox, ..account(&address) };
    let sms = SmsGateway::new(true).expect("a gateway");
    assert_eq!(sms.send(&WayOut::of_platform(), &account, "+351912345678", "text").await, Ok(None));
    assert!(received.lock().expect("the list").is_empty());
}
