-- What columns of files go to, by the headers that files of one kind have: everybody of the organisation shares it.
create table import_mappings (
    fingerprint text primary key,
    mapping jsonb not null,
    used timestamptz not null default now(),
    constraint import_mappings_mapping_check check (jsonb_typeof(mapping) = 'object')
);

create index import_mappings_used_idx on import_mappings (used desc);
