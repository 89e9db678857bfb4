//! Making organisations, and being interrupted at it.

use std::time::Duration;

use chrono::{TimeZone as _, Utc};
use routewright_core::{Clock, Kind, Module, OrganisationId};
use routewright_tenancy::provisioning::{NewAdmin, NewOrganisation, Step};
use routewright_tenancy::role;
use sqlx::AssertSqlSafe;

use crate::support::Deployment;

fn admin(email: &str) -> NewAdmin {
    NewAdmin {
        email: email.to_owned(),
        password_hash: Some("$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA".to_owned()),
        first_name: Some("Ana".to_owned()),
        last_name: None,
        phone_number: None,
        personal_data_consent: true,
    }
}

/// Everything that a finished organisation has, seen through its own login.
async fn assert_complete(deployment: &Deployment, organisation: OrganisationId) {
    assert_eq!(deployment.state(organisation).await, "ready");
    let mut login = deployment.sign_in(organisation).await;
    let (scenarios, reasons): (i64, i64) =
        sqlx::query_as("select (select count(*) from scenarios), (select count(*) from reasons)")
            .fetch_one(&mut login)
            .await
            .unwrap();
    assert_eq!((scenarios, reasons), (1, 7));
    let (roles, policies): (i64, i64) = sqlx::query_as(
        "select (select count(*) from roles where organisation_id = $1),
             (select count(*) from password_policies where organisation_id = $1)",
    )
    .bind(organisation)
    .fetch_one(&deployment.control)
    .await
    .unwrap();
    assert_eq!((roles, policies), (3, 1));
}

/// S-36: what a new organisation starts with.
#[tokio::test]
async fn a_new_organisation_has_roles_policy_scenario_modules_and_admin() {
    // 23:30 in UTC is the next day in Lisbon's summer.
    let clock = Clock::fixed(Utc.with_ymd_and_hms(2026, 7, 24, 23, 30, 0).unwrap());
    let base = Deployment::fresh().await;
    let deployment = Deployment::on(base.placements.clone(), clock).await;
    let mut new = NewOrganisation::named("  Fresh Fish  ", chrono_tz::Europe::Lisbon);
    new.settings.insert("country".to_owned(), "PT".into());
    new.modules.push(Module::Udf);
    new.admin = Some(admin("Ana@example.org"));
    let id = deployment.provisioning.create_organisation(&new).await.unwrap();
    assert_complete(&deployment, id).await;

    let (name, timezone, modules, country, version): (String, String, Vec<String>, String, i64) = sqlx::query_as(
        "select name, timezone, modules, settings ->> 'country', schema_version from organisations where id = $1",
    )
    .bind(id)
    .fetch_one(&deployment.control)
    .await
    .unwrap();
    assert_eq!((name.as_str(), timezone.as_str(), country.as_str()), ("Fresh Fish", "Europe/Lisbon", "PT"));
    assert_eq!(modules, ["units", "returns", "udf"]);
    assert_eq!(version, routewright_tenancy::migration::current_version());

    let roles: Vec<(String, i64, bool)> = sqlx::query_as(
        "select name, cardinality(access_levels)::bigint, built_in from roles where organisation_id = $1 order by id",
    )
    .bind(id)
    .fetch_all(&deployment.control)
    .await
    .unwrap();
    let user_levels = i64::try_from(routewright_core::access::user_levels().len()).unwrap();
    assert_eq!(
        roles,
        [
            ("admin".to_owned(), 65, true),
            ("user".to_owned(), user_levels, true),
            ("driver".to_owned(), 0, true)
        ]
    );
    let (email, role): (String, String) = sqlx::query_as(
        "select email, roles.name from users join roles on roles.id = role_id where users.organisation_id = $1",
    )
    .bind(id)
    .fetch_one(&deployment.control)
    .await
    .unwrap();
    assert_eq!((email.as_str(), role.as_str()), ("Ana@example.org", "admin"));

    let mut login = deployment.sign_in(id).await;
    let (scenario, day, token): (String, chrono::NaiveDate, String) =
        sqlx::query_as("select name, scheduled_date, ws_token from scenarios")
            .fetch_one(&mut login)
            .await
            .unwrap();
    assert_eq!((scenario.as_str(), day.to_string().as_str()), ("Scenario 1", "2026-07-25"));
    assert!(token.starts_with(&format!("{id}.")));
}

