-- What the trail costs a save. What a statement did to the things of a table is kept as it is, in one row of a journal: the
-- columns that are watched, before and after, as text. It becomes an entry for each thing when somebody reads the trail and
-- every few minutes, by the numbers that were drawn at the time. Tables with secrets, which are masked first, and those whose
-- things are called after others write their entries at once, unless one statement makes many.

select audit_unfold();

alter table audit_bulks rename to audit_journal;
alter table audit_journal rename constraint audit_bulks_pkey to audit_journal_pkey;
alter sequence audit_bulks_id_seq rename to audit_journal_id_seq;
-- before: of a statement that made things none; rows: of one that removed them none.
alter table audit_journal add column before text[], alter column rows drop not null;
alter table audit_journal alter column before set storage external;

-- The lines of a row b of the journal as id, key, name and fields before and after, with their place, for each thing that can
-- have been done: created, changed, deleted.
alter table audit_watched drop column unfolded, add column unfolded jsonb;

create or replace function audit_unfold() returns void
    language plpgsql
    security definer
as $body$
declare
    taken bigint[];
    part record;
begin
    -- Who comes second waits, and finds them unfolded.
    select array_agg(id) into taken from (select id from audit_journal order by id for update) there;
    if taken is null then
        return;
    end if;
    -- The first rows of all transactions, then their second ones: one statement cannot change an entry twice.
    for part in
        select rank, table_name, change, array_agg(id) as ids from (
            select id, table_name, row_number() over (partition by at, transaction order by id) as rank,
                case when rows is null then 'deleted' when before is null then 'created' else 'changed' end as change
            from audit_journal where id = any(taken)
        ) ranked group by rank, table_name, change order by rank
    loop
        -- Of what is created the rest may stand there already: what is done to it later by those that write at once.
        execute 'insert into audit_entries as e (id, transaction, at, actor_kind, actor_id, actor_name, action, request_id, change,
                kind, object_id, object_key, object_name, before, after)
            overriding system value
            select b.ids[o.place], b.transaction, b.at, b.actor_kind, b.actor_id, b.actor_name, b.action, b.request_id, $2, w.kind,
                o.id, o.key, o.name, o.was, o.became
            from audit_journal b join audit_watched w using (table_name) cross join lateral ('
                || (select unfolded ->> part.change from audit_watched where table_name = part.table_name)
            || ') o where b.id = any($1) ' || case part.change when 'created' then
                'on conflict (kind, object_id, object_key, at, transaction) do update set
                    change = case e.change when ''deleted'' then ''none'' else ''created'' end,
                    object_name = coalesce(e.object_name, excluded.object_name),
                    before = ''{}'',
                    after = case e.change when ''deleted'' then ''{}'' else excluded.after || e.after end'
                else audit_merged() end
            using part.ids, part.change;
    end loop;
    delete from audit_journal where id = any(taken);
end
$body$;

drop function audit_trigger(text, text, text, text, text, text, boolean);

-- Makes the functions and the triggers of a table. Each of inserted and deleted is done, changed where there is one. path:
-- whether the statements say names without their schema; a function with a setting of its own costs a quarter more.
create function audit_trigger(table_name text, inserted text[], deleted text, changed text, path boolean) returns void
    language plpgsql
as $body$
declare
    told text := ' if found then perform set_config(''routewright.told'', ''yes'', true); end if; ';
    watched text := 'audit_' || table_name;
    head text := 'create or replace function %1$I() returns trigger language plpgsql security definer '
        || case when path then format('set search_path = %I, pg_temp', current_schema) else '' end;
begin
    execute format(head || $f$ as $t$
        begin
            if tg_op = 'INSERT' then
                %2$s
            else
                %3$s
            end if;
            return null;
        end
        $t$;
        create or replace trigger audit_inserted after insert on %4$I
            referencing new table as new_rows for each statement execute function %1$I();
        create or replace trigger audit_deleted after delete on %4$I
            referencing old table as old_rows for each statement execute function %1$I();
    $f$, watched, array_to_string(inserted, told) || told, deleted || told, table_name);
    if changed is not null then
        -- A session keeps the plan that a statement gets at first: many rows, which have to be joined by hash, have a statement
        -- of their own (0025).
        execute format(head || $f$ as $t$
            begin
                if exists (select from new_rows offset 100) then
                    %2$s
                else
                    %2$s
                end if;
                return null;
            end
            $t$;
            create or replace trigger audit_updated after update on %3$I
                referencing old table as old_rows new table as new_rows for each statement execute function %1$I();
        $f$, watched || '_changed', changed || told, table_name);
    end if;
end
$body$;

-- How the rows of a table are kept in the journal: as id, name and what is watched.
create function audit_row_type(watched audit_watched) returns void
    language plpgsql
as $body$
begin
    execute format('drop type if exists audit_row_%s; create type audit_row_%1$s as (audit_id bigint, audit_name text, %s)',
        watched.table_name, (
            select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by c.place)
            from unnest(watched.columns) with ordinality c (name, place) join pg_attribute a on a.attname = c.name
            where a.attrelid = watched.table_name::regclass));
