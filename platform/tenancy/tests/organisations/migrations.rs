//! Migrating many organisations.

use futures_util::future::join_all;
use routewright_core::OrganisationId;
use routewright_tenancy::migration::{
    Outcome, current_version, migrate_all, migrate_control, migrate_organisation, versions,
};
use routewright_tenancy::role;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};

use crate::support::Deployment;

/// An organisation as a release before the first would have left it: in use, with an empty schema.
async fn old(deployment: &Deployment, name: &str, conflicting_table: Option<&str>) -> OrganisationId {
    let id = deployment.inserted(name).await;
    for _ in 0..2 {
        deployment.provisioning.advance_once(id).await.unwrap();
    }
    if let Some(table) = conflicting_table {
        run(deployment, format!("create table {}.{table} (id bigint)", role::name(id))).await;
    }
    run(deployment, format!("update organisations set state = 'ready' where id = {id}")).await;
    id
}

async fn run(deployment: &Deployment, statement: String) {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&deployment.control).await.unwrap();
}

#[tokio::test]
async fn control_is_migrated_by_several_processes_at_once_and_again() {
    let placements = routewright_tenancy::placement::Placements::new(
        &crate::support::empty_database().await,
        crate::support::master_key(),
    )
    .unwrap();
    let owner = placements.owner("default").unwrap();
    let answers = join_all((0..4).map(|_| migrate_control(&owner))).await;
    let versions: Vec<i64> = answers.into_iter().map(|answer| answer.unwrap()).collect();
    assert!(versions.iter().all(|version| *version == versions[0] && *version >= 6), "{versions:?}");
}

#[tokio::test]
async fn twenty_organisations_are_migrated_and_one_that_fails_does_not_stop_the_rest() {
    let deployment = Deployment::fresh().await;
    let mut ids = Vec::new();
    for number in 0..20 {
        let conflict = (number == 7).then_some("vehicles");
        ids.push(old(&deployment, &format!("Old {number}"), conflict).await);
    }
    let report = migrate_all(&deployment.control, &deployment.placements, 4).await.unwrap();
    assert_eq!(report.0.len(), 20);
    assert!(!report.succeeded());
    for (id, outcome) in &report.0 {
        match outcome {
            Outcome::Failed(reason) => {
                assert_eq!(*id, ids[7]);
                assert!(reason.contains("vehicles"), "{reason}");
            }
            other => assert_eq!(*other, Outcome::Migrated(current_version())),
        }
    }
    let listed = versions(&deployment.control).await.unwrap();
    for version in &listed {
        if version.id == ids[7] {
            assert_eq!((version.state.as_str(), version.version), ("failed", None));
            assert!(version.error.as_deref().unwrap().contains("vehicles"));
        } else {
            assert_eq!((version.state.as_str(), version.version), ("ready", Some(current_version())));
            assert_eq!(version.error, None);
        }
    }
    // What others hold in memory is out of date for the one that changed its state, and only for that.
    let changed: Vec<OrganisationId> =
        sqlx::query_scalar("select distinct organisation_id from policy_changes")
            .fetch_all(&deployment.control)
            .await
            .unwrap();
    assert_eq!(changed, [ids[7]]);

    // The files before the failing one have stayed; after the repair it goes on from there.
    run(&deployment, format!("drop table {}.vehicles", role::name(ids[7]))).await;
    let report = migrate_all(&deployment.control, &deployment.placements, 4).await.unwrap();
    assert!(report.succeeded(), "{report:?}");
    assert_eq!(deployment.state(ids[7]).await, "ready");
}

#[tokio::test]
async fn a_failing_canary_stops_the_rest() {
    let deployment = Deployment::fresh().await;
    let canary = old(&deployment, "Canary", Some("vehicles")).await;
    let good_canary = old(&deployment, "Good canary", None).await;
    let rest = old(&deployment, "Rest", None).await;
    run(&deployment, format!("update organisations set canary = true where id in ({canary}, {good_canary})"))
        .await;
    let report = migrate_all(&deployment.control, &deployment.placements, 1).await.unwrap();
    assert_eq!(report.0.len(), 3);
    assert!(matches!(&report.0[0], (id, Outcome::Failed(_)) if *id == canary));
    assert_eq!(report.0[1], (good_canary, Outcome::Migrated(current_version())));
    assert_eq!(report.0[2], (rest, Outcome::Skipped));
    // Those that were left alone work on with the previous version.
    assert_eq!(deployment.state(rest).await, "ready");
    assert_eq!(deployment.state(canary).await, "failed");
}

#[tokio::test]
async fn two_operators_migrate_at_once() {
    let deployment = Deployment::fresh().await;
    for number in 0..6 {
        old(&deployment, &format!("Old {number}"), None).await;
    }
    let other = deployment.another_process().await;
    let (one, two) = tokio::join!(
        migrate_all(&deployment.control, &deployment.placements, 3),
        migrate_all(&other.control, &other.placements, 3)
    );
    assert!(one.unwrap().succeeded());
    assert!(two.unwrap().succeeded());
}

/// W-083: what the audit trail keeps in its journal is made entries before a migration can change their table.
#[tokio::test]
async fn the_journal_of_the_trail_is_unfolded_first() {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Bulky").await;
    let mut own = deployment.sign_in(id).await;
    let tags = "insert into tags (name) select 'Tag ' || n from generate_series(1, 200) n";
    sqlx::query(tags).execute(&mut own).await.unwrap();
    run(&deployment, another_mark(id)).await;
    assert!(migrate_all(&deployment.control, &deployment.placements, 1).await.unwrap().succeeded());
    let left: (i64, i64) = sqlx::query_as(
        "select (select count(*) from audit_journal), (select count(*) from audit_entries where kind = 'tag')",
    )
    .fetch_one(&mut own)
    .await
    .unwrap();
    assert_eq!(left, (0, 200));
}

