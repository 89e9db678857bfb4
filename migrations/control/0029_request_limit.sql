-- How many requests of an organisation are answered at the same time by each process; null for the usual number.
alter table organisations
    add column requests_at_once smallint,
    add constraint organisations_requests_check check (requests_at_once between 1 and 100);
