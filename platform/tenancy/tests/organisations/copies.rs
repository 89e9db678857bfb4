//! Backup, restore, move and deletion, with Postgres' own tools.

use std::path::PathBuf;
use std::time::Duration;

use routewright_core::{Kind, OrganisationId};
use routewright_tenancy::provisioning::NewOrganisation;
use routewright_tenancy::role;
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection};

use crate::support::Deployment;

/// A folder that disappears with the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("routewright-{}", routewright_core::token::random(12)));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn files(&self) -> usize {
        std::fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

async fn add_tag(connection: &mut PgConnection, name: &str) {
    sqlx::query("insert into tags (name) values ($1)").bind(name).execute(connection).await.unwrap();
}

async fn tags(connection: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar("select name from tags order by id").fetch_all(connection).await.unwrap()
}

async fn schema_in(deployment: &Deployment, placement: &str, id: OrganisationId) -> bool {
    let mut owner = deployment.placements.owner(placement).unwrap().connect().await.unwrap();
    sqlx::query_scalar("select exists (select from pg_namespace where nspname like $1 || '%')")
        .bind(role::name(id))
        .fetch_one(&mut owner)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_backup_brings_back_what_was_and_the_rights_with_it() {
    let deployment = Deployment::fresh().await;
    let folder = Folder::new();
    let id = deployment.organisation("Saved").await;
    let other = deployment.organisation("Other").await;
    add_tag(&mut deployment.sign_in(id).await, "before").await;
    let file = deployment.provisioning.backup(id, &folder.0).await.unwrap();
    let mut open_session = deployment.sign_in(id).await;
    add_tag(&mut open_session, "after").await;

    deployment.provisioning.restore(id, &file).await.unwrap();
    assert_eq!(deployment.state(id).await, "ready");
    assert!(sqlx::query("select 1").execute(&mut open_session).await.is_err(), "old sessions are ended");
    let mut login = deployment.sign_in(id).await;
    assert_eq!(tags(&mut login).await, ["before"]);
    // Identity sequences go on behind the last id.
    add_tag(&mut login, "next").await;
    assert_eq!(tags(&mut login).await, ["before", "next"]);
    let refused = sqlx::query("delete from _sqlx_migrations").execute(&mut login).await;
    assert!(refused.is_err());

    // Another organisation's backup is refused, and so is any other file.
    let foreign = deployment.provisioning.backup(other, &folder.0).await.unwrap();
    let error = deployment.provisioning.restore(id, &foreign).await.unwrap_err();
    assert_eq!(error.kind(), Kind::BadRequest);
    let text = folder.0.join("text.dump");
    std::fs::write(&text, "no dump").unwrap();
    assert!(deployment.provisioning.restore(id, &text).await.is_err());
    assert_eq!(tags(&mut login).await, ["before", "next"]);
}

#[tokio::test]
async fn a_damaged_backup_leaves_the_present_data() {
    let deployment = Deployment::fresh().await;
    let folder = Folder::new();
    let id = deployment.organisation("Saved").await;
    add_tag(&mut deployment.sign_in(id).await, "present").await;
    let file = deployment.provisioning.backup(id, &folder.0).await.unwrap();
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() * 7 / 10]).unwrap();
    deployment.provisioning.restore(id, &file).await.unwrap_err();
    assert_eq!(deployment.state(id).await, "ready");
    assert_eq!(tags(&mut deployment.sign_in(id).await).await, ["present"]);
}

/// A process that dies while a backup is being read, before and after `pg_restore` committed.
#[tokio::test]
async fn killed_during_a_restore_no_data_is_lost() {
    let deployment = Deployment::fresh().await;
    let folder = Folder::new();
    for committed in [false, true] {
        let id = deployment.organisation(&format!("Restored {committed}")).await;
        add_tag(&mut deployment.sign_in(id).await, "present").await;
        let schema = role::name(id);
        let mut statements = format!(
            "update organisations set state = 'provisioning' where id = {id};
             delete from provisioning_steps where organisation_id = {id} and step <> 'defaults';
             alter role {schema} nologin;
             alter schema {schema} rename to {schema}_replaced;"
        );
        if committed {
            // Stands for what pg_restore wrote.
            statements.push_str(&format!("create schema {schema}"));
        }
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&deployment.control).await.unwrap();
        assert!(deployment.organisation_options(id).connect().await.is_err());
        assert!(deployment.provisioning.advance_all().await.unwrap().is_empty());
        let mut login = deployment.sign_in(id).await;
        let expected: &[&str] = if committed { &[] } else { &["present"] };
        assert_eq!(tags(&mut login).await, expected);
        drop(login);
        deployment.provisioning.backup(id, &folder.0).await.unwrap();
    }
}

