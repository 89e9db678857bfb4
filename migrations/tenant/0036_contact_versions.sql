-- The version of the plan that a run's driver was told of, and of the one that he knows, so that the office sees since when he
-- does not know of a change.
alter table run_contacts add column told_version bigint;
alter table run_contacts add column seen_version bigint;
