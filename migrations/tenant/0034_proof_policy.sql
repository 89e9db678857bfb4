-- What proofs have to have, what is known beside what the driver recorded, and how long their files are kept. Where nothing was asked or measured a column is
-- empty: seals (0033) say the same of older proofs as before.

-- age_check: whether the recipient was old enough, as the driver saw it. pin_ok: whether the PIN was the customer's. distance:
-- metres from where the device was to the job's address. device: what the phone says of itself. missing: what was required
-- and is not there; such a proof is kept and shown as incomplete.
alter table job_proofs
    add column age_check boolean,
    add column pin_ok boolean,
    add column distance integer,
    add column device text,
    add column missing text[];
alter table job_proofs add constraint job_proofs_distance_check check (distance >= 0);

-- Wrong PINs of a job: after some of them the right one counts no more. The PIN itself is kept nowhere.
create table job_pin_tries (
    job_id bigint primary key references jobs (id) on delete cascade,
    wrong integer not null default 0
);

-- Files whose time is over: the bytes are being removed, or gone. The row stays, for the proofs that name it.
alter table files add column removed_at timestamptz;
alter table files drop constraint files_state_check;
alter table files add constraint files_state_check
    check (state in ('uploading', 'ready', 'deleted', 'removing', 'removed'));

create index proof_seals_files_idx on proof_seals using gin (files jsonb_path_ops);

-- Seals that files of records are removed because their time is over, and when: the fingerprints stay.
create function proof_files_removed(removed bigint[], why text, removed_at timestamptz) returns void
    language plpgsql
    security definer
as $$
declare
    made proof_seals;
begin
    for made in
        select l.* from (
            select distinct s.record_kind, s.record_id
            from unnest(removed) as gone (file) join proof_seals s on s.files @> jsonb_build_array(jsonb_build_object('id', gone.file))
        ) r cross join lateral (
            select l.* from proof_seals l where l.record_kind = r.record_kind and l.record_id = r.record_id
            order by l.id desc limit 1
        ) l where l.event <> 'removed' order by l.id
    loop
        made.event := 'files_removed';
        made.at := removed_at;
        made.note := why;
        perform proof_append(made);
    end loop;
end
$$;

do $$
begin
    execute format('alter function proof_files_removed(bigint[], text, timestamptz) set search_path = %I, pg_temp', current_schema);
    execute format('alter function proof_files_removed(bigint[], text, timestamptz) set timezone = %L', 'UTC');
end
$$;
