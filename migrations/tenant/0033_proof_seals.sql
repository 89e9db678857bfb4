-- Seals: what drivers and the office record as proof is written down a second time, as fingerprints in a chain, one chain
-- per run. Whoever changes a proof, a file or a seal past the service breaks what the chain says, and the page behind the
-- code on a proof of delivery tells so. The service's own corrections are sealed as such.

-- chain: the run; of what was recorded without one the job, as a negative number, or 0. number: the place in the chain, from 1, without gaps. record_kind: the
-- table. event: recorded; corrected by the office; removed, of what may be; files_removed: their time was over. content:
-- SHA-256 of proof_content. files: [{"part", "id", "hash"}] with the SHA-256 of each file's bytes as they were taken in.
-- previous: seal of the one before in the chain, empty for the first. seal: SHA-256 of proof_seal_text.
create table proof_seals (
    id bigint generated always as identity primary key,
    chain bigint not null,
    number integer not null,
    record_kind text not null,
    record_id bigint not null,
    event text not null,
    at timestamptz not null,
    content text not null,
    files jsonb not null,
    note text not null default '',
    previous text not null,
    seal text not null,
    constraint proof_seals_number_key unique (chain, number),
    constraint proof_seals_event_check check (event in ('recorded', 'corrected', 'removed', 'files_removed'))
);

create index proof_seals_record_idx on proof_seals (record_kind, record_id, id);

-- Ids up to which records of a kind are older than the seals.
create table proof_seal_starts (
    record_kind text primary key,
    last_id bigint not null
);

-- The link behind the code on a job's proof of delivery.
create table proof_checks (
    job_id bigint primary key references jobs (id) on delete cascade,
    token text not null,
    created timestamptz not null default now(),
    constraint proof_checks_token_key unique (token)
);

-- What is sealed of a record: every column that has a value, in one way of writing. Left out is what the office does with a
-- record afterwards, and references that are emptied when something else is deleted.
create function proof_content(record_kind text, given jsonb) returns text
    language sql
    immutable
as $$
    select coalesce(jsonb_object_agg(key, value), '{}')::text from jsonb_each(given)
    where value <> 'null' and key <> 'modified' and key <> all (case record_kind
        when 'evidence' then '{run_id,job_id,state,problem,decided_by,decided_at,decision}'::text[]
        when 'checklist_submissions' then '{checklist_definition_id}'::text[]
        else '{}' end)
$$;

-- The files of a record with the fingerprints of their bytes.
create function proof_files(record_kind text, given jsonb) returns jsonb
    language sql
    stable
as $$
    select coalesce(jsonb_agg(jsonb_build_object('part', g.part, 'id', g.id, 'hash', f.checksum) order by g.part, g.place, g.id), '[]')
    from (
        select 'photo' as part, photo::bigint as id, place
        from jsonb_array_elements_text(coalesce(given -> 'photo_ids', '[]')) with ordinality as photos (photo, place)
        union all
        select 'signature', (given ->> 'signature_id')::bigint, 1 where given ->> 'signature_id' is not null
        union all
        select 'answer', trim(answer)::bigint, place
        from jsonb_array_elements(case record_kind when 'checklist_submissions'
                then given -> 'checklist_definition' -> 'fields' else '[]' end) field
            cross join lateral unnest(string_to_array(nullif(trim(given -> 'values' ->> (field ->> 'id')), ''), ','))
                with ordinality as answers (answer, place)
        where field ->> 'type' in ('image', 'images', 'signature') and trim(answer) ~ '^\d{1,18}$'
    ) g left join files f on f.id = g.id
$$;

-- The text that a seal is the SHA-256 of: one line for each thing.
create function proof_seal_text(s proof_seals) returns text
    language sql
    immutable
as $$
    select concat_ws(e'\n', 'routewright seal 1', s.chain, s.number, s.record_kind, s.record_id, s.event,
        (extract(epoch from s.at) * 1000000)::bigint, s.content,
        coalesce((select string_agg(concat_ws(' ', f ->> 'part', f ->> 'id', coalesce(f ->> 'hash', '-')), ',' order by place)
            from jsonb_array_elements(s.files) with ordinality as listed (f, place)), ''),
        s.note, s.previous)
