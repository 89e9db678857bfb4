-- What a statement changed is joined by hash. Postgres keeps a session's plan for these joins from the first, small change,
-- in which every old row is compared with every new one: 37 s for 5,000 jobs. Turned off, other joins look so dear that it
-- would compile them as well, which takes longer than they do.
alter function jobs_touched() set enable_nestloop = off;
alter function jobs_touched() set jit = off;
alter function runs_touched() set enable_nestloop = off;
alter function runs_touched() set jit = off;
alter function scenarios_touched() set enable_nestloop = off;
alter function scenarios_touched() set jit = off;