#[tokio::test]
async fn a_schema_that_is_ahead_of_the_program_is_left_as_it_is() {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Ahead").await;
    let statement = format!(
        "insert into {}._sqlx_migrations (version, description, success, checksum, execution_time)
         values (9000, 'from the next release', true, '\\x00', 1)",
        role::name(id)
    );
    run(&deployment, statement).await;
    run(&deployment, another_mark(id)).await;
    let report = migrate_all(&deployment.control, &deployment.placements, 2).await.unwrap();
    assert_eq!(report.0, [(id, Outcome::Migrated(9000))]);
}

/// The mark of a program with other files or other rights.
fn another_mark(id: OrganisationId) -> String {
    format!("comment on schema {} is 'Routewright schema of another release'", role::name(id))
}

#[tokio::test]
async fn what_is_up_to_date_is_left_alone_and_an_operator_renews_it_all_the_same() {
    let deployment = Deployment::fresh().await;
    let id = deployment.organisation("Current").await;
    let revoke = format!("revoke select on {0}.jobs from {0}", role::name(id));
    run(&deployment, revoke).await;
    // Whoever wanted to migrate it would have to wait for this lock.
    let mut busy = deployment.placements.owner("default").unwrap().connect().await.unwrap();
    sqlx::query("select pg_advisory_lock(hashtextextended($1, 0))")
        .bind(format!("routewright {}", role::name(id)))
        .execute(&mut busy)
        .await
        .unwrap();
    let report = migrate_all(&deployment.control, &deployment.placements, 2).await.unwrap();
    assert_eq!(report.0, [(id, Outcome::Migrated(current_version()))]);
    assert!(!may_read_jobs(&deployment, id).await);
    busy.close().await.unwrap();

    let outcome = migrate_organisation(&deployment.control, &deployment.placements, id).await.unwrap();
    assert_eq!(outcome, Outcome::Migrated(current_version()));
    assert!(may_read_jobs(&deployment, id).await);
}

#[tokio::test]
async fn neither_the_record_nor_the_mark_alone_passes_for_up_to_date() {
    let deployment = Deployment::fresh().await;
    // The record says so, but the schema came back from a time before its tables.
    let emptied = old(&deployment, "Emptied", None).await;
    let current = current_version();
    run(&deployment, format!("update organisations set schema_version = {current} where id = {emptied}"))
        .await;
    // The files are all there, but another release gave other rights.
    let other_rights = deployment.organisation("Other rights").await;
    run(&deployment, format!("revoke select on {0}.jobs from {0}", role::name(other_rights))).await;
    run(&deployment, another_mark(other_rights)).await;
    // Stopped after the last file and before the record.
    let unrecorded = deployment.organisation("Unrecorded").await;
    run(&deployment, format!("update organisations set schema_version = null where id = {unrecorded}")).await;
    // Failed at something that has been repaired since.
    let failed = deployment.organisation("Failed").await;
    let statement = format!(
        "update organisations set state = 'failed', schema_error = 'no connection' where id = {failed}"
    );
    run(&deployment, statement).await;

    let report = migrate_all(&deployment.control, &deployment.placements, 2).await.unwrap();
    assert!(report.succeeded() && report.0.len() == 4, "{report:?}");
    for standing in versions(&deployment.control).await.unwrap() {
        assert_eq!(
            (standing.state.as_str(), standing.version, standing.error),
            ("ready", Some(current), None)
        );
        assert!(may_read_jobs(&deployment, standing.id).await, "{}", standing.name);
    }
}

#[tokio::test]
async fn a_database_that_does_not_answer_fails_its_own_organisations_only() {
    let deployment = Deployment::fresh().await;
    let here = deployment.organisation("Here").await;
    let away = deployment.inserted("Away").await;
    let statement = format!(
        "update organisations set state = 'ready', placement = 'gone', schema_version = {} where id = {away}",
        current_version()
    );
    run(&deployment, statement).await;
    let server = crate::support::server();
    let (address, _) = server.rsplit_once('/').unwrap();
    let placements = deployment.placements.clone().with("gone", &format!("{address}/not_there")).unwrap();
    let report = migrate_all(&deployment.control, &placements, 2).await.unwrap();
    assert_eq!(report.0[0], (here, Outcome::Migrated(current_version())));
    assert!(matches!(&report.0[1], (id, Outcome::Failed(_)) if *id == away), "{report:?}");
    assert_eq!(deployment.state(away).await, "failed");
}

async fn may_read_jobs(deployment: &Deployment, id: OrganisationId) -> bool {
    let mut session = deployment.sign_in(id).await;
    sqlx::query("select id from jobs").fetch_optional(&mut session).await.is_ok()
}

#[tokio::test]
async fn organisations_that_are_being_made_or_deleted_are_not_migrated() {
    let deployment = Deployment::fresh().await;
    deployment.inserted("New").await;
    let gone = deployment.organisation("Gone").await;
    deployment.provisioning.mark_deleted(gone).await.unwrap();
    let report = migrate_all(&deployment.control, &deployment.placements, 2).await.unwrap();
    assert!(report.0.is_empty(), "{report:?}");
}
