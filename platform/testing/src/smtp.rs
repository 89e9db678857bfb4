//! A mail server that keeps what it is given: the SMTP conversation and TLS are those of libraries, only the mailbox
//! is a list.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mailin::{Action, AuthMechanism, Handler, Response, Session, SessionBuilder, response};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// When a connection is protected; a protected one must also be signed in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// Never.
    None,
    /// After `STARTTLS`.
    StartTls,
    /// From the start.
    Tls,
}

/// A mail as it arrived.
#[derive(Clone, Debug, Default)]
pub struct Received {
    /// The envelope's recipients.
    pub recipients: Vec<String>,
    /// The mail as it was sent.
    pub raw: Vec<u8>,
    /// Whether the sender had signed in.
    pub signed_in: bool,
}

/// The server; it ends when this is dropped.
pub struct Sink {
    /// Port on `localhost`.
    pub port: u16,
    /// Certificate (PEM) of the server, made for `localhost`.
    pub certificate: Vec<u8>,
    mails: Arc<Mutex<Vec<Received>>>,
    connections: Arc<Mutex<usize>>,
    task: JoinHandle<()>,
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the product send its mails, without encryption, to a port of loopback.
#[must_use]
pub fn variables(port: u16) -> [(&'static str, String); 4] {
    [
        ("SMTP_HOST", "127.0.0.1".to_owned()),
        ("SMTP_PORT", port.to_string()),
        ("SMTP_SECURITY", "none".to_owned()),
        ("SMTP_FROM", "Routewright <no-reply@example.org>".to_owned()),
    ]
}

impl Sink {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// When there is none.
    pub async fn start(security: Security) -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
        let tls = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::from(cert.der().to_vec())], key)
            .expect("a TLS server");
        let tls = TlsAcceptor::from(Arc::new(tls));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let mails = Arc::<Mutex<Vec<Received>>>::default();
        let connections = Arc::<Mutex<usize>>::default();
        let task = tokio::spawn({
            let (mails, connections) = (mails.clone(), connections.clone());
            async move {
                while let Ok((socket, _)) = listener.accept().await {
                    *lock(&connections) += 1;
                    let mailbox = Mailbox { mails: mails.clone(), current: Received::default() };
                    tokio::spawn(converse(socket, security, tls.clone(), mailbox));
                }
            }
        });
        Self { port, certificate: cert.pem().into_bytes(), mails, connections, task }
    }

    /// What has arrived so far.
    #[must_use]
    pub fn mails(&self) -> Vec<Received> {
        lock(&self.mails).clone()
    }

    /// How often somebody connected.
    #[must_use]
    pub fn connections(&self) -> usize {
        *lock(&self.connections)
    }
}

async fn converse(
    socket: TcpStream,
    security: Security,
    tls: TlsAcceptor,
    mailbox: Mailbox,
) -> io::Result<()> {
    let mut builder = SessionBuilder::new("sink");
    if security != Security::None {
        builder.enable_auth(AuthMechanism::Plain);
    }
    if security == Security::StartTls {
        builder.enable_start_tls();
    }
    let mut session = builder.build(IpAddr::from(Ipv4Addr::LOCALHOST), mailbox);
    let mut socket = BufReader::new(socket);
    if security == Security::Tls {
        session.tls_active();
        let mut socket = BufReader::new(tls.accept(socket.into_inner()).await?);
        return serve(&mut socket, &mut session, true).await.map(drop);
    }
    if serve(&mut socket, &mut session, true).await? == Action::UpgradeTls {
        session.tls_active();
        let mut socket = BufReader::new(tls.accept(socket.into_inner()).await?);
        serve(&mut socket, &mut session, false).await?;
    }
    Ok(())
}

async fn serve<S>(
    socket: &mut BufReader<S>,
    session: &mut Session<Mailbox>,
    greets: bool,
) -> io::Result<Action>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    if greets {
        socket.write_all(&session.greeting().buffer()?).await?;
        socket.flush().await?;
    }
    let mut line = Vec::new();
    loop {
        line.clear();
        if socket.read_until(b'\n', &mut line).await? == 0 {
            return Ok(Action::Close);
        }
        let answer = session.process(&line);
        if answer.action != Action::NoReply {
            socket.write_all(&answer.buffer()?).await?;
            socket.flush().await?;
        }
        match answer.action {
            Action::Reply | Action::NoReply => {}
            action => return Ok(action),
        }
    }
}

/// Refuses `unknown@…` for good and `busy@…` for now; knows one account, `user` with `pass`.
struct Mailbox {
    mails: Arc<Mutex<Vec<Received>>>,
    current: Received,
}

impl Handler for Mailbox {
    fn rcpt(&mut self, to: &str) -> Response {
        if to.starts_with("unknown@") {
            return response::NO_MAILBOX;
        }
        if to.starts_with("busy@") {
            return Response::custom(451, "Try again later".to_owned());
        }
        self.current.recipients.push(to.to_owned());
        response::OK
    }

    fn data(&mut self, piece: &[u8]) -> io::Result<()> {
        self.current.raw.extend_from_slice(piece);
        Ok(())
    }

    fn data_end(&mut self) -> Response {
        let signed_in = self.current.signed_in;
        let mail = std::mem::replace(&mut self.current, Received { signed_in, ..Received::default() });
        lock(&self.mails).push(mail);
        response::OK
    }

    fn auth_plain(&mut self, _: &str, user: &str, password: &str) -> Response {
        self.current.signed_in = (user, password) == ("user", "pass");
        if self.current.signed_in { response::AUTH_OK } else { response::INVALID_CREDENTIALS }
    }
}
