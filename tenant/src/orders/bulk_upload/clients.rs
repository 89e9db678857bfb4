//! Clients as one list, answered by JSON lines.

use axum::extract::State;
use routewright_core::{Body, Error, Given, Result};
use routewright_identity::Caller;
use routewright_tenancy::db::{Tenant, Work};
use routewright_tenancy::resource;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing::Instrument;

use super::BATCH;
use super::answer::{self, Sender, lines};
use crate::app::App;
use crate::fleet::clients::{Client, ClientFields};

/// Largest list, bytes.
pub(super) const LARGEST: usize = 25 * 1024 * 1024;
/// Most clients of one upload.
const MOST: usize = 10_000;

/// A client as it was sent. It is read on its own, so that a faulty one does not refuse the others.
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Sent(#[schemars(with = "ClientFields")] Value);

/// `POST /clients/bulk_create`.
pub(super) async fn create(
    caller: Caller,
    State(app): State<App>,
    Body(clients): Body<Vec<Sent>>,
) -> Result<answer::Lines> {
    let clients: Vec<Value> = clients.into_iter().map(|Sent(client)| client).collect();
    if clients.is_empty() {
        return Err(Error::bad_request("The list has no clients"));
    }
    if clients.len() > MOST {
        return Err(Error::bad_request(format!("An upload can have at most {MOST} clients")));
    }
    if let Some(position) = clients.iter().position(|client| !client.is_object()) {
        return Err(Error::bad_request(format!("Client {} is not an object", position + 1)));
    }
    let tenant = app.tenants.of(&caller)?;
    let (sender, answer) = lines();
    tokio::spawn(async move { run(caller, tenant, clients, sender).await }.in_current_span());
    Ok(answer)
}

async fn run(caller: Caller, tenant: Tenant, clients: Vec<Value>, sender: Sender) {
    let total = clients.len();
    let (mut created, mut failed) = (0, Vec::new());
    for (index, batch) in clients.chunks(BATCH).enumerate() {
        match store(&caller, &tenant, batch).await {
            Ok(results) => {
                for (position, (client, result)) in batch.iter().zip(results).enumerate() {
                    let n = index * BATCH + position + 1;
                    let uid = &client["uid"];
                    sender.line(match result {
                        Ok(id) => {
                            created += 1;
                            json!({ "n": n, "total": total, "uid": uid, "id": id })
                        }
                        Err(error) => {
                            failed.push(uid.clone());
                            let mut body = error.body();
                            body["n"] = n.into();
                            body["total"] = total.into();
                            body["uid"] = uid.clone();
                            body
                        }
                    });
                }
            }
            Err(error) => {
                sender.line(error.body());
                return;
            }
        }
    }
    sender.line(json!({ "done": true, "created": created, "failed": failed }));
}

/// Stores a batch; inside, what became of every client.
async fn store(caller: &Caller, tenant: &Tenant, batch: &[Value]) -> Result<Vec<Result<i64>>> {
    let mut work = tenant.begin().await?;
    let mut results = Vec::with_capacity(batch.len());
    for client in batch {
        let result = answer::apart(&mut work, async |work| one(caller, work, client).await).await;
        match result {
            Err(error) if !error.kind().status().is_client_error() => return Err(error),
            result => results.push(result),
        }
    }
    work.commit().await?;
    Ok(results)
}

async fn one(caller: &Caller, work: &mut Work, client: &Value) -> Result<i64> {
    let given: Given<ClientFields> = Given::parse(client.clone())?;
    Ok(resource::insert::<Client>(work, caller, given).await?.id)
}