/// kill -9: a `pg_restore` that outlives the command that called it. What it has not committed is taken back, and the
/// organisation works on with what it had.
#[tokio::test]
async fn a_copy_that_is_read_for_a_killed_command_is_given_up() {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Restored").await;
    add_tag(&mut deployment.sign_in(id).await, "present").await;
    let schema = role::name(id);
    let statements = format!(
        "update organisations set state = 'provisioning' where id = {id};
         delete from provisioning_steps where organisation_id = {id} and step <> 'defaults';
         alter role {schema} nologin;
         alter schema {schema} rename to {schema}_replaced;"
    );
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(&deployment.control).await.unwrap();
    let options = deployment.placements.owner("default").unwrap();
    let reader = options.application_name(&format!("routewright restore {schema}"));
    let mut reader = reader.connect().await.unwrap();
    crate::support::run(&mut reader, format!("begin; create schema {schema}")).await.unwrap();

    let finished = tokio::time::timeout(Duration::from_secs(30), deployment.provisioning.advance(id)).await;
    finished.expect("nobody waits for it").unwrap();
    assert_eq!(tags(&mut deployment.sign_in(id).await).await, ["present"]);
    assert!(crate::support::run(&mut reader, "commit".to_owned()).await.is_err());
}

/// A backup whose process is killed leaves the beginning of a file, which the next one removes. Others stay.
#[tokio::test]
async fn what_a_killed_backup_left_is_removed_by_the_next() {
    let deployment = Deployment::fresh().await;
    let folder = Folder::new();
    let id = deployment.organisation("Saved").await;
    let left = folder.0.join(format!("{}-20260101T000000.000000Z.part", role::name(id)));
    let foreign = folder.0.join(format!("{}1-20260101T000000.000000Z.part", role::name(id)));
    for file in [&left, &foreign] {
        std::fs::write(file, "half").unwrap();
    }
    let file = deployment.provisioning.backup(id, &folder.0).await.unwrap();
    assert!(file.exists() && foreign.exists() && !left.exists());
}

#[tokio::test]
async fn an_organisation_moves_to_another_database_and_back() {
    let deployment = Deployment::with_placements(&["second"]).await;
    let folder = Folder::new();
    let id = deployment.organisation("Moving").await;
    add_tag(&mut deployment.sign_in(id).await, "luggage").await;
    let changes = "select count(*) from policy_changes where organisation_id = $1";
    let before: i64 = sqlx::query_scalar(changes).bind(id).fetch_one(&deployment.control).await.unwrap();

    deployment.provisioning.move_to(id, "second", &folder.0).await.unwrap();
    let placement: String = sqlx::query_scalar("select placement from organisations where id = $1")
        .bind(id)
        .fetch_one(&deployment.control)
        .await
        .unwrap();
    assert_eq!((placement.as_str(), deployment.state(id).await.as_str()), ("second", "ready"));
    let mut there = deployment.placements.organisation("second", id).unwrap().connect().await.unwrap();
    assert_eq!(tags(&mut there).await, ["luggage"]);
    assert!(!schema_in(&deployment, "default", id).await);
    assert_eq!(folder.files(), 0);
    let after: i64 = sqlx::query_scalar(changes).bind(id).fetch_one(&deployment.control).await.unwrap();
    assert!(after > before);
    drop(there);

    deployment.provisioning.move_to(id, "default", &folder.0).await.unwrap();
    assert_eq!(tags(&mut deployment.sign_in(id).await).await, ["luggage"]);
    assert!(!schema_in(&deployment, "second", id).await);
    assert!(deployment.provisioning.move_to(id, "moon", &folder.0).await.is_err());
}

#[tokio::test]
async fn a_move_that_was_interrupted_can_be_repeated() {
    let deployment = Deployment::with_placements(&["second"]).await;
    let folder = Folder::new();
    let id = deployment.organisation("Moving").await;
    add_tag(&mut deployment.sign_in(id).await, "luggage").await;
    // Died while copying: an old, half copy lies at the target.
    let mut target = deployment.placements.owner("second").unwrap().connect().await.unwrap();
    let schema = role::name(id);
    crate::support::run(
        &mut target,
        format!("create schema {schema}; create table {schema}.tags (id bigint)"),
    )
    .await
    .unwrap();
    deployment.provisioning.move_to(id, "second", &folder.0).await.unwrap();

    // Died after the switch: the old schema lies at the source.
    let mut source = deployment.placements.owner("default").unwrap().connect().await.unwrap();
    crate::support::run(&mut source, format!("create schema {schema}")).await.unwrap();
    deployment.provisioning.move_to(id, "second", &folder.0).await.unwrap();
    assert!(!schema_in(&deployment, "default", id).await);
    let mut there = deployment.placements.organisation("second", id).unwrap().connect().await.unwrap();
    assert_eq!(tags(&mut there).await, ["luggage"]);
}

