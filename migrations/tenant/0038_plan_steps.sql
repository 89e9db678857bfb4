-- Steps back and forth. step: what was done, or one that took another back, or did it again. taken_back: by a later one.
alter table plan_changes
    add column step text not null default 'done',
    add column taken_back boolean not null default false,
    add constraint plan_changes_step_check check (step in ('done', 'undone', 'redone'));
