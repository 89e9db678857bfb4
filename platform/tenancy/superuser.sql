-- Once in every database that holds organisations, by a superuser: takes from everybody what Postgres gives away and an
-- organisation's login has no use for. The service does without it; then a login whose SQL is in foreign hands may fill the disk
-- with large objects, hold the platform's locks, and see how many rows others have and when they work.
-- What cannot be taken: names of schemas and roles, which are ids, and NOTIFY, whose notices are trusted only as hints.
-- The database's owner, or the role named by routewright.owner, keeps it all.
do $$
declare
    keeper text := coalesce(
        nullif(current_setting('routewright.owner', true), ''),
        (select pg_get_userbyid(datdba) from pg_database where datname = current_database())
    );
    found record;
begin
    -- Large objects, advisory locks, sizes and counts, locks of others.
    for found in
        select p.oid::regprocedure as name from pg_proc p
        where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f'
            and (p.proname like 'lo\_%' or p.proname in ('loread', 'lowrite', 'pg_lock_status')
                or p.proname like 'pg\_%advisory%' or p.proname like 'pg\_stat\_get\_%'
                or p.proname in ('pg_relation_size', 'pg_table_size', 'pg_indexes_size', 'pg_total_relation_size',
                    'pg_database_size', 'pg_tablespace_size'))
            and has_function_privilege('public', p.oid, 'execute')
    loop
        execute format('revoke execute on function %s from public', found.name);
        execute format('grant execute on function %s to %I with grant option', found.name, keeper);
    end loop;
    -- Views of statistics, locks and roles.
    for found in
        select c.oid::regclass as name from pg_class c
        where c.relnamespace = 'pg_catalog'::regnamespace and c.relkind = 'v'
            and (c.relname like 'pg\_stat%' or c.relname in ('pg_locks', 'pg_roles', 'pg_user', 'pg_group'))
            and has_table_privilege('public', c.oid, 'select')
    loop
        execute format('revoke select on %s from public', found.name);
        execute format('grant select on %s to %I with grant option', found.name, keeper);
    end loop;
    -- The catalogue of tables without their numbers of rows and pages.
    if has_column_privilege('public', 'pg_catalog.pg_class', 'reltuples', 'select') then
        revoke select on pg_catalog.pg_class from public;
        execute format('grant select on pg_catalog.pg_class to %I with grant option', keeper);
        execute (
            select format('grant select (%s) on pg_catalog.pg_class to public', string_agg(quote_ident(attname), ', '))
            from pg_attribute
            where attrelid = 'pg_catalog.pg_class'::regclass and not attisdropped
                and attname not in ('reltuples', 'relpages', 'relallvisible')
        );
    end if;
end
$$;
