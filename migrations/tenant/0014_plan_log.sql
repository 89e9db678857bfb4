-- Versions of plans. Whatever a transaction changes of what a plan shows is noted by statement and becomes, when it
-- commits, one step: the scenario's next version, a row of the log and an event. So versions have no gaps, are in the
-- order of the commits, and nothing that writes can forget them.

-- A table of its own and locked last: who changes a job and who holds a plan never wait for each other because of it.
-- It outlives its scenario, whose end is a step too.
create table plan_versions (
    scenario_id bigint primary key,
    version bigint not null default 0
);

insert into plan_versions (scenario_id, version) select id, version from scenarios;

-- user_id: a user; run_id: the driver of this run; action: the route or job that did it.
-- *_placed: inserted, moved in, or another place in the sequence (jobs_from: the run on which each was); *_edited: fields
-- that people write (which: *_fields); *_shown: only what is computed or hangs on it (times, proofs, tags, units);
-- *_removed: deleted or gone to another scenario or the pool; items: units, returns; scenario: the scenario's own row.
create table plan_log (
    scenario_id bigint not null,
    version bigint not null,
    at timestamptz not null default clock_timestamp(),
    user_id bigint,
    run_id bigint,
    action text,
    jobs_placed bigint[] not null default '{}',
    jobs_from bigint[] not null default '{}',
    jobs_edited bigint[] not null default '{}',
    job_fields text[] not null default '{}',
    jobs_shown bigint[] not null default '{}',
    jobs_removed bigint[] not null default '{}',
    runs_placed bigint[] not null default '{}',
    runs_edited bigint[] not null default '{}',
    run_fields text[] not null default '{}',
    runs_shown bigint[] not null default '{}',
    runs_removed bigint[] not null default '{}',
    items boolean not null default false,
    scenario boolean not null default false,
    primary key (scenario_id, version)
);

create index plan_log_at_idx on plan_log (at);

-- What the running transactions changed so far. Empty for everybody else, and nothing is lost with it.
create unlogged table plan_touched (
    id bigint generated always as identity,
    transaction xid8 not null default pg_current_xact_id(),
    scenario_id bigint not null,
    kind text not null,
    ids bigint[] not null default '{}',
    was_on bigint[] not null default '{}',
    fields text[] not null default '{}'
);

create index plan_touched_transaction_idx on plan_touched (transaction);

-- What is written without being changed stays unmodified.
drop trigger touch_modified on jobs;
create trigger touch_modified before update on jobs
    for each row when (old.* is distinct from new.*) execute function touch_modified();
drop trigger touch_modified on runs;
create trigger touch_modified before update on runs
    for each row when (old.* is distinct from new.*) execute function touch_modified();

create function jobs_touched() returns trigger
    language plpgsql
