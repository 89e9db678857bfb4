-- What an optimisation made of the plan, so that it can be looked at again: figures before and after, and each job that was
-- left out with its reason as it was told then.
alter table optimisation_tasks add column summary jsonb;
alter table optimisation_tasks add column unserved_jobs jsonb not null default '[]';
alter table optimisation_tasks add constraint optimisation_tasks_unserved_jobs_check
    check (jsonb_typeof(unserved_jobs) = 'array');
