-- The audit trail: who did what to which thing, in which request, from what to what. Every table of things that people
-- know is watched by statement, so that nothing that writes can forget it; what a transaction does to one object is one
-- entry. The organisation's role reads the trail and can do nothing else with it: its triggers write with the right of the
-- schema's owner.

-- actor_id: a user; of drivers the run whose sheet it was. change: what was done to the object; 'done' is what leaves no
-- trace in a table, such as a download; 'none' was made and removed again. object_key: of what has no id. before, after: the
-- fields that changed, of what was created or deleted all; references are ids. platform_id: the row of the platform's own
-- record from which an entry was copied. No foreign keys: the trail outlives its subjects.
create table audit_entries (
    id bigint generated always as identity primary key,
    transaction xid8 not null default pg_current_xact_id(),
    at timestamptz not null default now(),
    actor_kind text not null default coalesce(nullif(split_part(current_setting('routewright.actor', true), '|', 1), ''), 'system'),
    actor_id bigint default coalesce(nullif(split_part(current_setting('routewright.by', true), '|', 1), ''),
        nullif(split_part(current_setting('routewright.by', true), '|', 2), ''))::bigint,
    actor_name text default nullif(split_part(current_setting('routewright.actor', true), '|', 3), ''),
    action text default nullif(split_part(current_setting('routewright.by', true), '|', 3), ''),
    change text not null,
    kind text not null,
    object_id bigint,
    object_key text,
    object_name text,
    before jsonb not null default '{}',
    after jsonb not null default '{}',
    reason text,
    request_id text default nullif(split_part(current_setting('routewright.actor', true), '|', 2), ''),
    platform_id bigint,
    constraint audit_entries_actor_kind_check
        check (actor_kind in ('user', 'operator', 'driver', 'link', 'worker', 'system')),
    constraint audit_entries_change_check check (change in ('created', 'changed', 'deleted', 'done', 'none'))
);

-- One entry of a transaction for each object, and the history of an object. A transaction's number may come again in a
-- schema that was moved to another server; with its time it does not.
create unique index audit_entries_object_key
    on audit_entries (kind, object_id, object_key, at, transaction) nulls not distinct;
create index audit_entries_at_idx on audit_entries using brin (at);
create unique index audit_entries_platform_key on audit_entries (platform_id) where platform_id is not null;

-- Which tables are watched, as which kind of thing, by which name of it (an expression over the row r), and which columns
-- nobody writes: what is computed, keys that are made. Columns that are not named are watched, those of later migrations
-- too. told: columns that count only under a condition over the rows o and n. columns: those that are watched now.
create table audit_watched (
    table_name text primary key,
    kind text not null,
    name text not null,
    unwatched text[] not null default '{}',
    told jsonb not null default '{}',
    columns text[] not null default '{}'
);

-- Rows that are a list of another object: job_tags are a job's tags.
create table audit_parts (
    table_name text primary key,
    kind text not null,
    owner_column text not null,
    field text not null,
    part_column text not null
);

-- What is shown of fields: of what is secret that it was there, of long values a fingerprint.
create function audit_shown(fields jsonb, mask text) returns jsonb
    language sql
    immutable
as $$
    select coalesce(jsonb_object_agg(regexp_replace(key, '_encrypted$', ''), case
        when key ~ '(^|_)(token|password|value_encrypted)$' and value <> 'null' then to_jsonb(mask)
        when pg_column_size(value) > 4000 then to_jsonb('(long value ' || left(md5(value::text), 8) || ')')
        else value end), '{}')
    from jsonb_each(fields)
$$;

-- What an entry becomes when its transaction does more to the object: the first before stays, the last after counts.
create function audit_merged() returns text
    language sql
    immutable