as $$
begin
    if tg_op = 'INSERT' then
        insert into plan_touched (scenario_id, kind, ids, was_on)
        select scenario_id, 'jobs_placed', array_agg(id), array_agg(null::bigint)
        from new_rows where scenario_id is not null group by scenario_id;
        insert into plan_touched (scenario_id, kind, ids)
        select scenario_id, 'runs_placed', array_agg(distinct run_id)
        from new_rows where run_id is not null group by scenario_id;
    elsif tg_op = 'DELETE' then
        insert into plan_touched (scenario_id, kind, ids)
        select scenario_id, 'jobs_removed', array_agg(id)
        from old_rows where scenario_id is not null group by scenario_id;
        insert into plan_touched (scenario_id, kind, ids)
        select scenario_id, 'runs_placed', array_agg(distinct run_id)
        from old_rows where run_id is not null group by scenario_id;
    else
        insert into plan_touched (scenario_id, kind, ids, was_on, fields)
        with changed as materialized (
            select n.id, o.scenario_id as was_in, n.scenario_id as is_in, o.run_id as was_on, n.run_id as is_on,
                o.scenario_id is distinct from n.scenario_id or o.run_id is distinct from n.run_id
                    or o.seq is distinct from n.seq as placed,
                array_remove(array[
                    case when o.uid <> n.uid then 'uid' end,
                    case when o.address <> n.address or o.lat <> n.lat or o.lon <> n.lon then 'location' end,
                    case when o.client_id is distinct from n.client_id then 'client_id' end,
                    case when o.customer_name is distinct from n.customer_name then 'customer_name' end,
                    case when o.customer_email is distinct from n.customer_email then 'customer_email' end,
                    case when o.phone_number is distinct from n.phone_number then 'phone_number' end,
                    case when o.duration <> n.duration then 'duration' end,
                    case when o.arrive_after is distinct from n.arrive_after then 'arrive_after' end,
                    case when o.leave_by is distinct from n.leave_by then 'leave_by' end,
                    case when o.size is distinct from n.size then 'size' end,
                    case when o.spec_type is distinct from n.spec_type then 'spec_type' end,
                    case when o.priority <> n.priority then 'priority' end,
                    case when o.colour <> n.colour then 'colour' end,
                    case when o.comments is distinct from n.comments then 'comments' end,
                    case when o.consignee_info is distinct from n.consignee_info then 'consignee_info' end,
                    case when o.consignor_info is distinct from n.consignor_info then 'consignor_info' end,
                    case when o.external_comments is distinct from n.external_comments then 'external_comments' end,
                    case when o.dock_location is distinct from n.dock_location then 'dock_location' end,
                    case when o.invoice is distinct from n.invoice then 'invoice' end,
                    case when o.reference is distinct from n.reference then 'reference' end,
                    case when o.pickup_from is distinct from n.pickup_from then 'pickup_from' end,
                    case when o.deliver_to is distinct from n.deliver_to then 'deliver_to' end,
                    case when o.idm <> n.idm then 'idm' end,
                    case when o.extra_fields <> n.extra_fields then 'extra_fields' end
                ], null) as fields
            from old_rows o join new_rows n on n.id = o.id
            where num_nonnulls(o.scenario_id, n.scenario_id) > 0 and o.* is distinct from n.*
        )
        select was_in, 'jobs_removed', array_agg(id), '{}'::bigint[], '{}'::text[]
        from changed where was_in is distinct from is_in and was_in is not null group by was_in
        union all
        select is_in, 'jobs_placed', array_agg(id order by id),
            array_agg(case when was_in = is_in then was_on end order by id), '{}'
        from changed where placed and is_in is not null group by is_in
        union all
        select c.is_in, 'jobs_edited', array_agg(c.id), '{}',
            (select array_agg(distinct field) from changed f, unnest(f.fields) as field where f.is_in = c.is_in)
        from changed c where c.fields <> '{}' and c.is_in is not null group by c.is_in
        union all
        select is_in, 'jobs_shown', array_agg(id), '{}', '{}'
        from changed where not placed and fields = '{}' and is_in is not null group by is_in
        union all
        select in_scenario, 'runs_placed', array_agg(distinct on_run), '{}', '{}'
        from changed, lateral (values (was_in, was_on), (is_in, is_on)) as place (in_scenario, on_run)
        where placed and on_run is not null group by in_scenario;
    end if;
    return null;
end
$$;

create function runs_touched() returns trigger
    language plpgsql