$$;

create function proof_hash(text) returns text
    language sql
    immutable
as $$
    select encode(sha256(convert_to($1, 'UTF8')), 'hex')
$$;

-- Appends to a chain. One after the other: the second waits until the first is committed, and reads what it has left.
create function proof_append(s proof_seals) returns void
    language plpgsql
as $$
declare
    last record;
begin
    perform pg_advisory_xact_lock('proof_seals'::regclass::oid::integer, 0);
    select number, seal into last from proof_seals where chain = s.chain order by number desc limit 1;
    s.number := coalesce(last.number, 0) + 1;
    s.previous := coalesce(last.seal, '');
    insert into proof_seals (chain, number, record_kind, record_id, event, at, content, files, note, previous, seal)
    values (s.chain, s.number, s.record_kind, s.record_id, s.event, s.at, s.content, s.files, s.note, s.previous,
        proof_hash(proof_seal_text(s)));
end
$$;

-- Seals what the service does with a record when it commits: last of all, so that nobody waits for a chain who holds what
-- another one waits for. What is done to a record otherwise, by whichever login, has no seal.
create function proof_sealed() returns trigger
    language plpgsql
    security definer
as $$
declare
    was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    became jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    given jsonb := coalesce(became, was);
    kind text := tg_table_name;
    s proof_seals;
begin
    if session_user <> tg_table_schema or coalesce(current_setting('routewright.actor', true), '') = ''
        or tg_op = 'UPDATE' and proof_content(kind, was) = proof_content(kind, became) then
        return null;
    end if;
    s.chain := coalesce((given ->> case kind when 'evidence' then 'sheet_id' else 'run_id' end)::bigint,
        -(given ->> 'job_id')::bigint, 0);
    s.record_kind := kind;
    s.record_id := (given ->> 'id')::bigint;
    s.event := case tg_op when 'INSERT' then 'recorded' when 'UPDATE' then 'corrected' else 'removed' end;
    s.at := now();
    s.content := case when became is null then '' else proof_hash(proof_content(kind, became)) end;
    s.files := case when became is null then '[]' else proof_files(kind, became) end;
    s.note := '';
    perform proof_append(s);
    return null;
end
$$;

-- What a record is now, in the words of its seal; none where it is gone.
create function proof_now(record_kind text, record_id bigint) returns text
    language plpgsql
    stable
as $$
declare
    found jsonb;
begin
    execute format('select to_jsonb(r) from %I r where r.id = $1', record_kind) into found using record_id;
    return case when found is not null then proof_content(record_kind, found) end;
end
$$;

create function proof_seals_stay() returns trigger
    language plpgsql
as $$
begin
    raise exception 'Seals are never changed' using errcode = 'integrity_constraint_violation';
end
$$;

create trigger proof_seals_stay before update or delete on proof_seals
    for each row execute function proof_seals_stay();

do $$
declare
    name text;
begin
    foreach name in array array['job_proofs', 'unit_proofs', 'return_proofs', 'container_proofs', 'run_proofs',
        'checklist_submissions', 'evidence']
    loop
        execute format('create constraint trigger seal after insert or update or delete on %I
            deferrable initially deferred for each row execute function proof_sealed()', name);
        -- Nobody writes into the table any more: what is not yet committed would be neither old nor sealed.
        execute format('insert into proof_seal_starts select %L, coalesce(max(id), 0) from %I', name, name);
    end loop;
    -- Moments and numbers are written in one way, whoever asks.
    for name in values ('proof_sealed()'), ('proof_now(text, bigint)') loop
        execute format('alter function %s set search_path = %I, pg_temp', name, current_schema);
        execute format('alter function %s set timezone = ''UTC''', name);
        execute format('alter function %s set extra_float_digits = 1', name);
    end loop;
end
$$;