#[tokio::test]
async fn names_are_data_whatever_they_contain() {
    let deployment = Deployment::fresh().await;
    for name in [
        "O'Brien & \"Sons\"",
        "x'); drop schema control cascade; --",
        "$$; drop table organisations; $$",
        "名古屋 物流 🚚",
        "org_1",
        "%I %s \\",
    ] {
        let id = deployment.organisation(name).await;
        let stored: String = sqlx::query_scalar("select name from organisations where id = $1")
            .bind(id)
            .fetch_one(&deployment.control)
            .await
            .unwrap();
        assert_eq!(stored, name);
        assert_complete(&deployment, id).await;
    }
}

#[tokio::test]
async fn what_is_wrong_is_named_and_leaves_nothing_behind() {
    let deployment = Deployment::fresh().await;
    let mut taken = NewOrganisation::named("Taken", chrono_tz::UTC);
    taken.admin = Some(admin("taken@example.org"));
    deployment.provisioning.create_organisation(&taken).await.unwrap();

    let named = |name: &str| NewOrganisation::named(name, chrono_tz::UTC);
    let with_admin = |name: &str, email: &str| NewOrganisation { admin: Some(admin(email)), ..named(name) };
    let cases = [
        (named("   "), Kind::BadRequest, "name"),
        (named(&"n".repeat(201)), Kind::BadRequest, "name"),
        (named("nul\0"), Kind::BadRequest, "name"),
        (with_admin("A", "nobody"), Kind::BadRequest, "email"),
        (with_admin("A", "a b@example.org"), Kind::BadRequest, "email"),
        (with_admin("A", "a@b@example.org"), Kind::BadRequest, "email"),
        (named("tAKEN"), Kind::Conflict, ""),
        (with_admin("A", "TAKEN@example.org"), Kind::Conflict, ""),
    ];
    for (new, kind, field) in cases {
        let error = deployment.provisioning.create_organisation(&new).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{new:?}: {error:?}");
        assert!(field.is_empty() || error.named_fields().contains_key(field), "{new:?}: {error:?}");
    }
    let elsewhere = NewOrganisation { placement: "moon".to_owned(), ..named("B") };
    assert!(deployment.provisioning.create_organisation(&elsewhere).await.is_err());
    let count: i64 = sqlx::query_scalar("select count(*) from organisations")
        .fetch_one(&deployment.control)
        .await
        .unwrap();
    assert_eq!(count, 1);
}

/// A process that dies after a step's effect and before its record: the step is done again by the next one.
#[tokio::test]
async fn killed_after_any_step_the_next_process_finishes() {
    let deployment = Deployment::fresh().await;
    for (number, last) in Step::ALL.into_iter().enumerate() {
        for recorded in [true, false] {
            let id = deployment.inserted(&format!("Killed {number} {recorded}")).await;
            for expected in Step::ALL.into_iter().take(number + 1) {
                assert_eq!(deployment.provisioning.advance_once(id).await.unwrap(), Some(expected));
            }
            if !recorded {
                sqlx::query("delete from provisioning_steps where organisation_id = $1 and step = $2")
                    .bind(id)
                    .bind(last.key())
                    .execute(&deployment.control)
                    .await
                    .unwrap();
            }
            deployment.another_process().await.provisioning.advance(id).await.unwrap();
            assert_complete(&deployment, id).await;
            assert_eq!(deployment.provisioning.advance_once(id).await.unwrap(), None);
        }
    }
}

