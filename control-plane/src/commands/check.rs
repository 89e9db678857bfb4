use std::process::ExitCode;

use routewright_control_plane::build;
use routewright_control_plane::config::Config;
use routewright_core::Clock;
use routewright_tenancy::migration;

use super::{Fault, say};

/// Does what a start does, and looks at every organisation.
pub(super) async fn check(config: Config) -> Result<ExitCode, Fault> {
    let mut faults = 0;
    let mut warn = |line: String| {
        faults += 1;
        say(&format!("FAULT  {line}"));
    };
    if config.smtp.is_none() && !config.deployment.local {
        warn("SMTP_HOST: without a mail server nobody gets a reset link".to_owned());
    }
    let service = build(config, Clock::system()).await?;
    let newest = migration::current_version();
    for standing in migration::versions(&service.app.control).await? {
        if standing.state != "ready" {
            let reason = standing.error.unwrap_or_default();
            warn(format!("organisation {} ({}) is {}: {reason}", standing.id, standing.name, standing.state));
        } else if standing.version != Some(newest) {
            let version = standing.version.unwrap_or_default();
            warn(format!(
                "organisation {} ({}) is at version {version} of {newest}",
                standing.id, standing.name
            ));
        }
    }
    if faults == 0 {
        say("ready for service");
    }
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