as $$
begin
    if tg_op = 'INSERT' then
        insert into plan_touched (scenario_id, kind, ids)
        select scenario_id, 'runs_placed', array_agg(id) from new_rows group by scenario_id;
    elsif tg_op = 'DELETE' then
        insert into plan_touched (scenario_id, kind, ids)
        select scenario_id, 'runs_removed', array_agg(id) from old_rows group by scenario_id;
    else
        insert into plan_touched (scenario_id, kind, ids, fields)
        with changed as materialized (
            select n.id, n.scenario_id,
                array_remove(array[
                    case when o.uid <> n.uid then 'uid' end,
                    case when o.driver_user_id is distinct from n.driver_user_id then 'driver_user_id' end,
                    case when o.vehicle_id is distinct from n.vehicle_id then 'vehicle_id' end,
                    case when o.billing_rate_id is distinct from n.billing_rate_id then 'billing_rate_id' end,
                    case when (o.start_address, o.start_lat, o.start_lon)
                        is distinct from (n.start_address, n.start_lat, n.start_lon) then 'start_location' end,
                    case when (o.end_address, o.end_lat, o.end_lon)
                        is distinct from (n.end_address, n.end_lat, n.end_lon) then 'end_location' end,
                    case when o.route_end <> n.route_end then 'route_end' end,
                    case when o.preferred_method <> n.preferred_method then 'preferred_method' end,
                    case when o.route_colour <> n.route_colour then 'route_colour' end,
                    case when o.capacity <> n.capacity then 'capacity' end,
                    case when o.alternatives_group is distinct from n.alternatives_group then 'alternatives_group' end,
                    case when o.email is distinct from n.email then 'email' end,
                    case when o.phone_number is distinct from n.phone_number then 'phone_number' end,
                    case when o.spec_type is distinct from n.spec_type then 'spec_type' end,
                    case when o.shift_start <> n.shift_start then 'shift_start' end,
                    case when o.shift_end <> n.shift_end then 'shift_end' end,
                    case when o.lunch_time is distinct from n.lunch_time then 'lunch_time' end,
                    case when o.lunch_latest_start is distinct from n.lunch_latest_start then 'lunch_latest_start' end,
                    case when o.lunch_duration <> n.lunch_duration then 'lunch_duration' end,
                    case when o.speed_multiplier <> n.speed_multiplier then 'speed_multiplier' end,
                    case when o.device_id is distinct from n.device_id then 'device_id' end,
                    case when o.territory_ids <> n.territory_ids then 'territory_ids' end,
                    case when o.actual_start_time is distinct from n.actual_start_time then 'actual_start_time' end,
                    case when o.actual_end_time is distinct from n.actual_end_time then 'actual_end_time' end,
                    case when o.billing_start_time is distinct from n.billing_start_time then 'billing_start_time' end,
                    case when o.start_odometer is distinct from n.start_odometer then 'start_odometer' end,
                    case when o.end_odometer is distinct from n.end_odometer then 'end_odometer' end,
                    case when o.additional_billing_kms <> n.additional_billing_kms then 'additional_billing_kms' end,
                    case when o.min_billing_hours <> n.min_billing_hours then 'min_billing_hours' end,
                    case when o.dispatched <> n.dispatched then 'dispatched' end,
                    case when o.validated_by_id is distinct from n.validated_by_id then 'validated_by_id' end
                ], null) as fields
            from old_rows o join new_rows n on n.id = o.id
            where o.* is distinct from n.*
        )
        select c.scenario_id, 'runs_edited', array_agg(c.id),
            (select array_agg(distinct field) from changed f, unnest(f.fields) as field
             where f.scenario_id = c.scenario_id)
        from changed c where c.fields <> '{}' group by c.scenario_id
        union all
        select scenario_id, 'runs_shown', array_agg(id), '{}'::text[]
        from changed where fields = '{}' group by scenario_id;
    end if;
    return null;
end
$$;

-- What hangs on jobs. The argument names what else is shown anew with it.
create function job_parts_touched() returns trigger
    language plpgsql
as $$
declare
    touched bigint[];
begin
    if tg_op = 'INSERT' then
        select array_agg(distinct job_id) into touched from new_rows;
    elsif tg_op = 'DELETE' then
        select array_agg(distinct job_id) into touched from old_rows;
    else
        select array_agg(distinct job_id) into touched
        from (select job_id from old_rows union all select job_id from new_rows) rows;
    end if;
    insert into plan_touched (scenario_id, kind, ids)
    select scenario_id, 'jobs_shown', array_agg(id)
    from jobs where id = any(touched) and scenario_id is not null group by scenario_id;
    if tg_nargs > 0 then
        insert into plan_touched (scenario_id, kind)
        select distinct scenario_id, tg_argv[0] from jobs where id = any(touched) and scenario_id is not null;
    end if;
    return null;
