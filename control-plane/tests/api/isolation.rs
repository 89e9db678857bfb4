//! Isolation is the product: an organisation's administrators neither read nor change anything of another organisation.
//! Every route of the table is tried with what another one has.

use routewright_core::access::Who;
use routewright_core::http::routes::Row;
use routewright_testing::calls::{Call, Things, judge};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::{Control, address, control, name};

/// Ids of one of everything that an organisation has on the platform; `word` stands in all its names.
async fn fill(control: &Control, word: &str) -> Things {
    let admin = &control.admin;
    let mut things = Things::new();
    let mut keep = |name: &str, id: Value| {
        assert!(id.is_number(), "{name}");
        things.insert(name.to_owned(), id);
    };
    keep("organisation", json!(control.organisation.id));
    let role = json!({"name": name(word), "access_levels": ["jobs_read"]});
    let role = admin.post("/roles", role).await.ok()["id"].clone();
    keep("role", role.clone());
    keep(
        "spare_role",
        admin.post("/roles", json!({"name": name(word), "access_levels": []})).await.ok()["id"].clone(),
    );
    let haulier = admin.post("/organisations/hauliers", json!({"name": name(word)})).await.ok()["id"].clone();
    keep("haulier", haulier);
    let spare = admin.post("/organisations/hauliers", json!({"name": name(word)})).await.ok()["id"].clone();
    keep("spare_haulier", spare);
    for (what, path) in [("user", "/users"), ("driver_user", "/drivers/users")] {
        let user = json!({"email": format!("{}-{}", word.to_lowercase(), address()), "first_name": word, "last_name": word,
            "password": "Corn-Flower 7", "role_id": role});
        keep(what, admin.post(path, user).await.ok()["id"].clone());
        let gone = json!({"email": address(), "first_name": word, "last_name": word, "password": "Corn-Flower 7",
            "role_id": role});
        let gone = admin.post(path, gone).await.ok()["id"].clone();
        let _ = admin.delete(&format!("{path}/{gone}")).await.ok();
        keep(&format!("deleted_{what}"), gone);
    }
    let policies = admin.get("/password_policy").await.ok();
    keep("password_policy", policies["data"][0]["id"].clone());
    things
}

fn call(method: &str, target: &str) -> Call {
    Call::new(method, target)
}

fn send(method: &str, target: &str, body: &Value) -> Call {
    Call::new(method, target).with(body)
}

/// A valid call of every route that takes an id; an administrator may make all of them for the own organisation.
fn calls() -> Vec<Call> {
    let role = json!({"name": "Other", "access_levels": ["jobs_read"], "organisation_id": "$organisation"});
    let user = json!({"email": "other-of-isolation@example.org", "first_name": "O", "last_name": "P", "password": "Corn-Flower 7",
        "role_id": "$role", "organisation_id": "$organisation"});
    let driver = json!({"email": "driver-of-isolation@example.org", "first_name": "O", "last_name": "P",
        "password": "Corn-Flower 7", "haulier_id": "$haulier"});
    let haulier = json!({"name": "Other", "parent_organisation_id": "$organisation"});
    vec![
        call("GET", "/organisations?id=$organisation"),
        call("GET", "/organisations/$organisation"),
        send("PATCH", "/organisations/$organisation", &json!({"timezone": "Europe/Lisbon"})),
        call("GET", "/organisations/$haulier"),
        send("PATCH", "/organisations/$haulier", &json!({"timezone": "Europe/Lisbon"})),
        call(
            "GET",
            "/organisations/hauliers?id=$haulier&organisation_id=$organisation&parent_organisation_id=$organisation",
        ),
        send("POST", "/organisations/hauliers", &haulier),
        call("GET", "/organisations/hauliers/$haulier"),
        send("PATCH", "/organisations/hauliers/$haulier", &json!({"name": "Another"})),
        send("DELETE", "/organisations/hauliers/bulk", &json!({"ids": ["$spare_haulier"]})),
        call("DELETE", "/organisations/hauliers/$spare_haulier"),
        call("GET", "/roles?id=$role&organisation_id=$organisation"),
        send("POST", "/roles", &role),
        send("PATCH", "/roles/bulk", &json!([{"id": "$role", "access_levels": ["jobs_read"]}])),
        call("GET", "/roles/$role"),
        send("PATCH", "/roles/$role", &json!({"name": "Another", "organisation_id": "$organisation"})),
        send("DELETE", "/roles/bulk", &json!({"ids": ["$spare_role"]})),
        call("DELETE", "/roles/$spare_role"),
        call("GET", "/users?id=$user&organisation_id=$organisation&role_id=$role&haulier_id=$haulier"),
        send("POST", "/users", &user),
        send("PATCH", "/users/bulk", &json!([{"id": "$user", "role_id": "$role", "haulier_id": null}])),
        call("GET", "/users/$user"),
        send("PATCH", "/users/$user", &json!({"role_id": "$role", "organisation_id": "$organisation"})),
        send("PATCH", "/users/$user", &json!({"haulier_id": "$haulier"})),
        send("DELETE", "/users/bulk", &json!({"ids": ["$user"]})),
        call("DELETE", "/users/$user"),
        call("PATCH", "/users/$deleted_user/restore"),
        call("GET", "/drivers/users?id=$driver_user&organisation_id=$organisation&haulier_id=$haulier"),
        send("POST", "/drivers/users", &driver),
        send("PATCH", "/drivers/users/bulk", &json!([{"id": "$driver_user", "haulier_id": "$haulier"}])),
        call("GET", "/drivers/users/$driver_user"),
        send("PATCH", "/drivers/users/$driver_user", &json!({"haulier_id": "$haulier"})),
        send("DELETE", "/drivers/users/bulk", &json!({"ids": ["$driver_user"]})),
        call("DELETE", "/drivers/users/$driver_user"),
        call("PATCH", "/drivers/users/$deleted_driver_user/restore"),
        call("GET", "/password_policy?organisation_id=$organisation"),
        send("PATCH", "/password_policy/bulk", &json!([{"id": "$password_policy", "min_length": 10}])),
        call("GET", "/password_policy/$password_policy"),
        send("PATCH", "/password_policy/$password_policy", &json!({"min_length": 10})),
        call("DELETE", "/password_policy/$password_policy"),
    ]
}