as $$
    select 'on conflict (kind, object_id, object_key, at, transaction) do update set
        change = case when excluded.change = ''deleted'' and e.change in (''created'', ''none'') then ''none''
            when excluded.change = ''created'' and e.change = ''deleted'' then ''changed''
            when excluded.change = ''done'' or excluded.change = ''changed'' and e.change <> ''done'' then e.change
            else excluded.change end,
        object_name = coalesce(excluded.object_name, e.object_name),
        before = case e.change when ''created'' then e.before else excluded.before || e.before end,
        after = case when ''deleted'' in (e.change, excluded.change) and excluded.change <> ''created'' then ''{}''
            else e.after || excluded.after end,
        reason = coalesce(e.reason, excluded.reason)'
$$;

-- Makes the function and the triggers of a table, each with what the statements have in common.
create function audit_trigger(table_name text, inserted text, deleted text, updated text) returns void
    language plpgsql
as $body$
begin
    execute format($f$
        create or replace function %1$I() returns trigger
            language plpgsql
            security definer
            set search_path = %2$I, pg_temp
            set enable_nestloop = off -- see 0025
            set jit = off
        as $t$
        begin
            if tg_op = 'INSERT' then %3$s %6$s;
            elsif tg_op = 'DELETE' then %4$s %6$s;
            else %5$s %6$s;
            end if;
            if found then
                perform set_config('routewright.told', 'yes', true);
            end if;
            return null;
        end
        $t$;
        create or replace trigger audit_inserted after insert on %7$I
            referencing new table as new_rows for each statement execute function %1$I();
        create or replace trigger audit_deleted after delete on %7$I
            referencing old table as old_rows for each statement execute function %1$I();
    $f$, 'audit_' || table_name, current_schema, inserted, deleted, coalesce(updated, deleted), audit_merged(), table_name);
    if updated is not null then
        execute format('create or replace trigger audit_updated after update on %I
            referencing old table as old_rows new table as new_rows for each statement execute function %I()',
            table_name, 'audit_' || table_name);
    end if;
end
$body$;

create function audit_watch(watched audit_watched) returns void
    language plpgsql
as $body$
declare
    has_id boolean := exists (
        select from pg_attribute where attrelid = watched.table_name::regclass and attname = 'id' and not attisdropped);
    has_secrets boolean := exists (select from unnest(watched.columns) c where c ~ '(^|_)(token|password|value_encrypted)$');
    shown text := 'case when ' || has_secrets || ' or pg_column_size(r.%1$I) > 4000 then audit_shown(r.%1$I, %2$L) else r.%1$I end';
    object text := format('%L, %s, %s, (%s)::text', watched.kind, case when has_id then 'r.id' else 'null' end,
        case when has_id then 'null' else watched.name end, watched.name);
    -- The fields of the row r, o or n.
    fields text := '(select to_jsonb(x) from (select '
        || (select string_agg('%1$s.' || quote_ident(c), ', ') from unnest(watched.columns) c) || ') x)';
    -- When each of the columns counts as another, and those that do. Small objects are made faster from text.
    others text[] := array(
        select coalesce(watched.told ->> c, format('o.%1$I is distinct from n.%1$I', c)) from unnest(watched.columns) c);
    different text := '(''{'' || concat_ws('','', '
        || (select string_agg(format('case when %s then %L || coalesce(to_json(%%1$s.%I)::text, ''null'') end', other, to_json(c) || ':', c), ', ')
            from unnest(watched.columns, others) as each_one (c, other)) || ') || ''}'')::jsonb';
begin
    perform audit_trigger(watched.table_name,
        format('insert into audit_entries as e (change, kind, object_id, object_key, object_name, after)
            select ''created'', %s, %s from (select r.*, jsonb_strip_nulls(%s) as became from new_rows r offset 0) r',
            object, format(shown, 'became', '***'), format(fields, 'r')),
        format('insert into audit_entries as e (change, kind, object_id, object_key, object_name, before)
            select ''deleted'', %s, %s from (select r.*, jsonb_strip_nulls(%s) as was from old_rows r offset 0) r',
            object, format(shown, 'was', '***'), format(fields, 'r')),
        format('insert into audit_entries as e (change, kind, object_id, object_key, object_name, before, after)
            select ''changed'', %1$s, %2$s, %3$s from (
                select n.*, %4$s as was, %5$s as became
                from old_rows o join new_rows n on n.%6$I = o.%6$I where %7$s offset 0
            ) r', object, format(shown, 'was', '***'), format(shown, 'became', '*** (new)'),
            format(different, 'o'), format(different, 'n'), case when has_id then 'id' else 'name' end,
            array_to_string(others, ' or ')));