end
$$;

create function run_proofs_touched() returns trigger
    language plpgsql
as $$
begin
    insert into plan_touched (scenario_id, kind, ids)
    select r.scenario_id, 'runs_shown', array_agg(distinct r.id)
    from new_rows n join runs r on r.id = n.run_id group by r.scenario_id;
    return null;
end
$$;

create function scenarios_touched() returns trigger
    language plpgsql
as $$
begin
    if tg_op = 'DELETE' then
        insert into plan_touched (scenario_id, kind) select id, 'scenario' from old_rows;
    else
        insert into plan_touched (scenario_id, kind)
        select n.id, 'scenario' from old_rows o join new_rows n on n.id = o.id
        where (o.name, o.stage, o.scheduled_date, o.starred, o.default_active_driver_ids)
            is distinct from (n.name, n.stage, n.scheduled_date, n.starred, n.default_active_driver_ids);
    end if;
    return null;
end
$$;

create function scenario_parts_touched() returns trigger
    language plpgsql
as $$
begin
    insert into plan_touched (scenario_id, kind) values (coalesce(new.scenario_id, old.scenario_id), 'scenario');
    return null;
end
$$;

-- Runs when the transaction commits: everything it touched of a plan becomes one step of that plan.
create function plan_stepped() returns trigger
    language plpgsql
as $$
declare
    done_by text[] := string_to_array(nullif(current_setting('routewright.by', true), ''), '|');
    step plan_log;
    event_id bigint;
begin
    for step in
        with touched as materialized (
            delete from plan_touched where transaction = pg_current_xact_id()
            returning id as note, scenario_id, kind, ids, was_on, fields
        ), each_id as materialized (
            select t.note, t.scenario_id, t.kind, pair.id, pair.was_on
            from touched t, unnest(t.ids, t.was_on) as pair (id, was_on)
        ), placed as (
            select distinct on (scenario_id, id) scenario_id, id, was_on
            from each_id where kind = 'jobs_placed' order by scenario_id, id, note
        ), ids as (
            select scenario_id, kind, array_agg(distinct id) as ids
            from each_id where kind <> 'jobs_placed' group by scenario_id, kind
        )
        select t.scenario_id, 0, clock_timestamp(), nullif(done_by[1], '')::bigint, nullif(done_by[2], '')::bigint,
            done_by[3],
            array(select id from placed p where p.scenario_id = t.scenario_id order by id),
            array(select was_on from placed p where p.scenario_id = t.scenario_id order by id),
            coalesce((select i.ids from ids i where i.scenario_id = t.scenario_id and kind = 'jobs_edited'), '{}'),
            array(select distinct f from touched x, unnest(x.fields) f
                where x.scenario_id = t.scenario_id and kind = 'jobs_edited'),
            coalesce((select i.ids from ids i where i.scenario_id = t.scenario_id and kind = 'jobs_shown'), '{}'),
            coalesce((select i.ids from ids i where i.scenario_id = t.scenario_id and kind = 'jobs_removed'), '{}'),
            coalesce((select i.ids from ids i where i.scenario_id = t.scenario_id and kind = 'runs_placed'), '{}'),
            coalesce((select i.ids from ids i where i.scenario_id = t.scenario_id and kind = 'runs_edited'), '{}'),
            array(select distinct f from touched x, unnest(x.fields) f
                where x.scenario_id = t.scenario_id and kind = 'runs_edited'),
            coalesce((select i.ids from ids i where i.scenario_id = t.scenario_id and kind = 'runs_shown'), '{}'),
            coalesce((select i.ids from ids i where i.scenario_id = t.scenario_id and kind = 'runs_removed'), '{}'),
            bool_or(t.kind = 'items'), bool_or(t.kind = 'scenario')
        from touched t
        group by t.scenario_id
        -- In the same order for everybody, so that none waits for another in a circle.
        order by t.scenario_id
    loop
        insert into plan_versions as v (scenario_id, version) values (step.scenario_id, 1)
        on conflict (scenario_id) do update set version = v.version + 1
        returning version into step.version;
        insert into plan_log select step.*;
        insert into events (scenario_id, namespace, name, payload)
        values (step.scenario_id, '/plan', 'plan_changed', jsonb_build_object('scenario_id', step.scenario_id,
            'version', step.version, 'user_id', step.user_id, 'run_id', step.run_id, 'action', step.action))
        returning id into event_id;
        perform pg_notify('routewright',
            jsonb_build_object('event', jsonb_build_array(substr(current_schema, 5)::bigint, event_id))::text);
    end loop;
    return null;
