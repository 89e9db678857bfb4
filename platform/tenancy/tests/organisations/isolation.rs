//! What an organisation's login can and cannot do.

use routewright_core::OrganisationId;
use routewright_core::config::MasterKey;
use routewright_tenancy::migration::create_directory_login;
use routewright_tenancy::placement::Placements;
use routewright_tenancy::role;
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection};

use crate::support::{Deployment, master_key, server};

/// The SQLSTATE that a statement is refused with, or `ok`.
async fn answer(connection: &mut PgConnection, statement: &str) -> String {
    match sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(connection).await {
        Ok(_) => "ok".to_owned(),
        Err(sqlx::Error::Database(error)) => error.code().unwrap_or_default().into_owned(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn an_organisation_works_in_its_own_schema() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let mut connection = deployment.sign_in(own).await;
    let (user, schema): (String, String) =
        sqlx::query_as("select current_user::text, current_schema()::text")
            .fetch_one(&mut connection)
            .await
            .unwrap();
    assert_eq!((user, schema), (role::name(own), role::name(own)));
    for statement in [
        "insert into tags (name) values ('fragile')",
        "update tags set color = '#ff0000'",
        "select name from tags",
        "delete from tags",
    ] {
        assert_eq!(answer(&mut connection, statement).await, "ok", "{statement}");
    }
    for (setting, value) in [("statement_timeout", "30s"), ("idle_in_transaction_session_timeout", "1min")] {
        let found: String = sqlx::query_scalar("select current_setting($1)")
            .bind(setting)
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(found, value, "{setting}");
    }
}

/// V-27: no large objects, no locks that others could wait for, and no look at what others do, where a superuser has closed the
/// database; what a login needs of the catalogue stays.
#[tokio::test]
async fn v_27_an_organisation_harms_and_watches_nobody() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let mut connection = deployment.sign_in(own).await;
    for statement in [
        "select lo_create(0)",
        "select lo_creat(-1)",
        "select lo_from_bytea(0, 'much')",
        "select pg_advisory_lock(1)",
        "select pg_try_advisory_xact_lock(1)",
        "select pg_advisory_lock_shared(1, 2)",
        "select * from pg_stat_activity",
        "select * from pg_stat_user_tables",
        "select * from pg_stat_database",
        "select pg_stat_get_live_tuples(1259)",
        "select rolname from pg_roles",
        "select usename from pg_user",
        "select * from pg_locks",
        "select reltuples from pg_class",
        "select pg_total_relation_size(1259)",
    ] {
        assert_eq!(answer(&mut connection, statement).await, "42501", "{statement}");
    }
    for statement in [
        "select relname, relkind from pg_class",
        "select to_regclass('jobs')",
        "select count(*) from information_schema.tables",
        "lock table import_mappings in share update exclusive mode",
    ] {
        let found = answer(&mut connection, &format!("begin; {statement}; commit")).await;
        assert_eq!(found, "ok", "{statement}");
    }
}

#[tokio::test]
async fn an_organisation_reaches_nothing_outside_its_schema() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let other = deployment.organisation("Other").await;
    let mut owner = deployment.placements.owner("default").unwrap().connect().await.unwrap();
    crate::support::run(&mut owner, "create table public.notes (text text)".to_owned()).await.unwrap();
    let owner_name = deployment.placements.owner("default").unwrap().get_username().to_owned();
    let (own, other) = (role::name(own), role::name(other));
    let mut connection = deployment.sign_in(deployment_id(&own)).await;
    let refused = [
        // other schemas, named or by a changed search path
        ("select id from control.organisations".to_owned(), "42501"),
        ("select email from control.users".to_owned(), "42501"),
        (format!("select id from {other}.jobs"), "42501"),
        (format!("insert into {other}.tags (name) values ('x')"), "42501"),
        (format!("set search_path = {other}; select id from scenarios"), "42P01"),
        ("set search_path = control; select id from organisations".to_owned(), "42P01"),
        ("set search_path = public; select text from notes".to_owned(), "42P01"),
        ("select text from public.notes".to_owned(), "42501"),
        // create, alter, drop
        (format!("create table {own}.mine (id bigint)"), "42501"),
        ("create table public.mine (id bigint)".to_owned(), "42501"),
        ("create temporary table mine (id bigint)".to_owned(), "42501"),
        (format!("create view {own}.mine as select 1 as one"), "42501"),
        (format!("create function {own}.mine() returns int language sql as 'select 1'"), "42501"),
        ("create schema mine".to_owned(), "42501"),
        ("create role mine".to_owned(), "42501"),
        ("create database mine".to_owned(), "42501"),
        (format!("alter table {own}.tags add column more text"), "42501"),
        (format!("alter table {own}.tags disable trigger all"), "42501"),
        (format!("create index on {own}.tags (color)"), "42501"),
        (format!("drop table {own}.tags"), "42501"),
        (format!("truncate {own}.tags"), "42501"),
        (format!("drop schema {own} cascade"), "42501"),
        // becoming somebody else
        (format!("set role {other}"), "42501"),
        (format!("set role {owner_name}"), "42501"),
        (format!("set session authorization {other}"), "42501"),
        (format!("grant {owner_name} to {own}"), "42501"),
        (format!("alter role {own} createrole"), "42501"),
        // the record of migrations, password verifiers, the server's files
        (format!("delete from {own}._sqlx_migrations"), "42501"),
        (format!("select version from {own}._sqlx_migrations"), "42501"),
        ("select rolpassword from pg_authid".to_owned(), "42501"),
        ("select pg_read_file('PG_VERSION')".to_owned(), "42501"),
        ("copy (select 1) to program 'true'".to_owned(), "42501"),
    ];
    for (statement, code) in refused {
        let found = answer(&mut connection, &statement).await;
        assert!(found == code || (code == "42P01" && found == "42501"), "{statement}: {found}, not {code}");
        // raw_sql leaves a changed search path behind when the second statement fails outside a transaction.
        answer(&mut connection, "reset search_path").await;
    }
    // Granting what one may not grant is only a warning; it must have no effect.
    answer(&mut connection, &format!("grant select on {own}.tags to {other}")).await;
    let passed_on: bool = sqlx::query_scalar("select has_table_privilege($1, $2, 'select')")
        .bind(&other)
        .bind(format!("{own}.tags"))
        .fetch_one(&mut owner)
        .await
        .unwrap();
    assert!(!passed_on);
    // `reset role` and `set role none` are allowed and change nothing.
    answer(&mut connection, "reset role; reset session authorization").await;
    let user: String =
        sqlx::query_scalar("select current_user::text").fetch_one(&mut connection).await.unwrap();
    assert_eq!(user, own);
}

