//! What the platform's record holds about an organisation is copied into the organisation's own audit trail, so that its
//! people find there who signed in, who changed users, roles and settings, and when operators came and went. And the trail is
//! cut where it is older than the organisation keeps it: its own login may not do that.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use routewright_core::{OrganisationId, Result};
use serde_json::{Map, Value};
use sqlx::{Connection as _, FromRow, PgConnection};

use crate::app::App;

/// Pause when nothing waits.
const PAUSE: Duration = Duration::from_secs(1);
/// Time between two cuts.
const CUT_PAUSE: Duration = Duration::from_secs(24 * 3600);
/// Rows that are copied at once.
const AT_ONCE: i64 = 500;

/// How long a trail is kept unless the organisation says otherwise, days.
pub(crate) const KEPT_DAYS: u32 = 1095;

/// How long an organisation keeps its trail, days.
fn kept_days(settings: &Value) -> i64 {
    settings["audit_retention_days"].as_i64().unwrap_or(KEPT_DAYS.into())
}

#[derive(FromRow)]
struct Row {
    id: i64,
    at: DateTime<Utc>,
    user_id: Option<i64>,
    name: Option<String>,
    is_operator: bool,
    target: OrganisationId,
    placement: String,
    action: String,
    subject: String,
    object_name: Option<String>,
    old: Option<Value>,
    new: Option<Value>,
    request_id: Option<String>,
}

/// Copies for the life of the process.
pub(crate) async fn work(app: App) {
    loop {
        match hand_over(&app).await {
            Ok(0) => tokio::time::sleep(PAUSE).await,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(?error, "the record cannot be copied to the organisations");
                tokio::time::sleep(PAUSE * 10).await;
            }
        }
    }
}

/// Cuts old entries for the life of the process.
pub(crate) async fn cut_daily(app: App) {
    loop {
        if let Err(error) = cut(&app).await {
            tracing::warn!(?error, "old entries of audit trails cannot be removed");
        }
        tokio::time::sleep(CUT_PAUSE).await;
    }
}

/// Copies rows that wait into the trails of their organisations; answers how many. A row that was copied before an
/// interruption is not copied twice.
///
/// # Errors
/// Database faults.
pub async fn hand_over(app: &App) -> Result<usize> {
    let mut work = app.begin().await?;
    end_expired_visits(&mut work, app.clock.now(), None).await?;
    work.commit().await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select a.id, a.at, a.user_id,
             coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), split_part(u.email, '@', 1)) as name,
             coalesce(h.is_master and h.id <> t.id, false) as is_operator, t.id as target, t.placement, a.action, a.subject,
             case split_part(a.subject, ':', 1)
                 when 'user' then (select s.email from users s where s.id::text = split_part(a.subject, ':', 2))
                 when 'role' then (select s.name from roles s where s.id::text = split_part(a.subject, ':', 2))
                 when 'organisation' then (select s.name from organisations s where s.id::text = split_part(a.subject, ':', 2))
                 when 'haulier' then (select s.name from organisations s where s.id::text = split_part(a.subject, ':', 2))
             end as object_name, a.old, a.new, a.request_id
         from platform_audit a
             join organisations o on o.id = a.organisation_id
             join organisations t on t.id = coalesce(o.parent_organisation_id, o.id)
             left join users u on u.id = a.user_id
             left join organisations h on h.id = u.organisation_id
         where a.handed_at is null and a.organisation_id is not null and t.state = 'ready'
         order by a.id limit $1",
    )
    .bind(AT_ONCE)
    .fetch_all(&app.control)
    .await?;
    let count = rows.len();
    let mut by_organisation: BTreeMap<(String, i64), Vec<Row>> = BTreeMap::new();
    for row in rows {
        by_organisation.entry((row.placement.clone(), row.target.get())).or_default().push(row);
    }
    let mut handed = 0;
    for ((placement, organisation), rows) in by_organisation {
        match copy(app, &placement, OrganisationId::new(organisation), &rows).await {
            Ok(()) => handed += rows.len(),
            // One organisation's database may be away while the others go on.
            Err(error) => tracing::warn!(organisation, ?error, "an organisation's trail cannot be written"),
        }
    }
    Ok(if handed == 0 { 0 } else { count })
}

async fn copy(app: &App, placement: &str, organisation: OrganisationId, rows: &[Row]) -> Result<()> {
    let mut owner = app.config.placements.connect_owner(placement, organisation).await?;
    for row in rows {
        insert(&mut owner, row).await?;
    }
    owner.close().await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    sqlx::query("update platform_audit set handed_at = now() where id = any($1)")
        .bind(ids)
        .execute(&app.control)
        .await?;
    Ok(())
}