end
$body$;

create or replace function audit_watch(watched audit_watched) returns void
    language plpgsql
as $body$
declare
    has_id boolean := exists (
        select from pg_attribute where attrelid = watched.table_name::regclass and attname = 'id' and not attisdropped);
    has_secrets boolean := exists (select from unnest(watched.columns) c where c ~ '(^|_)(token|password|value_encrypted)$');
    -- Names of things are made from the row alone, or from other tables.
    path boolean := watched.name ~ 'select';
    -- New rows of one statement from which on it is kept in the journal; never where something in them has to be masked.
    many text := case when has_secrets then null when path then '200' else '1' end;
    shown text := 'case when ' || has_secrets || ' or pg_column_size(r.%1$I) > 4000 then '
        || quote_ident(current_schema) || '.audit_shown(r.%1$I, %2$L) else r.%1$I end';
    here text := quote_ident(current_schema) || '.';
    -- The name of a row that is called otherwise than r.
    name_of text := regexp_replace(watched.name, '\mr\.', '%1$s.', 'g');
    id_of text := case when has_id then '%1$s.id' else 'null::bigint' end;
    -- What is watched of the row r, o or n, as fields and as a line of the journal.
    listed text := (select string_agg('%1$s.' || quote_ident(c), ', ') from unnest(watched.columns) c);
    fields text := '(select to_jsonb(x) from (select ' || listed || ') x)';
    line text := 'array_agg(row(' || id_of || ', (' || name_of || ')::text, ' || listed || ')::text)';
    -- When each of the columns counts as another, and those that do. Small objects are made faster from text.
    others text[] := array(
        select coalesce(watched.told ->> c, format('o.%1$I is distinct from n.%1$I', c)) from unnest(watched.columns) c);
    different text := '(''{'' || concat_ws('','', '
        || (select string_agg(format('case when %s then %L || coalesce(to_json(%%1$s.%I)::text, ''null'') end', other, to_json(c) || ':', c), ', ')
            from unnest(watched.columns, others) as each_one (c, other)) || ') || ''}'')::jsonb';
    pairs text := format('old_rows o join new_rows n on n.%1$I = o.%1$I where %2$s',
        case when has_id then 'id' else 'name' end, array_to_string(others, ' or '));
    object text := format('%L, %s, %s, (%s)::text', watched.kind, format(id_of, 'r'),
        case when has_id then 'null' else watched.name end, watched.name);
    entries text := format('select %s as id, %s as key, r.audit_name as name, %%s as was, %%s as became, r.ordinality as place from (%%s offset 0) r',
        case when has_id then 'r.audit_id' else 'null::bigint' end, case when has_id then 'null' else 'r.audit_name' end);
    lines text := 'unnest(%s::audit_row_' || watched.table_name || '[]) with ordinality ';
    -- Entries at once.
    created text := format('insert into ' || here || 'audit_entries as e (change, kind, object_id, object_key, object_name, after)
        select ''created'', %s, %s from (select r.*, jsonb_strip_nulls(%s) as became from new_rows r %s offset 0) r ',
        object, format(shown, 'became', '***'), format(fields, 'r'),
        coalesce('where (select count(*) from new_rows) < ' || many, '')) || audit_merged() || ';';
    deleted text := format('insert into ' || here || 'audit_entries as e (change, kind, object_id, object_key, object_name, before)
        select ''deleted'', %s, %s from (select r.*, jsonb_strip_nulls(%s) as was from old_rows r offset 0) r ',
        object, format(shown, 'was', '***'), format(fields, 'r')) || audit_merged() || ';';
    changed text := format('insert into ' || here || 'audit_entries as e (change, kind, object_id, object_key, object_name, before, after)
        select ''changed'', %1$s, %2$s, %3$s from (select n.*, %4$s as was, %5$s as became from %6$s offset 0) r ',
        object, format(shown, 'was', '***'), format(shown, 'became', '*** (new)'),
        format(different, 'o'), format(different, 'n'), pairs) || audit_merged() || ';';
    -- A row of the journal.
    journal text := format('insert into ' || here || 'audit_journal (table_name, ids, %%s) select %L, array_agg(nextval(%L)), %%s
        from %%s having count(*) >= %%s;', watched.table_name, pg_get_serial_sequence('audit_entries', 'id'));
begin
    if has_secrets then
        perform audit_trigger(watched.table_name, array[created], deleted, changed, path);
        return;
    end if;
    perform audit_row_type(watched);
    if path then
        perform audit_trigger(watched.table_name,
            array[created, format(journal, 'rows', format(line, 'r'), 'new_rows r', many)], deleted, changed, path);
    else
        perform audit_trigger(watched.table_name,
            array[format(journal, 'rows', format(line, 'r'), 'new_rows r', 1)],
            format(journal, 'before', format(line, 'r'), 'old_rows r', 1),
            format(journal, 'before, rows', format(line, 'o') || ', ' || format(line, 'n'), pairs, 1), path);
    end if;
    update audit_watched set unfolded = jsonb_build_object(
        'created', format(entries, '''{}''::jsonb', format(shown, 'became', '***'), format(
            'select r.*, jsonb_strip_nulls(%s) as became from ' || lines || 'r', format(fields, 'r'), 'b.rows')),
        'deleted', format(entries, format(shown, 'was', '***'), '''{}''::jsonb', format(
            'select r.*, jsonb_strip_nulls(%s) as was from ' || lines || 'r', format(fields, 'r'), 'b.before')),
        'changed', format(entries, format(shown, 'was', '***'), format(shown, 'became', '*** (new)'), format(
            'select n.*, %s as was, %s as became from ' || lines || 'o join ' || lines || 'n using (ordinality)',
            format(different, 'o'), format(different, 'n'), 'b.before', 'b.rows')))
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
            ) lists left join audit_names(%1$L, array(select distinct %3$I from %%s)) named on named.id = owner.id ',
        part.kind, part.field, part.owner_column, part.part_column, part.table_name) || audit_merged() || ';';