fn deployment_id(role: &str) -> OrganisationId {
    role.strip_prefix("org_").unwrap().parse().unwrap()
}

#[tokio::test]
async fn tables_of_later_migrations_are_open_to_the_organisation_and_to_nobody_else() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let other = deployment.organisation("Other").await;
    let mut owner = deployment.placements.connect_owner("default", own).await.unwrap();
    let table = "create table later (id bigint generated always as identity primary key, serial bigserial)";
    crate::support::run(&mut owner, table.to_owned()).await.unwrap();
    let mut own_login = deployment.sign_in(own).await;
    assert_eq!(answer(&mut own_login, "insert into later default values").await, "ok");
    let mut other_login = deployment.sign_in(other).await;
    let statement = format!("select id from {}.later", role::name(own));
    assert_eq!(answer(&mut other_login, &statement).await, "42501");
}

#[tokio::test]
async fn a_role_has_no_powers_and_no_memberships() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let (powers, limit, memberships, owned): (bool, i32, i64, i64) = sqlx::query_as(
        "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls or rolinherit,
             rolconnlimit,
             (select count(*) from pg_auth_members where member = pg_roles.oid),
             (select count(*) from pg_class where relowner = pg_roles.oid)
         from pg_roles where rolname = $1",
    )
    .bind(role::name(own))
    .fetch_one(&deployment.control)
    .await
    .unwrap();
    assert_eq!((powers, limit, memberships, owned), (false, 50, 0, 0));
}

#[tokio::test]
async fn a_password_opens_its_own_role_only_and_is_never_stored() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let other = deployment.organisation("Other").await;
    let wrong = deployment
        .organisation_options(other)
        .password(role::password(&master_key(), own).unwrap().reveal())
        .connect()
        .await
        .unwrap_err();
    assert!(wrong.to_string().contains("password authentication failed"), "{wrong}");

    let other_key = MasterKey::new("ffffffffffffffffffffffffffffffff".to_owned()).unwrap();
    let elsewhere = Placements::new(&server(), other_key).unwrap();
    assert!(elsewhere.organisation("default", own).unwrap().connect().await.is_err());

    // Nothing in the control schema holds it.
    let password = role::password(&master_key(), own).unwrap();
    let tables: Vec<String> =
        sqlx::query_scalar("select tablename::text from pg_tables where schemaname = 'control'")
            .fetch_all(&deployment.control)
            .await
            .unwrap();
    assert!(tables.len() > 10);
    for table in tables {
        let statement = format!("select count(*) from {table} as r where r::text like '%' || $1 || '%'");
        let found: i64 = sqlx::query_scalar(AssertSqlSafe(statement))
            .bind(password.reveal())
            .fetch_one(&deployment.control)
            .await
            .unwrap();
        assert_eq!(found, 0, "{table}");
    }
}