/// Routes that name no row of an organisation, or that only the platform's own people may call (tried below).
fn names_nothing(row: &Row) -> bool {
    let own = [
        "/modules",
        "/timezones",
        "/timezones/settings",
        "/access_levels",
        "/organisations/settings",
        "/users/me",
        "/users/me/email",
        "/auth/user",
        "/auth/logout",
        "/auth/esri_token",
        "/password_policy",
        // The own organisation's one rehearsal: nothing can be named.
        "/auth/rehearsal_token",
        "/rehearsal",
        "/rehearsal/start_again",
    ];
    row.access.who == Who::Public || row.access.master || own.contains(&row.path)
}

/// What the platform holds about an organisation.
async fn digest(control: &Control) -> Vec<String> {
    let mut digest = Vec::new();
    for (table, column) in [
        ("organisations", "id"),
        ("organisations", "parent_organisation_id"),
        ("users", "organisation_id"),
        ("roles", "organisation_id"),
        ("password_policies", "organisation_id"),
    ] {
        let statement = format!(
            "select coalesce(string_agg(t::text, '|' order by t::text), '') from {table} t where {column} = $1"
        );
        let rows: String = sqlx::query_scalar(AssertSqlSafe(statement))
            .bind(control.organisation.id)
            .fetch_one(&control.app.control)
            .await
            .unwrap();
        digest.push(rows);
    }
    digest
}

/// W-032: no route answers that it stored a field that it does not have, on whatever level of its body.
#[tokio::test]
async fn no_route_takes_an_unknown_field() {
    let ours = control().await;
    let own = fill(&ours, "Wombat").await;
    let before = digest(&ours).await;
    let (mut faults, mut tried) = (Vec::new(), 0);
    for call in calls().iter().flat_map(|call| call.with_field("bogus", &[])) {
        let answer = call.make(&ours.admin, &own, None).await;
        let fields = answer.json["fields"].as_object();
        let named = fields.is_some_and(|fields| fields.keys().any(|field| field.ends_with("bogus")));
        tried += 1;
        if answer.status != 400 || !named {
            faults.push(format!("{call:?}: {} {}", answer.status, answer.text()));
        }
    }
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
    assert!(tried > 15, "{tried}");
    assert_eq!(before, digest(&ours).await);
}

