use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use routewright_control_plane::app::App;
use routewright_control_plane::config::Config;
use routewright_control_plane::usual_settings;
use routewright_core::OrganisationId;
use routewright_core::check::is_email;
use routewright_tenancy::migration;
use routewright_tenancy::provisioning::{NewAdmin, NewOrganisation};

use super::{Fault, connect, say};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Makes an organisation.
    Create(Create),
    /// Lists organisations with their schema versions.
    List,
    /// Moves an organisation to another database.
    Move {
        /// Its id.
        id: i64,
        /// The placement to move to.
        #[arg(long)]
        to: String,
        /// Where the copy lies meanwhile.
        #[arg(long, default_value = ".")]
        folder: PathBuf,
    },
    /// Copies an organisation's data into a file.
    Backup {
        /// Its id.
        id: i64,
        /// Where to put the file.
        #[arg(long, default_value = ".")]
        folder: PathBuf,
    },
    /// Replaces an organisation's data by a backup of it.
    Restore {
        /// Its id.
        id: i64,
        /// The backup.
        #[arg(long)]
        file: PathBuf,
    },
    /// Takes an organisation out of service; with `--purge` exports and removes its data for good.
    Delete {
        /// Its id.
        id: i64,
        /// Second step, after the first: export, then remove.
        #[arg(long)]
        purge: bool,
        /// Takes the first step back.
        #[arg(long, conflicts_with = "purge")]
        undo: bool,
        /// Where to put the export.
        #[arg(long, default_value = ".")]
        folder: PathBuf,
    },
}

/// A new organisation.
#[derive(Args)]
pub(crate) struct Create {
    /// Name.
    #[arg(long)]
    name: String,
    /// IANA time zone.
    #[arg(long, default_value = "UTC")]
    timezone: chrono_tz::Tz,
    /// The database to live in.
    #[arg(long, default_value = "default")]
    placement: String,
    /// Address of its first user; the password comes from `ADMIN_PASSWORD`.
    #[arg(long)]
    admin_email: Option<String>,
    /// First password of the first user.
    #[arg(long, env = "ADMIN_PASSWORD", hide_env_values = true)]
    admin_password: Option<String>,
}

pub(super) async fn run(command: Command, config: Config) -> Result<ExitCode, Fault> {
    let app = connect(config).await?;
    let work = &app.provisioning;
    match command {
        Command::Create(new) => create(&app, new).await?,
        Command::List => list(&app).await?,
        Command::Move { id, to, folder } => {
            work.move_to(OrganisationId::new(id), &to, &folder).await?;
            say(&format!("organisation {id} lives in {to}"));
        }
        Command::Backup { id, folder } => {
            let file = work.backup(OrganisationId::new(id), &folder).await?;
            say(&file.display().to_string());
        }
        Command::Restore { id, file } => {
            work.restore(OrganisationId::new(id), &file).await?;
            say(&format!("organisation {id} is restored"));
        }
        Command::Delete { id, purge, undo, folder } => {
            let id = OrganisationId::new(id);
            if undo {
                work.undelete(id).await?;
                say(&format!("organisation {id} is back in service"));
            } else if purge {
                match work.purge(id, &folder).await? {
                    Some(file) => say(&format!("organisation {id} is removed; its data: {}", file.display())),
                    None => say(&format!("organisation {id} is removed")),
                }
            } else {
                work.mark_deleted(id).await?;
                say(&format!("organisation {id} is out of service; --purge removes its data"));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn create(app: &App, new: Create) -> Result<(), Fault> {
    let admin = match (new.admin_email, new.admin_password) {
        (Some(email), Some(password)) => {
            if !is_email(&email) {
                return Err(Fault(format!("`{email}` is not an e-mail address")));
            }
            if password.chars().count() < 8 {
                return Err(Fault("ADMIN_PASSWORD must have at least 8 characters".to_owned()));
            }
            Some(NewAdmin {
                email,
                password_hash: Some(app.passwords.hash(None, &password).await?),
                first_name: None,
                last_name: None,
                phone_number: None,
                personal_data_consent: false,
            })
        }
        (Some(_), None) => return Err(Fault("ADMIN_PASSWORD is not set".to_owned())),
        (None, _) => None,
    };
    let wanted = NewOrganisation {
        placement: new.placement,
        settings: usual_settings(new.timezone),
        admin,
        ..NewOrganisation::named(new.name, new.timezone)
    };
    let id = app.provisioning.create_organisation(&wanted).await?;
    say(&format!("organisation {id} is ready"));
    Ok(())
}

async fn list(app: &App) -> Result<(), Fault> {
    say(&format!("{:>8}  {:<12}  {:>7}  {:<12}  name", "id", "state", "version", "placement"));
    for standing in migration::versions(&app.control).await? {
        let version = standing.version.map_or_else(|| "-".to_owned(), |version| version.to_string());
        say(&format!(
            "{:>8}  {:<12}  {version:>7}  {:<12}  {}",
            standing.id.get(),
            standing.state,
            standing.placement,
            standing.name
        ));
        if let Some(error) = standing.error {
            say(&format!("          {error}"));
        }
    }
    Ok(())
}