/// What Postgres keeps is the verifier, as it was sent.
#[tokio::test]
async fn postgres_keeps_the_verifier_as_it_was_sent() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    // A verifier made here signs in although Postgres never saw the password: so what it keeps is a verifier.
    let mut owner = deployment.placements.connect_owner("default", own).await.unwrap();
    let verifier = role::verifier("a password of sixteen", [7; 16], 4096).unwrap();
    crate::support::run(&mut owner, format!("alter role {} password '{verifier}'", role::name(own)))
        .await
        .unwrap();
    let options = deployment.organisation_options(own);
    assert!(options.clone().password("a password of sixteen").connect().await.is_ok());
    assert!(options.clone().password(&verifier).connect().await.is_err());
    // Doing the step again brings the derived password back.
    role::ensure(&mut owner, &master_key(), own, 50).await.unwrap();
    assert!(options.connect().await.is_ok());
}

#[tokio::test]
async fn a_role_of_another_deployment_is_not_taken_over() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let mut owner = deployment.placements.connect_owner("default", own).await.unwrap();
    let other_key = MasterKey::new("ffffffffffffffffffffffffffffffff".to_owned()).unwrap();
    let error = role::ensure(&mut owner, &other_key, own, 50).await.unwrap_err();
    assert!(error.causes().unwrap().contains("another deployment"), "{error:?}");
    assert!(deployment.organisation_options(own).connect().await.is_ok());
}

#[tokio::test]
async fn connections_of_one_organisation_are_limited() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let mut owner = deployment.placements.connect_owner("default", own).await.unwrap();
    role::ensure(&mut owner, &master_key(), own, 2).await.unwrap();
    let _one = deployment.sign_in(own).await;
    let _two = deployment.sign_in(own).await;
    let third = deployment.organisation_options(own).connect().await.unwrap_err();
    assert!(third.to_string().contains("too many connections"), "{third}");
}

#[tokio::test]
async fn a_directory_login_reads_the_directory_and_no_secret() {
    let deployment = Deployment::fresh().await;
    let own = deployment.organisation("Own").await;
    let options = deployment.placements.owner("default").unwrap();
    let mut owner = options.connect().await.unwrap();
    let name = format!("tenant_directory_{own}");
    for bad in ["", "Up", "org_5", "pg_x", "a\"b", "a;drop role b", "1a", "routewright_directory"] {
        let error = create_directory_login(&mut owner, bad, "sixteen characters").await.unwrap_err();
        assert_eq!(error.kind(), routewright_core::Kind::BadRequest, "{bad}");
    }
    assert!(create_directory_login(&mut owner, &name, "short").await.is_err());
    let error = create_directory_login(&mut owner, options.get_username(), "sixteen characters").await;
    assert!(error.is_err(), "the owner itself must not become a directory login");
    // Twice: the second call sets a new password.
    create_directory_login(&mut owner, &name, "sixteen characters").await.unwrap();
    create_directory_login(&mut owner, &name, "other 'sixteen' characters").await.unwrap();

    let mut login = options.username(&name).password("other 'sixteen' characters").connect().await.unwrap();
    for statement in [
        "select id, name, timezone, settings, modules, state, schema_error, placement from organisations",
        "select id, organisation_id, name, access_levels from roles",
        "select id, email, role_id, haulier_id, session_epoch, deleted_at from users",
        "select seq, organisation_id, at from policy_changes",
    ] {
        assert_eq!(answer(&mut login, statement).await, "ok", "{statement}");
    }
    // Read only is a courtesy; the rights have to hold without it.
    assert_eq!(answer(&mut login, "delete from users").await, "25006");
    answer(&mut login, "set default_transaction_read_only = off").await;
    for statement in [
        "select password_hash from users".to_owned(),
        "select count(*) from users where password_hash is null".to_owned(),
        "select token_hash from refresh_tokens".to_owned(),
        "select id from background_jobs".to_owned(),
        "update organisations set name = 'x'".to_owned(),
        "create table control.mine (id bigint)".to_owned(),
        format!("select id from {}.jobs", role::name(own)),
        format!("set role {}", role::name(own)),
    ] {
        assert_eq!(answer(&mut login, &statement).await, "42501", "{statement}");
    }
}
