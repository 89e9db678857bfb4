//! Search of containers.

use routewright_core::Result;
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_tenancy::{Db, Resource};

use crate::orders::containers::Container;

pub(super) const SHAPE: Shape = Shape {
    filters: &[
        Filter::text("uid", "c.uid"),
        Filter::id("container_id", "c.id"),
        Filter::among(
            "job_id",
            "exists (select from units fu where fu.container_id = c.id and fu.job_id = any({}))",
        ),
        Filter::among(
            "scenario_id",
            "exists (select from units fu join jobs fj on fj.id = fu.job_id
                where fu.container_id = c.id and fj.scenario_id = any({}))",
        ),
        Filter::among(
            "driver_id",
            "exists (select from units fu join jobs fj on fj.id = fu.job_id join runs fr on fr.id = fj.run_id
                where fu.container_id = c.id and fr.driver_id = any({}))",
        ),
        // Of the jobs' days the latest counts.
        Filter::date(
            "scheduled_date",
            "(select max(fs.scheduled_date) from units fu join jobs fj on fj.id = fu.job_id
                join scenarios fs on fs.id = fj.scenario_id where fu.container_id = c.id)",
        ),
    ],
    search: &[
        "c.uid",
        "(select string_agg(concat_ws(' ', fu.uid, fu.name, fj.uid, fj.customer_name, fj.address), ' ')
            from units fu left join jobs fj on fj.id = fu.job_id where fu.container_id = c.id)",
    ],
    sort: &[("id", "c.id"), ("uid", "lower(c.uid)"), ("created", "c.created")],
    order: "c.id desc",
};

/// `GET /search/containers`.
pub(super) async fn search(mut db: Db, query: ListQuery) -> Result<Listed<Container>> {
    let caller = db.caller().clone();
    list::page(&mut db, Container::COLUMNS, Container::FROM, query, &SHAPE, |conditions| {
        Container::narrow(&caller, conditions);
    })
    .await
}