end
$$;

alter table events drop constraint events_namespace_check;
alter table events
    add constraint events_namespace_check check (namespace in ('/tracking', '/optimisation', '/plan'));

create constraint trigger plan_stepped after insert on plan_touched
    deferrable initially deferred for each row execute function plan_stepped();

create trigger jobs_inserted after insert on jobs
    referencing new table as new_rows for each statement execute function jobs_touched();
create trigger jobs_updated after update on jobs
    referencing old table as old_rows new table as new_rows for each statement execute function jobs_touched();
create trigger jobs_deleted after delete on jobs
    referencing old table as old_rows for each statement execute function jobs_touched();

create trigger runs_inserted after insert on runs
    referencing new table as new_rows for each statement execute function runs_touched();
create trigger runs_updated after update on runs
    referencing old table as old_rows new table as new_rows for each statement execute function runs_touched();
create trigger runs_deleted after delete on runs
    referencing old table as old_rows for each statement execute function runs_touched();

create trigger scenarios_updated after update on scenarios
    referencing old table as old_rows new table as new_rows for each statement execute function scenarios_touched();
create trigger scenarios_deleted after delete on scenarios
    referencing old table as old_rows for each statement execute function scenarios_touched();
create trigger scenario_groups_changed after insert or delete on scenario_territory_groups
    for each row execute function scenario_parts_touched();
create trigger optimisation_opened after insert on optimisation_tasks
    for each row execute function scenario_parts_touched();
create trigger optimisation_changed after update on optimisation_tasks
    for each row when (old.status is distinct from new.status) execute function scenario_parts_touched();

create trigger units_inserted after insert on units
    referencing new table as new_rows for each statement execute function job_parts_touched('items');
create trigger units_updated after update on units
    referencing old table as old_rows new table as new_rows for each statement execute function job_parts_touched('items');
create trigger units_deleted after delete on units
    referencing old table as old_rows for each statement execute function job_parts_touched('items');
create trigger returns_inserted after insert on returns
    referencing new table as new_rows for each statement execute function job_parts_touched('items');
create trigger returns_updated after update on returns
    referencing old table as old_rows new table as new_rows for each statement execute function job_parts_touched('items');
create trigger returns_deleted after delete on returns
    referencing old table as old_rows for each statement execute function job_parts_touched('items');
create trigger job_tags_inserted after insert on job_tags
    referencing new table as new_rows for each statement execute function job_parts_touched();
create trigger job_tags_deleted after delete on job_tags
    referencing old table as old_rows for each statement execute function job_parts_touched();
create trigger job_proofs_inserted after insert on job_proofs
    referencing new table as new_rows for each statement execute function job_parts_touched();
create trigger job_proofs_updated after update on job_proofs
    referencing old table as old_rows new table as new_rows for each statement execute function job_parts_touched();
create trigger unit_proofs_inserted after insert on unit_proofs
    referencing new table as new_rows for each statement execute function job_parts_touched('items');
create trigger return_proofs_inserted after insert on return_proofs
    referencing new table as new_rows for each statement execute function job_parts_touched('items');
create trigger container_proofs_inserted after insert on container_proofs
    referencing new table as new_rows for each statement execute function job_parts_touched('items');
create trigger run_proofs_inserted after insert on run_proofs
    referencing new table as new_rows for each statement execute function run_proofs_touched();