/// The same at arbitrary moments: the work is dropped in the middle of a statement, as by a crash.
#[tokio::test]
async fn killed_at_any_moment_the_next_process_finishes() {
    let deployment = Deployment::fresh().await;
    for number in 0..12_u64 {
        let id = deployment.inserted(&format!("Dropped {number}")).await;
        let process = deployment.another_process().await;
        let task = tokio::spawn(async move { process.provisioning.advance(id).await });
        tokio::time::sleep(Duration::from_millis(15 * number)).await;
        task.abort();
        let left = deployment.another_process().await.provisioning.advance_all().await.unwrap();
        assert!(left.is_empty(), "{left:?}");
        assert_complete(&deployment, id).await;
    }
}

#[tokio::test]
async fn two_processes_provision_the_same_organisation_at_once() {
    let deployment = Deployment::fresh().await;
    let id = deployment.inserted("Twice").await;
    let (one, two) = (deployment.another_process().await, deployment.another_process().await);
    let (first, second, third) = tokio::join!(
        one.provisioning.advance(id),
        two.provisioning.advance(id),
        two.provisioning.advance(id)
    );
    first.unwrap();
    second.unwrap();
    third.unwrap();
    assert_complete(&deployment, id).await;
    // And once more: nothing changes.
    deployment.provisioning.advance(id).await.unwrap();
    assert_complete(&deployment, id).await;
}

#[tokio::test]
async fn a_step_that_fails_is_told_and_can_be_repeated() {
    let deployment = Deployment::fresh().await;
    let id = deployment.inserted("Blocked").await;
    // Somebody made a table of ours by hand.
    let schema = role::name(id);
    let statement = format!("create schema {schema}; create table {schema}.jobs (id bigint)");
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&deployment.control).await.unwrap();
    deployment.provisioning.advance(id).await.unwrap_err();
    let (state, error): (String, String) =
        sqlx::query_as("select state, schema_error from organisations where id = $1")
            .bind(id)
            .fetch_one(&deployment.control)
            .await
            .unwrap();
    assert_eq!(state, "provisioning");
    assert!(error.contains("jobs"), "{error}");
    let left = deployment.provisioning.advance_all().await.unwrap();
    assert_eq!(left.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [id]);

    sqlx::raw_sql(AssertSqlSafe(format!("drop table {schema}.jobs")))
        .execute(&deployment.control)
        .await
        .unwrap();
    deployment.provisioning.advance(id).await.unwrap();
    assert_complete(&deployment, id).await;
}

#[tokio::test]
async fn unknown_organisations_and_hauliers_are_not_provisioned() {
    let deployment = Deployment::fresh().await;
    let parent = deployment.organisation("Parent").await;
    let haulier: OrganisationId = sqlx::query_scalar(
        "insert into organisations (name, parent_organisation_id, state) values ('H', $1, 'ready') returning id",
    )
    .bind(parent)
    .fetch_one(&deployment.control)
    .await
    .unwrap();
    for id in [haulier, OrganisationId::new(9)] {
        let error = deployment.provisioning.advance(id).await.unwrap_err();
        assert_eq!(error.kind(), Kind::NotFound);
    }
}

#[tokio::test]
async fn master_is_made_once_and_gets_an_admin_when_it_has_none() {
    let deployment = Deployment::fresh().await;
    let (one, two) = (deployment.another_process().await, deployment.another_process().await);
    let (first, second) = tokio::join!(
        one.provisioning.ensure_master(chrono_tz::UTC, None),
        two.provisioning.ensure_master(chrono_tz::UTC, None)
    );
    let id = first.unwrap();
    assert_eq!(second.unwrap(), id);
    assert_complete(&deployment, id).await;
    for email in ["root@example.org", "second@example.org"] {
        let again = deployment.provisioning.ensure_master(chrono_tz::UTC, Some(admin(email))).await.unwrap();
        assert_eq!(again, id);
    }
    let users: Vec<String> = sqlx::query_scalar("select email from users where organisation_id = $1")
        .bind(id)
        .fetch_all(&deployment.control)
        .await
        .unwrap();
    assert_eq!(users, ["root@example.org"]);
    let error = deployment.provisioning.mark_deleted(id).await.unwrap_err();
    assert_eq!(error.kind(), Kind::Conflict);
}