#[tokio::test]
async fn two_names_of_one_database_are_noticed() {
    let base = Deployment::fresh().await;
    let options = base.placements.owner("default").unwrap();
    let url = options.to_url_lossy().to_string();
    let placements = base.placements.clone().with("alias", &url).unwrap();
    let deployment = Deployment::on(placements, base.clock.clone()).await;
    let folder = Folder::new();
    let id = deployment.organisation("Staying").await;
    let error = deployment.provisioning.move_to(id, "alias", &folder.0).await.unwrap_err();
    assert!(error.description().contains("the same database"), "{error:?}");
    // Moving to where it is clears other placements, but not under another name of the same.
    deployment.provisioning.move_to(id, "default", &folder.0).await.unwrap();
    assert!(tags(&mut deployment.sign_in(id).await).await.is_empty());
}

#[tokio::test]
async fn deletion_takes_two_steps_and_leaves_an_export() {
    let deployment = Deployment::fresh().await;
    let folder = Folder::new();
    let id = deployment.organisation("Short-lived").await;
    let haulier: OrganisationId = sqlx::query_scalar(
        "insert into organisations (name, parent_organisation_id, state) values ('H', $1, 'ready') returning id",
    )
    .bind(id)
    .fetch_one(&deployment.control)
    .await
    .unwrap();
    sqlx::query(
        "insert into users (organisation_id, role_id, haulier_id, email)
         select $1, id, $2, 'driver@example.org' from roles where organisation_id = $1 and name = 'driver'",
    )
    .bind(id)
    .bind(haulier)
    .execute(&deployment.control)
    .await
    .unwrap();
    let mut session = deployment.sign_in(id).await;
    add_tag(&mut session, "kept").await;
    let error = deployment.provisioning.purge(id, &folder.0).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Conflict);

    deployment.provisioning.mark_deleted(id).await.unwrap();
    assert_eq!(deployment.state(id).await, "deleting");
    assert!(sqlx::query("select 1").execute(&mut session).await.is_err());
    assert!(deployment.organisation_options(id).connect().await.is_err());
    assert_eq!(deployment.provisioning.advance(id).await.unwrap_err().kind(), Kind::Conflict);

    // The name is free again, so undoing needs it back.
    let namesake = deployment.organisation("short-LIVED").await;
    assert_eq!(deployment.provisioning.undelete(id).await.unwrap_err().kind(), Kind::Conflict);
    deployment.provisioning.mark_deleted(namesake).await.unwrap();
    deployment.provisioning.undelete(id).await.unwrap();
    assert_eq!(tags(&mut deployment.sign_in(id).await).await, ["kept"]);

    deployment.provisioning.mark_deleted(id).await.unwrap();
    let export = deployment.provisioning.purge(id, &folder.0).await.unwrap().unwrap();
    assert!(std::fs::metadata(&export).unwrap().len() > 1000);
    assert!(!schema_in(&deployment, "default", id).await);
    let (roles, rows): (i64, i64) = sqlx::query_as(
        "select (select count(*) from pg_roles where rolname = $1),
             (select count(*) from organisations where id = $2 or parent_organisation_id = $2)",
    )
    .bind(role::name(id))
    .bind(id)
    .fetch_one(&deployment.control)
    .await
    .unwrap();
    assert_eq!((roles, rows), (0, 0));
    assert_eq!(deployment.provisioning.purge(id, &folder.0).await.unwrap_err().kind(), Kind::NotFound);
}

#[tokio::test]
async fn nothing_is_removed_when_the_export_fails() {
    let deployment = Deployment::fresh().await;
    let new = NewOrganisation::named("Kept", chrono_tz::UTC);
    let id = deployment.provisioning.create_organisation(&new).await.unwrap();
    deployment.provisioning.mark_deleted(id).await.unwrap();
    let nowhere = std::env::temp_dir().join(routewright_core::token::random(20));
    deployment.provisioning.purge(id, &nowhere).await.unwrap_err();
    assert!(schema_in(&deployment, "default", id).await);
    assert_eq!(deployment.state(id).await, "deleting");
}
