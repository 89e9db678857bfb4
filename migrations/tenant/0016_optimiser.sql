-- What an optimisation did beside its plan, and whether somebody decided by hand when a run leaves.
-- meanwhile: {stayed, placed, unserved, deleted}, ids of jobs that were changed while it was under way.

alter table optimisation_tasks add column improved boolean;
alter table optimisation_tasks add column meanwhile jsonb;

-- Runs that have a plan keep the departure that people know until they are optimised again.
alter table runs add column departure_fixed boolean not null default false;
update runs set departure_fixed = true where planned_start_time is not null;
