-- The bin: what was deleted, whole, for a while. Deleting a thing that is kept here writes down its rows and those that
-- go with it; restoring inserts them again under their old ids and puts back the references to it that were emptied.

-- kind: the table. deleted_by_id: a user; they live in the control schema. rows: {table: [row]}. emptied: [{"table", "id", "columns": {column: value}}].
create table bin (
    id bigint generated always as identity primary key,
    kind text not null,
    object_id bigint not null,
    name text not null,
    deleted_by_id bigint,
    deleted_at timestamptz not null default now(),
    purged_at timestamptz not null,
    rows jsonb not null,
    emptied jsonb not null
);

create index bin_purged_at_idx on bin (purged_at);

-- The rows of `roots` ({table: [id]}) with all that is deleted with them, and the references that are emptied then. What
-- belongs to what is known from the foreign keys, so that a table that comes later is kept as well.
create function bin_gather(roots jsonb, out rows jsonb, out emptied jsonb)
    language plpgsql
    stable
as $$
declare
    pending text[] := '{}';
    parent text;
    reference record;
    found jsonb;
    fresh jsonb;
begin
    rows := '{}';
    emptied := '[]';
    for parent in select jsonb_object_keys(roots) loop
        execute format('select jsonb_agg(to_jsonb(t)) from %I t where t.id = any(array(select jsonb_array_elements_text($1)::bigint))', parent)
            into found using roots -> parent;
        if found is not null then
            rows := rows || jsonb_build_object(parent, found);
            pending := pending || parent;
        end if;
    end loop;
    while cardinality(pending) > 0 loop
        parent := pending[1];
        pending := pending[2:];
        for reference in
            select c.conrelid::regclass::text as child, c.confdeltype as gone,
                string_agg(format('p.%I = c.%I', theirs.attname, ours.attname), ' and ') as matches,
                string_agg(format('%L, c.%I', ours.attname, ours.attname), ', ') as columns
            from pg_constraint c
            cross join unnest(c.conkey, c.confkey) as k (ours, theirs)
            join pg_attribute ours on ours.attrelid = c.conrelid and ours.attnum = k.ours
            join pg_attribute theirs on theirs.attrelid = c.confrelid and theirs.attnum = k.theirs
            where c.contype = 'f' and c.confrelid = parent::regclass and c.confdeltype in ('c', 'n')
            group by c.oid, c.conrelid, c.confdeltype
            order by c.conrelid::regclass::text
        loop
            if reference.gone = 'n' then
                execute format('select jsonb_agg(jsonb_build_object(''table'', %L, ''id'', c.id, ''columns'', jsonb_build_object(%s)))
                        from %s c where exists (select from jsonb_populate_recordset(null::%I, $1) p where %s)',
                    reference.child, reference.columns, reference.child, parent, reference.matches)
                    into found using rows -> parent;
                emptied := emptied || coalesce(found, '[]');
                continue;
            end if;
            execute format('select jsonb_agg(to_jsonb(c)) from %s c
                    where exists (select from jsonb_populate_recordset(null::%I, $1) p where %s)',
                reference.child, parent, reference.matches)
                into found using rows -> parent;
            -- Things are reached on several ways.
            select jsonb_agg(row) into fresh from jsonb_array_elements(coalesce(found, '[]')) row
            where not coalesce(rows -> reference.child @> jsonb_build_array(row), false);
            if fresh is not null then
                rows := rows || jsonb_build_object(reference.child, coalesce(rows -> reference.child, '[]') || fresh);
                pending := pending || reference.child;
            end if;
        end loop;
    end loop;
end
$$;

-- Inserts gathered rows again. What a row referred to and is gone meanwhile is left empty where it may be.
create function bin_restore(rows jsonb, emptied jsonb) returns void
    language plpgsql
as $$
declare
    waiting text[] := array(select jsonb_object_keys(rows));
    next text;
    names text;
    vals text;
    reference jsonb;
begin
    while cardinality(waiting) > 0 loop
        -- First what others refer to.
        select w into strict next from unnest(waiting) w
        where not exists (
            select from pg_constraint c
            where c.contype = 'f' and c.conrelid = w::regclass and c.confrelid <> c.conrelid
                and c.confrelid::regclass::text = any(waiting)
        )
        order by w limit 1;
        waiting := array_remove(waiting, next);
        -- Columns that came after the deletion have their defaults.
        select string_agg(format('%I', a.attname), ', ' order by a.attnum),
            string_agg(case when c.confrelid is null then format('r.%I', a.attname)
                else format('(select t.id from %s t where t.id = r.%I)', c.confrelid::regclass, a.attname) end, ', ' order by a.attnum)
        into names, vals
        from pg_attribute a
        left join lateral (
            select c.confrelid from pg_constraint c
            where c.contype = 'f' and c.conrelid = a.attrelid and c.conkey = array[a.attnum] and c.confdeltype = 'n'
            limit 1
        ) c on true
        where a.attrelid = next::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
            and rows -> next -> 0 ? a.attname;
        execute format('insert into %1$I (%2$s) overriding system value select %3$s from jsonb_populate_recordset(null::%1$I, $1) r',
            next, names, vals) using rows -> next;
    end loop;
    for reference in select * from jsonb_array_elements(emptied) loop
        select string_agg(format('%I', key), ', '), string_agg(format('r.%I', key), ', ')
        into names, vals from jsonb_object_keys(reference -> 'columns') key;
        -- Whoever has got another one keeps it.
        execute format('update %1$I t set (%2$s) = row(%3$s) from jsonb_populate_record(null::%1$I, $1) r
                where t.id = $2 and %4$s', reference ->> 'table', names, vals,
            (select string_agg(format('t.%I is null', key), ' and ') from jsonb_object_keys(reference -> 'columns') key))
            using reference -> 'columns', (reference ->> 'id')::bigint;
    end loop;
end
$$;
