-- What the customer of a delivery asked of it behind its link, in his own words; read by planner and driver.
alter table jobs
    add column customer_instructions text,
    add column customer_safe_place text,
    add constraint jobs_customer_instructions_check
        check (customer_instructions ~ '\S' and length(customer_instructions) <= 500),
    add constraint jobs_customer_safe_place_check
        check (customer_safe_place ~ '\S' and length(customer_safe_place) <= 200);

-- How a request was carried out: by the office, or by itself; null where the office dealt with it otherwise.
alter table reschedule_requests
    add column outcome text,
    add constraint reschedule_requests_outcome_check check (outcome in ('accepted', 'automatic'));

-- How often the page of a delivery asked for what takes work. asks: of the minute that began then.
create table tracking_asks (
    job_id bigint primary key references jobs (id) on delete cascade,
    minute timestamptz not null,
    asks integer not null
);
