-- What the trail costs. Of a statement that makes many objects the rows are kept as they are, in one bulk; they become one
-- entry each when somebody reads the trail, by the numbers that they drew at the time. An update that changes nothing that is
-- watched is found out before anything is written, and functions have settings of their own only where they need them.

-- rows: of the table, as text; migrations unfold what there is before they change a table.
create table audit_bulks (
    id bigint generated always as identity primary key,
    transaction xid8 not null default pg_current_xact_id(),
    at timestamptz not null default now(),
    actor_kind text not null default coalesce(nullif(split_part(current_setting('routewright.actor', true), '|', 1), ''), 'system'),
    actor_id bigint default coalesce(nullif(split_part(current_setting('routewright.by', true), '|', 1), ''),
        nullif(split_part(current_setting('routewright.by', true), '|', 2), ''))::bigint,
    actor_name text default nullif(split_part(current_setting('routewright.actor', true), '|', 3), ''),
    action text default nullif(split_part(current_setting('routewright.by', true), '|', 3), ''),
    request_id text default nullif(split_part(current_setting('routewright.actor', true), '|', 2), ''),
    table_name text not null,
    ids bigint[] not null,
    rows text[] not null
);

-- Written and read once: compressing takes longer than either.
alter table audit_bulks alter column rows set storage external, alter column ids set storage external;

-- unfolded: the rows $1 of a bulk as kind, id, key, name and fields of entries, with their place in it.
alter table audit_watched add column unfolded text;

-- The entries of the bulks that there are. What their transactions did to the same objects later stands in entries already.
create function audit_unfold() returns void
    language plpgsql
    security definer
as $body$
declare
    bulk audit_bulks;
begin
    -- Who comes second waits, and finds them unfolded.
    for bulk in select * from audit_bulks order by id for update loop
        execute 'insert into audit_entries as e (id, transaction, at, actor_kind, actor_id, actor_name, action, request_id, change,
                kind, object_id, object_key, object_name, after)
            overriding system value
            select $2[o.place], $3, $4, $5, $6, $7, $8, $9, ''created'', o.kind, o.id, o.key, o.name, o.became
            from (' || (select unfolded from audit_watched where table_name = bulk.table_name) || ') o
            on conflict (kind, object_id, object_key, at, transaction) do update set
                change = case e.change when ''deleted'' then ''none'' else ''created'' end,
                object_name = coalesce(e.object_name, excluded.object_name),
                before = ''{}'',
                after = case e.change when ''deleted'' then ''{}'' else excluded.after || e.after end'
            using bulk.rows, bulk.ids, bulk.transaction, bulk.at, bulk.actor_kind, bulk.actor_id, bulk.actor_name, bulk.action,
                bulk.request_id;
        delete from audit_bulks where id = bulk.id;
    end loop;
end
$body$;

drop function audit_trigger(text, text, text, text);

-- Makes the functions and the triggers of a table. many: what is written of a statement with many new rows, of which the
-- first has written nothing. pairs: the rows before and after that differ. path: whether the statements say names without
-- their schema; a function with a setting of its own costs a quarter more.
create function audit_trigger(table_name text, inserted text, deleted text, changed text, pairs text, many text, path boolean) returns void
    language plpgsql
as $body$
declare
    told text := 'perform set_config(''routewright.told'', ''yes'', true)';
    watched text := 'audit_' || table_name;
    head text := 'create or replace function %1$I() returns trigger language plpgsql security definer '
        || case when path then format('set search_path = %I, pg_temp', current_schema) else '' end;
begin
    execute format(head || $f$ as $t$
        begin
            if tg_op = 'INSERT' then
                %2$s %4$s;
                if found then
                    %5$s;
                    return null;
                end if;
                %6$s
            else
                %3$s %4$s;
            end if;
            if found then
                %5$s;
            end if;
            return null;
        end
        $t$;
        create or replace trigger audit_inserted after insert on %7$I
            referencing new table as new_rows for each statement execute function %1$I();
        create or replace trigger audit_deleted after delete on %7$I
            referencing old table as old_rows for each statement execute function %1$I();
    $f$, watched, inserted, deleted, audit_merged(), told, many, table_name);
    if changed is not null then
        execute format(head || $f$ as $t$
            begin
                -- A session keeps the plan that a statement gets at first: many rows, which have to be joined by hash, have a
                -- statement of their own (0025).
                if exists (select from new_rows offset 100) then
                    %2$s;
                    if found then
                        %3$s;
                    end if;
                elsif exists (select from %4$s) then
                    %2$s;
                    %3$s;
                end if;
                return null;
            end
            $t$;
            create or replace trigger audit_updated after update on %5$I
                referencing old table as old_rows new table as new_rows for each statement execute function %1$I();
        $f$, watched || '_changed', changed || ' ' || audit_merged(), told, pairs, table_name);
    end if;
end
$body$;

create or replace function audit_watch(watched audit_watched) returns void
    language plpgsql