begin
    perform audit_trigger(part.table_name, array[format(noted, 'new_rows', 'p <> all (owner.parts)', '', 'new_rows')],
        format(noted, 'old_rows', 'true', 'union all select unnest(owner.parts), false', 'old_rows'), null, true);
end
$body$;

-- Asked at the end of every request that writes: the usual answer takes no right and no settings of its own.
create or replace function audit_close(always boolean, kind text, object_id bigint, again boolean) returns void
    language plpgsql
as $body$
begin
    if always or current_setting('routewright.told', true) is distinct from 'yes' then
        perform audit_close_untold(always, kind, object_id, again);
    end if;
end
$body$;

create function audit_close_untold(always boolean, kind text, object_id bigint, again boolean) returns void
    language plpgsql
    security definer
as $body$
begin
    if not always and again and exists (
        select from (
            (select request_id from audit_entries order by id desc limit 1000)
            union all (select request_id from audit_journal order by id desc limit 1000)
        ) recent where request_id = nullif(split_part(current_setting('routewright.actor', true), '|', 2), '')
    ) then
        return;
    end if;
    perform audit_note(kind, array[object_id], array['{}'::jsonb], array['{}'::jsonb], null);
end
$body$;

do $$
begin
    execute format('alter function audit_unfold() set search_path = %I, pg_temp', current_schema);
    execute format('alter function audit_close_untold(boolean, text, bigint, boolean) set search_path = %I, pg_temp', current_schema);
end
$$;
alter function audit_unfold() set jit = off;

-- The tables that are watched already get their new triggers when the migrations are done.
update audit_watched set columns = '{}';
select audit_watch_part(p) from audit_parts p where exists (
    select from pg_trigger where tgrelid = p.table_name::regclass and tgname = 'audit_inserted');
