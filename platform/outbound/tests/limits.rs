//! V-03: servers that never stop sending, redirect for ever or trickle end the call to them, within its time and memory.

#![expect(clippy::expect_used, reason = "what a test stands on is said where it is missing")]

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use routewright_outbound::{Client, Limits, Outbound, Unanswered, WayOut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How a server hurts whoever calls it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// Says yes, then sends for ever.
    Endless,
    /// Announces a terabyte, then sends it.
    Announced,
    /// Says yes, then a byte now and then.
    Trickle,
    /// A header line now and then.
    TrickledHeaders,
    /// Sends on to itself.
    Circle,
    /// Says nothing.
    Silent,
}

async fn server(way: Way) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = format!("http://{}/", listener.local_addr().expect("an address"));
    let to = address.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // The caller hangs up: that ends the answer.
            let to = to.clone();
            tokio::spawn(async move { answer(stream, way, &to).await.unwrap_or_default() });
        }
    });
    address
}

async fn answer(mut stream: TcpStream, way: Way, to: &str) -> std::io::Result<()> {
    let mut request = [0; 4096];
    if stream.read(&mut request).await? == 0 {
        return Ok(());
    }
    let head = match way {
        Way::Endless | Way::Trickle => "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_owned(),
        Way::Announced => "HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n".to_owned(),
        Way::TrickledHeaders => "HTTP/1.1 200 OK\r\n".to_owned(),
        Way::Circle => {
            format!(
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        }
        Way::Silent => String::new(),
    };
    stream.write_all(head.as_bytes()).await?;
    if way == Way::Circle {
        return Ok(());
    }
    let piece = vec![b'x'; 64 * 1024];
    loop {
        match way {
            Way::Endless | Way::Announced => stream.write_all(&piece).await?,
            Way::Trickle => stream.write_all(b"x").await?,
            Way::TrickledHeaders => stream.write_all(b"X-More: 1\r\n").await?,
            Way::Circle | Way::Silent => {}
        }
        if !matches!(way, Way::Endless | Way::Announced) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

const TIME: Duration = Duration::from_secs(2);

#[tokio::test]
async fn v_03_a_configured_server_cannot_hold_or_fill_us() {
    for (way, redirects) in [
        (Way::Endless, 0),
        (Way::Announced, 0),
        (Way::Trickle, 0),
        (Way::TrickledHeaders, 0),
        (Way::Circle, 3),
        (Way::Silent, 0),
    ] {
        let limits = Limits { time: TIME, bytes: 1024 * 1024, redirects, ..Limits::default() };
        let client = Client::new(limits).expect("a client");
        let started = Instant::now();
        let answer = client.send(client.get(server(way).await)).await;
        assert!(started.elapsed() < TIME * 3, "{way:?} took {:?}", started.elapsed());
        let expected = match way {
            Way::Endless | Way::Announced => matches!(answer, Err(Unanswered::TooLarge(_))),
            Way::Trickle | Way::TrickledHeaders | Way::Silent => matches!(answer, Err(Unanswered::Late)),
            Way::Circle => matches!(answer, Err(Unanswered::Redirects)),
        };
        assert!(expected, "{way:?}: {answer:?}");
    }
    let client = Client::new(Limits { time: TIME, ..Limits::default() }).expect("a client");
    let answer = client.send(client.get(server(Way::Circle).await)).await.expect("an answer");
    assert_eq!(answer.status, 307, "redirects are not followed unless told so");
}

/// What has said yes is not asked again, however it goes on: a text message would go out twice.
#[tokio::test]
async fn v_03_the_status_of_a_typed_address_counts() {
    let outbound = Outbound::new(true, TIME).expect("a client");
    for way in [Way::Endless, Way::Announced, Way::Trickle] {
        let started = Instant::now();
        let request = outbound.post(&server(way).await).expect("an address");
        let answer = outbound.send(&WayOut::of_platform(), request.body("text")).await.expect("an answer");
        assert_eq!(answer.status, 200, "{way:?}");
        assert!(answer.body.len() <= 16 * 1024, "{way:?}: {} bytes", answer.body.len());
        assert!(started.elapsed() < TIME * 3, "{way:?} took {:?}", started.elapsed());
    }
    for way in [Way::TrickledHeaders, Way::Silent] {
        let request = outbound.post(&server(way).await).expect("an address");
        assert!(
            matches!(outbound.send(&WayOut::of_platform(), request).await, Err(Unanswered::Late)),
            "{way:?}"
        );
    }
}