async fn insert(owner: &mut PgConnection, row: &Row) -> Result<()> {
    let (kind, object) = match row.subject.split_once(':') {
        Some((kind, id)) => (kind, id.parse::<i64>().ok()),
        None => (row.subject.as_str(), None),
    };
    let actor = match (row.user_id, row.is_operator) {
        (None, _) => "system",
        (Some(_), true) => "operator",
        (Some(_), false) => "user",
    };
    let change = match row.action.rsplit_once('_').map(|(_, verb)| verb) {
        Some("created") => "created",
        Some("deleted") => "deleted",
        Some("changed") => "changed",
        _ => "done",
    };
    let (before, after) = differences(row.old.as_ref(), row.new.as_ref());
    sqlx::query(
        "insert into audit_entries (at, actor_kind, actor_id, actor_name, action, change, kind, object_id, object_name,
             before, after, request_id, platform_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict (platform_id) where platform_id is not null do nothing",
    )
    .bind(row.at)
    .bind(actor)
    .bind(row.user_id)
    .bind(&row.name)
    .bind(&row.action)
    .bind(change)
    .bind(kind)
    .bind(object)
    .bind(&row.object_name)
    .bind(before)
    .bind(after)
    .bind(&row.request_id)
    .bind(row.id)
    .execute(owner)
    .await?;
    Ok(())
}

/// The fields that differ, before and after.
fn differences(old: Option<&Value>, new: Option<&Value>) -> (Value, Value) {
    let fields = |value: Option<&Value>| match value {
        Some(Value::Object(fields)) => fields.clone(),
        Some(Value::Null) | None => Map::new(),
        Some(other) => Map::from_iter([("value".to_owned(), other.clone())]),
    };
    let (old, new) = (fields(old), fields(new));
    let other = |fields: &Map<String, Value>, others: &Map<String, Value>| -> Value {
        let differing = fields.iter().filter(|(key, value)| others.get(*key) != Some(*value));
        Value::Object(differing.map(|(key, value)| (key.clone(), value.clone())).collect())
    };
    (other(&old, &new), other(&new, &old))
}

/// Removes entries that are older than their organisation keeps them.
///
/// # Errors
/// When the control schema cannot be read.
pub async fn cut(app: &App) -> Result<()> {
    let organisations: Vec<(OrganisationId, String, Value)> = sqlx::query_as(
        "select id, placement, settings from organisations
         where parent_organisation_id is null and state = 'ready' order by id",
    )
    .fetch_all(&app.control)
    .await?;
    for (organisation, placement, settings) in organisations {
        let before = app.clock.now() - TimeDelta::days(kept_days(&settings));
        if let Err(error) = cut_one(app, &placement, organisation, before).await {
            tracing::warn!(%organisation, ?error, "old entries of an audit trail cannot be removed");
        }
    }
    Ok(())
}

async fn cut_one(
    app: &App,
    placement: &str,
    organisation: OrganisationId,
    before: DateTime<Utc>,
) -> Result<()> {
    let mut owner = app.config.placements.connect_owner(placement, organisation).await?;
    sqlx::query("select audit_unfold()").execute(&mut owner).await?;
    sqlx::query("delete from audit_entries where at < $1").bind(before).execute(&mut owner).await?;
    owner.close().await?;
    Ok(())
}

/// Ends visits whose last token has expired; of everybody, or of one user in one organisation.
///
/// # Errors
/// Database faults.
pub(crate) async fn end_expired_visits(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
    only: Option<(i64, OrganisationId)>,
) -> Result<()> {
    sqlx::query(
        "with ended as (
             update operator_visits set left_at = until_at
             where left_at is null and until_at < $1
                 and ($2::bigint is null or user_id = $2 and organisation_id = $3)
             returning user_id, organisation_id, until_at
         )
         insert into platform_audit (at, user_id, organisation_id, action, subject)
         select until_at, user_id, organisation_id, 'organisation_left', 'organisation:' || organisation_id from ended",
    )
    .bind(now)
    .bind(only.map(|(user, _)| user))
    .bind(only.map(|(_, organisation)| organisation))
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_differs_is_told() {
        let (old, new) = (json!({"name": "A", "level": 1}), json!({"name": "B", "level": 1, "more": true}));
        let told = differences(Some(&old), Some(&new));
        assert_eq!(told, (json!({"name": "A"}), json!({"name": "B", "more": true})));
        assert_eq!(differences(None, None), (json!({}), json!({})));
    }
}