/// A-3xx, architecture §9: ids of another organisation in path, query and body are as if they did not exist.
#[tokio::test]
async fn no_route_reaches_another_organisation() {
    let (theirs, ours) = (control().await, control().await);
    let (foreign, own) = (fill(&theirs, "Quokka").await, fill(&ours, "Wombat").await);
    let nowhere: Things =
        own.keys().enumerate().map(|(at, name)| (name.clone(), json!(900_000_000 + at))).collect();
    let table = routewright_control_plane::routes::table().rows();
    let missing: Vec<String> = table
        .iter()
        .filter(|row| !names_nothing(row))
        .filter(|row| {
            !calls().iter().any(|call| call.route(&table).is_some_and(|found| std::ptr::eq(found, *row)))
        })
        .map(|row| format!("{} {}", row.method, row.path))
        .collect();
    assert!(missing.is_empty(), "routes without a call: {missing:#?}");
    let before = (digest(&theirs).await, digest(&ours).await);
    let (mut faults, mut tried) = (Vec::new(), 0);
    for call in calls() {
        let row = call.route(&table).unwrap_or_else(|| panic!("{call:?} is no call of a route"));
        for place in call.places() {
            let answer = call.make(&ours.admin, &own, Some((&place, &foreign))).await;
            let nobodys = call.make(&ours.admin, &own, Some((&place, &nowhere))).await;
            let (thing, nothing) = (&foreign[&place.name], &nowhere[&place.name]);
            tried += 1;
            if let Some(fault) =
                judge(&place, call.deletes_many(), "quokka", (&answer, thing), (&nobodys, nothing))
            {
                faults.push(format!("{} {} with another's {} {fault}", row.method, row.path, place.name));
            }
        }
    }
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
    assert_eq!(before, (digest(&theirs).await, digest(&ours).await), "what was refused changed nothing");
    // The calls are good ones: each is admitted with what the organisation has itself.
    let is_delete = |call: &&Call| call.method == "DELETE";
    let all = calls();
    for call in all.iter().filter(|call| !is_delete(call)).chain(all.iter().rev().filter(is_delete)) {
        let answer = call.make(&ours.admin, &own, None).await;
        let status = answer.status.as_u16();
        assert!(status < 500 && ![401, 403, 404].contains(&status), "{call:?}: {status} {}", answer.text());
    }
    assert_eq!(before.0, digest(&theirs).await);
}

/// What is the platform's own is closed to every organisation's administrator.
#[tokio::test]
async fn the_platforms_routes_are_closed() {
    let control = control().await;
    let table = routewright_control_plane::routes::table().rows();
    let closed: Vec<&Row> = table.iter().filter(|row| row.access.master).collect();
    assert!(closed.len() > 7, "{}", closed.len());
    for row in closed {
        let path = row.path.replace("{id}", &control.organisation.id.to_string());
        let body = (row.method != "GET").then(|| json!({"organisation_id": control.organisation.id}));
        for client in [&control.admin, &control.planner] {
            client.call(row.method.clone(), &path, body.clone()).await.refused(403);
        }
        control.nobody.call(row.method.clone(), &path, body).await.refused(401);
    }
}

/// A-3xx: this list may only shrink. Each of them verifies a password, a provider's answer or a random token of its own.
#[test]
fn few_routes_are_public() {
    let table = routewright_control_plane::routes::table().rows();
    let public = table.iter().filter(|row| row.access.who == Who::Public);
    let public: Vec<String> = public.map(|row| format!("{} {}", row.method, row.path)).collect();
    let known = [
        "POST /users/login",
        "POST /users/register",
        "GET /users/login/from_token",
        "POST /auth/token",
        "POST /auth/refresh_token",
        "GET /auth/providers",
        "GET /auth/oidc/start",
        "GET /auth/oidc/callback",
        "POST /reset-password",
        "PATCH /reset-password",
    ];
    assert!(public.iter().all(|route| known.contains(&route.as_str())), "{public:?}");
}

/// W-083: every route that changes something is on the platform's record, once for each object; what is refused is not.
#[tokio::test]
async fn every_change_is_on_the_record() {
    let control = control().await;
    let ours = fill(&control, "Wombat").await;
    let table = routewright_control_plane::routes::table().rows();
    let mut faults = Vec::new();
    let mut succeeded = 0;
    for call in calls().iter().filter(|call| call.method != "GET") {
        let row = call.route(&table).unwrap();
        let answer = call.make(&control.admin, &ours, None).await;
        let request = answer.headers["x-request-id"].to_str().unwrap().to_owned();
        let rows: Vec<(String, String)> =
            sqlx::query_as("select action, subject from platform_audit where request_id = $1 order by id")
                .bind(request)
                .fetch_all(&control.app.control)
                .await
                .unwrap();
        let fits = if answer.status.as_u16() < 400 {
            succeeded += 1;
            !rows.is_empty() && rows.iter().enumerate().all(|(at, row)| !rows[..at].contains(row))
        } else {
            rows.is_empty()
        };
        if !fits {
            faults.push(format!("{} {}: {} left {rows:?}", row.method, row.path, answer.status));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(succeeded > 15, "{succeeded}");
}