as $body$
declare
    has_id boolean := exists (
        select from pg_attribute where attrelid = watched.table_name::regclass and attname = 'id' and not attisdropped);
    has_secrets boolean := exists (select from unnest(watched.columns) c where c ~ '(^|_)(token|password|value_encrypted)$');
    -- Rows of one statement that are kept as a bulk, where nothing in them has to be masked.
    many text := case when has_secrets then 'null' else '200' end;
    shown text := 'case when ' || has_secrets || ' or pg_column_size(r.%1$I) > 4000 then ' || quote_ident(current_schema) || '.audit_shown(r.%1$I, %2$L) else r.%1$I end';
    -- Names of things are made from the row alone, or from other tables.
    path boolean := watched.name ~ 'select';
    here text := quote_ident(current_schema) || '.';
    object text := format('%L as kind, %s as id, %s as key, (%s)::text as name', watched.kind,
        case when has_id then 'r.id' else 'null::bigint' end, case when has_id then 'null' else watched.name end, watched.name);
    -- The fields of the row r, o or n.
    fields text := '(select to_jsonb(x) from (select '
        || (select string_agg('%1$s.' || quote_ident(c), ', ') from unnest(watched.columns) c) || ') x)';
    -- When each of the columns counts as another, and those that do. Small objects are made faster from text.
    others text[] := array(
        select coalesce(watched.told ->> c, format('o.%1$I is distinct from n.%1$I', c)) from unnest(watched.columns) c);
    different text := '(''{'' || concat_ws('','', '
        || (select string_agg(format('case when %s then %L || coalesce(to_json(%%1$s.%I)::text, ''null'') end', other, to_json(c) || ':', c), ', ')
            from unnest(watched.columns, others) as each_one (c, other)) || ') || ''}'')::jsonb';
    pairs text := format('old_rows o join new_rows n on n.%1$I = o.%1$I where %2$s',
        case when has_id then 'id' else 'name' end, array_to_string(others, ' or '));
begin
    perform audit_trigger(watched.table_name,
        format('insert into ' || here || 'audit_entries as e (change, kind, object_id, object_key, object_name, after)
            select ''created'', %s, %s from (select r.*, jsonb_strip_nulls(%s) as became from new_rows r
                where coalesce((select count(*) from new_rows) < %s, true) offset 0) r',
            object, format(shown, 'became', '***'), format(fields, 'r'), many),
        format('insert into ' || here || 'audit_entries as e (change, kind, object_id, object_key, object_name, before)
            select ''deleted'', %s, %s from (select r.*, jsonb_strip_nulls(%s) as was from old_rows r offset 0) r',
            object, format(shown, 'was', '***'), format(fields, 'r')),
        format('insert into ' || here || 'audit_entries as e (change, kind, object_id, object_key, object_name, before, after)
            select ''changed'', %1$s, %2$s, %3$s from (select n.*, %4$s as was, %5$s as became from %6$s offset 0) r',
            object, format(shown, 'was', '***'), format(shown, 'became', '*** (new)'),
            format(different, 'o'), format(different, 'n'), pairs),
        pairs,
        format('insert into ' || here || 'audit_bulks (table_name, ids, rows)
            select %L, array_agg(nextval(%L)), array_agg(r::text) from new_rows r
            having count(*) > 0;', watched.table_name, pg_get_serial_sequence('audit_entries', 'id')), path);
    update audit_watched set unfolded = format(
        'select %s, %s as became, r.bulk_place as place from (select r.*, jsonb_strip_nulls(%s) as became
            from (select (t.line::%I).*, t.bulk_place from unnest($1) with ordinality as t (line, bulk_place)) r offset 0) r',
        object, format(shown, 'became', '***'), format(fields, 'r'), watched.table_name)
        where table_name = watched.table_name;
end
$body$;

create or replace function audit_watch_part(part audit_parts) returns void
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
        format(noted, 'old_rows', 'true', 'union all select unnest(owner.parts), false', 'old_rows'), null, null, '', true);
end
$body$;

-- A request that has left a bulk has left its entries.
create or replace function audit_close(always boolean, kind text, object_id bigint, again boolean) returns void
    language plpgsql
    security definer
as $body$
begin
    if not always and (current_setting('routewright.told', true) = 'yes' or again and exists (
        select from (
            (select request_id from audit_entries order by id desc limit 1000)
            union all (select request_id from audit_bulks order by id desc limit 1000)
        ) recent where request_id = nullif(split_part(current_setting('routewright.actor', true), '|', 2), '')
    )) then
        return;
    end if;
    perform audit_note(kind, array[object_id], array['{}'::jsonb], array['{}'::jsonb], null);
end
$body$;

do $$
begin
    execute format('alter function audit_unfold() set search_path = %I, pg_temp', current_schema);
    execute format('alter function audit_close(boolean, text, bigint, boolean) set search_path = %I, pg_temp', current_schema);
end
$$;

-- The tables that are watched already get their new triggers when the migrations are done.
update audit_watched set columns = '{}';
select audit_watch_part(p) from audit_parts p where exists (
    select from pg_trigger where tgrelid = p.table_name::regclass and tgname = 'audit_inserted');
