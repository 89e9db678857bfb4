-- How many pieces of heavy work an organisation may have at the same time; null for the usual number.
alter table organisations
    add column heavy_work_at_once smallint,
    add constraint organisations_heavy_work_check check (heavy_work_at_once between 1 and 100);