end
$body$;

-- What objects are called: now, or when the trail last saw them.
create function audit_names(of_kind text, ids bigint[]) returns table (id bigint, name text)
    language plpgsql
    stable
as $body$
declare
    named text := (
        select format('(select (%s)::text from %I r where r.id = given.id), ', w.name, w.table_name) from audit_watched w
        where w.kind = of_kind and exists (
            select from pg_attribute where attrelid = w.table_name::regclass and attname = 'id' and not attisdropped));
begin
    return query execute format('select given.id, coalesce(%s (
            select e.object_name from audit_entries e where e.kind = $1 and e.object_id = given.id and e.object_name is not null
            order by e.at desc limit 1
        )) from unnest($2) given (id)', named) using of_kind, ids;
end
$body$;

-- A list as it was and is, as ids.
create function audit_watch_part(part audit_parts) returns void
    language plpgsql
as $body$
declare
    noted text := format('insert into audit_entries as e (change, kind, object_id, object_name, before, after)
        select ''changed'', %1$L, owner.id, named.name, jsonb_build_object(%2$L, lists.was), jsonb_build_object(%2$L, lists.became)
        from (select r.%3$I as id, array_agg(r.%4$I) as parts from %%s r group by r.%3$I) owner
            cross join lateral (
                select coalesce(jsonb_agg(p order by p) filter (where %%s), ''[]'') as was,
                    coalesce(jsonb_agg(p order by p) filter (where is_there), ''[]'') as became
                from (select %4$I as p, true as is_there from %5$I where %3$I = owner.id %%s) present
            ) lists left join audit_names(%1$L, array(select distinct %3$I from %%s)) named on named.id = owner.id', part.kind, part.field, part.owner_column, part.part_column, part.table_name);
begin
    perform audit_trigger(part.table_name, format(noted, 'new_rows', 'p <> all (owner.parts)', '', 'new_rows'),
        format(noted, 'old_rows', 'true', 'union all select unnest(owner.parts), false', 'old_rows'), null);
end
$body$;

-- Brings what is watched up to what the tables are now. Called after every migration.
create function audit_watch_all() returns void
    language plpgsql
as $$
declare
    watched audit_watched;
begin
    for watched in
        select w.table_name, w.kind, w.name, w.unwatched, w.told, array_agg(a.attname::text order by a.attnum)
        from audit_watched w join pg_attribute a on a.attrelid = w.table_name::regclass and a.attnum > 0 and not a.attisdropped
            and a.attname <> all (w.unwatched || '{id,created,modified}')
        group by w.table_name
        having array_agg(a.attname::text order by a.attnum) <> w.columns
    loop
        perform audit_watch(watched);
        update audit_watched set columns = watched.columns where table_name = watched.table_name;
    end loop;
    perform audit_watch_part(p) from audit_parts p where not exists (
        select from pg_trigger where tgrelid = p.table_name::regclass and tgname = 'audit_inserted');
end
$$;

-- Notes what is done to objects beyond what the tables show, and why. told: {field: [before, after]} of each.
create function audit_note(kind text, ids bigint[], told_before jsonb[], told_after jsonb[], why text) returns void
    language plpgsql
    security definer
as $body$
begin
    execute 'insert into audit_entries as e (change, kind, object_id, object_name, before, after, reason)
        select ''done'', $1, given.id, named.name, given.was, given.became, $5
        from unnest($2, $3, $4) as given (id, was, became) left join audit_names($1, $2) named on named.id = given.id '
        || audit_merged() using kind, ids, told_before, told_after, why;
    perform set_config('routewright.told', 'yes', true);
end
$body$;

-- Notes what has left no trace in a table, before a request commits. Where it is 'always' said, it hands something out;
-- otherwise nothing that was written has left an entry. again: the request has committed something before.
create function audit_close(always boolean, kind text, object_id bigint, again boolean) returns void
    language plpgsql
    security definer
as $body$
begin
    if not always and (current_setting('routewright.told', true) = 'yes' or again and exists (
        select from (select request_id from audit_entries order by id desc limit 1000) recent
        where request_id = nullif(split_part(current_setting('routewright.actor', true), '|', 2), '')
    )) then
        return;
    end if;
    perform audit_note(kind, array[object_id], array['{}'::jsonb], array['{}'::jsonb], null);
end
$body$;

do $$
begin
    execute format('alter function audit_note(text, bigint[], jsonb[], jsonb[], text) set search_path = %I, pg_temp', current_schema);
    execute format('alter function audit_close(boolean, text, bigint, boolean) set search_path = %I, pg_temp', current_schema);
end
$$;

insert into audit_watched (table_name, kind, name, unwatched, told) values
    ('tags', 'tag', 'r.name', '{}', '{}'),
    ('reasons', 'reason', 'r.name', '{}', '{}'),
    ('scenario_reasons', 'scenario_reason', 'r.name', '{}', '{}'),
    ('information_groups', 'setting', 'r.name', '{}', '{}'),
    ('config_values', 'config_value', 'r.group_name || ''.'' || r.key', '{}', '{}'),
    ('secrets', 'secret', 'r.name', '{masked}', '{}'),
    ('filename_regex', 'filename_regex', 'r.name', '{}', '{}'),
    ('checklist_definitions', 'checklist', 'r.name', '{version}', '{}'),
    ('udf_actions', 'udf_action', 'r.name', '{}', '{}'),
    ('locations', 'location', 'coalesce(r.name, r.uid, r.address)', '{}', '{}'),
    ('clients', 'client', 'r.name', '{}', '{}'),
    ('territories', 'territory', 'r.name', '{}', '{}'),
    ('territory_groups', 'territory_group', 'r.name', '{}', '{}'),
    ('billing_rates', 'billing_rate', 'r.name', '{}', '{}'),
    ('vehicles', 'vehicle', 'r.uid', '{}', '{}'),
    ('drivers', 'driver', 'r.uid', '{}', '{}'),
    ('driver_configs', 'driver_config', 'r.name', '{}', '{}'),
    ('run_code_maps', 'run_code_map', 'r.run_code', '{}', '{}'),
    ('scenario_templates', 'scenario_template', 'r.name', '{}', '{}'),
    ('scenarios', 'scenario', 'r.name', '{version,ws_token}', '{}'),
    -- When a run begins is computed unless somebody has fixed it; its rate stands in its bill.
    ('runs', 'run', 'r.uid', '{token,planned_end_time,distance,total_driving_time,total_job_duration,fuel_consumption,actual_fuel_consumption,co2_emissions,actual_co2_emissions,route,roads_source,rate_name,rate_cost_per_run,rate_cost_per_km,rate_cost_per_hour,rate_cost_per_drop,rate_currency}',
        '{"planned_start_time": "(o.departure_fixed or n.departure_fixed) and o.planned_start_time is distinct from n.planned_start_time"}'),
    -- The place on a run counts where the run is another: those behind it move up by themselves.
    ('jobs', 'job', 'r.uid', '{tracking_token,eta,etd,updated_eta,wait_seconds,unserved_reason,last_tracking_sent_at,eta_alerted_at,eta_alerted_minutes}',
        '{"seq": "o.run_id is distinct from n.run_id"}'),
    ('containers', 'container', 'r.uid', '{}', '{}'),
    ('units', 'unit', 'r.uid', '{}', '{}'),
    ('returns', 'return', 'r.uid', '{}', '{}'),
    -- Its state is that of the bytes in the storage: a file that is deleted goes when they are gone.
    ('files', 'file', 'r.name', '{storage_key,checksum,created_by,created_by_run,uid,state}', '{}'),
    ('excel_exports', 'export', 'r.name', '{status,error,file_id,expires_at,created_by}', '{}'),
    ('job_proofs', 'job_proof', '(select t.uid from jobs t where t.id = r.job_id)', '{}', '{}'),
    ('unit_proofs', 'unit_proof', '(select t.uid from units t where t.id = r.unit_id)', '{}', '{}'),
    ('return_proofs', 'return_proof', '(select t.uid from returns t where t.id = r.return_id)', '{}', '{}'),
    ('container_proofs', 'container_proof', '(select t.uid from containers t where t.id = r.container_id)', '{}', '{}'),
    ('run_proofs', 'run_proof', '(select t.uid from runs t where t.id = r.run_id)', '{}', '{}'),
    ('run_bills', 'bill', 'r.run_uid || '' #'' || r.version', '{rounding,evidence,made_at,made_by_id}', '{}'),
    ('run_bill_dismissals', 'bill_dismissal', '(select t.run_uid || '' #'' || t.version from run_bills t where t.id = r.bill_id)', '{at,user_id}', '{}'),
    ('checklist_submissions', 'checklist_submission', '(select t.uid from runs t where t.id = r.run_id)', '{checklist_definition,submitted_by}', '{}'),
    ('optimisation_tasks', 'optimisation', '(select t.name from scenarios t where t.id = r.scenario_id)', '{status,progress,error,unserved_count,started,finished,requested_by,summary,unserved_jobs,improved,meanwhile}', '{}'),
    ('reschedule_requests', 'reschedule_request', '(select t.uid from jobs t where t.id = r.job_id)', '{}', '{}'),
    -- What becomes of a message is its own record.
    ('messages', 'message', 'coalesce(r.subject, r.intent)', '{intent,body_text,body_html,attachments,state,attempts,error,sent_at,message_id}', '{}'),
    ('tracking_sends', 'tracking_send', 'r.email', '{message_id,sent_by}', '{}'),
    ('partner_messages', 'partner_message', 'r.partner || '' '' || r.kind', '{document,checksum,state,attempts,error,sent_at,created_by}', '{}'),
    ('evidence', 'evidence', 'coalesce(r.job_uid, r.run_uid)', '{uid,clock_skew,sent_at,received_at}', '{}'),
    ('confirmed_addresses', 'confirmed_address', 'r.address', '{confirmed}', '{}');

insert into audit_parts (table_name, kind, owner_column, field, part_column) values
    ('job_tags', 'job', 'job_id', 'tag_ids', 'tag_id'),
    ('vehicle_billing_rates', 'vehicle', 'vehicle_id', 'billing_rate_ids', 'billing_rate_id'),
    ('driver_territories', 'driver', 'driver_id', 'territory_ids', 'territory_id'),
    ('territory_group_territories', 'territory_group', 'territory_group_id', 'territory_ids', 'territory_id'),
    ('scenario_territory_groups', 'scenario', 'scenario_id', 'territory_group_ids', 'territory_group_id');

-- What was on the record before.
insert into audit_entries (at, actor_kind, actor_id, change, kind, object_id, object_key, before, after, reason, request_id)
select at, case when user_id is null then 'system' else 'user' end, user_id,
    case when field = 'deleted' then 'deleted' when field is null then 'done' else 'changed' end, subject, subject_id,
    -- Field by field, so several of an object at once.
    'field ' || id, case when field is null then '{}' else jsonb_build_object(field, old) end,
    case when field is null then '{}' else jsonb_build_object(field, new) end, reason, request_id
from audit_log order by id;

drop table audit_log;

alter table excel_exports drop constraint excel_exports_source_check;
alter table excel_exports add constraint excel_exports_source_check
    check (source in ('jobs', 'units', 'runs', 'returns', 'run_cost_calculator', 'proofs', 'audit'));
