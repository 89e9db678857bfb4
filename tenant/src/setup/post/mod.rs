//! Messages to people outside: written into the outbox in the transaction that causes them, and sent once it commits.

mod outbox;

pub(crate) use outbox::send_all;

use routewright_bus::{Notice, announce};
use routewright_core::{Kind, Result, check};
use routewright_identity::Caller;
use routewright_messaging::{NewMessage, Queued, queue_message};
use sqlx::postgres::PgConnection;

/// Queues a message and wakes the outbox when the transaction commits.
///
/// # Errors
/// 400 for a recipient that is no address or number.
pub(crate) async fn queue(
    connection: &mut PgConnection,
    caller: &Caller,
    message: &NewMessage,
) -> Result<Queued> {
    let queued = queue_message(connection, message).await?;
    announce(connection, Notice::Message { organisation: Some(caller.organisation()?) }).await?;
    Ok(queued)
}

/// Queues a message that must not stand in the way of what it tells about: one that cannot be queued is logged.
///
/// # Errors
/// Database faults.
pub(crate) async fn notify(
    connection: &mut PgConnection,
    caller: &Caller,
    message: &NewMessage,
) -> Result<()> {
    match queue(connection, caller, message).await {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == Kind::BadRequest => {
            tracing::info!(intent = message.intent, %error, "nobody is told");
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Keeps what would have left a rehearsal, and how: a call of a `webhook`, or what a `partner` would have got. Shown among the
/// messages.
///
/// # Errors
/// Database faults.
pub(crate) async fn keep(
    connection: &mut PgConnection,
    (intent, channel): (&str, &str),
    to: &str,
    (subject, body): (&str, &str),
    (run, job): (Option<i64>, Option<i64>),
) -> Result<()> {
    sqlx::query(
        "insert into messages (intent, channel, recipients, subject, body_text, state, run_id, job_id)
         values ($1, $2, array[$3], $4, $5, 'rehearsal', $6, $7) on conflict (intent) do nothing",
    )
    .bind(intent)
    .bind(channel)
    .bind(to)
    .bind(subject)
    .bind(body)
    .bind(run)
    .bind(job)
    .execute(connection)
    .await?;
    Ok(())
}

/// The addresses of a comma-separated list, each once. What is no address is left out.
pub(crate) fn addresses(list: Option<&str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for address in list.unwrap_or_default().split(',').map(str::trim).filter(|text| check::is_email(text)) {
        if !found.iter().any(|known| known.eq_ignore_ascii_case(address)) {
            found.push(address.to_owned());
        }
    }
    found
}

/// The phone numbers of a comma-separated list, each once. What is no number is left out.
pub(crate) fn numbers(list: Option<&str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for number in list.unwrap_or_default().split(',').map(str::trim).filter(|text| check::is_phone(text)) {
        if !found.iter().any(|known| known == number) {
            found.push(number.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_is_written_to_once() {
        assert_eq!(
            addresses(Some("a@example.org, A@example.org,nobody, b@example.org")),
            ["a@example.org", "b@example.org"]
        );
        assert!(addresses(None).is_empty() && addresses(Some(" ")).is_empty());
    }
}
