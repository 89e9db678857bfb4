//! Background work of the service: one place where every kind of job is known.

use crate::app::App;

/// Starts the loops that every replica runs.
pub fn start(app: &App) {
    tokio::spawn(app.gate.policies.clone().watch());
    tokio::spawn(app.tenants.clone().tidy());
}
