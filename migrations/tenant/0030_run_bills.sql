-- What is billed of validated runs, as it was when somebody with the right to do so validated it. A bill is never changed:
-- a difference that is accepted later is the next version. runs.bill_id is the one in force, none after a run is reopened.

-- Without a reference to the run, which it outlives. hours: of the cost, in decimals; the amount is by billed_seconds in
-- evidence or the hours billed at least. The total is rounded once, half up; the parts are told so that they add up to it.
-- evidence: what was counted. kind: validated; accepted: a difference; taken_over: validated before bills were kept; without
-- a currency in the organisation's.
create table run_bills (
    id bigint generated always as identity primary key,
    run_id bigint not null,
    version integer not null,
    kind text not null,
    run_uid text not null,
    date date not null,
    driver text not null,
    vehicle text,
    rate_id bigint,
    rate text,
    rate_source text,
    currency text,
    cost_per_run numeric(14, 4),
    cost_per_km numeric(14, 4),
    cost_per_hour numeric(14, 4),
    cost_per_drop numeric(14, 4),
    km numeric(14, 3),
    hours numeric(14, 6),
    drops integer not null,
    stops integer not null,
    run_amount numeric(24, 2),
    km_amount numeric(24, 2),
    hour_amount numeric(24, 2),
    drop_amount numeric(24, 2),
    total numeric(24, 2),
    rounding text not null,
    evidence jsonb not null,
    made_at timestamptz not null,
    made_by_id bigint not null,
    reason text,
    constraint run_bills_version_key unique (run_id, version),
    constraint run_bills_kind_check check (kind in ('validated', 'accepted', 'taken_over')),
    constraint run_bills_currency_check check (currency is not null or kind = 'taken_over'),
    constraint run_bills_rate_source_check check (rate_source in ('run', 'vehicle')),
    constraint run_bills_total_check check (total = run_amount + km_amount + hour_amount + drop_amount)
);

create function run_bills_stay() returns trigger
    language plpgsql
as $$
begin
    raise exception 'Bills are never changed' using errcode = 'integrity_constraint_violation';
end
$$;

create trigger run_bills_stay before update or delete on run_bills
    for each row execute function run_bills_stay();

-- A difference that somebody looked at and does not bill. seen: what it would have become; another is a new difference.
create table run_bill_dismissals (
    id bigint generated always as identity primary key,
    bill_id bigint not null references run_bills (id),
    seen text not null,
    at timestamptz not null,
    user_id bigint not null,
    reason text not null
);

create index run_bill_dismissals_bill_idx on run_bill_dismissals (bill_id);

alter table runs add column bill_id bigint references run_bills (id);
create index runs_bill_idx on runs (bill_id) where bill_id is not null;

-- What was validated before.
with charged as (
    select r.id, r.uid, s.scheduled_date, d.uid as driver, v.uid as vehicle, r.rate_name, r.rate_currency,
        r.rate_cost_per_run, r.rate_cost_per_km, r.rate_cost_per_hour, r.rate_cost_per_drop,
        case when r.rate_name is null then null when r.billing_rate_id is not null then 'run' else 'vehicle' end
            as rate_source,
        r.end_odometer - r.start_odometer + r.additional_billing_kms as km,
        extract(epoch from r.actual_end_time - r.billing_start_time)::bigint as seconds, r.min_billing_hours,
        (select count(*) from jobs j where j.run_id = r.id) as stops,
        (select count(*) from jobs j where j.run_id = r.id
            and exists (select from job_proofs p where p.job_id = j.id)) as drops,
        array(select p.id from job_proofs p join jobs j on j.id = p.job_id where j.run_id = r.id order by p.id)
            as job_proof_ids,
        r.start_odometer, r.end_odometer, r.additional_billing_kms, r.billing_start_time, r.actual_start_time,
        r.actual_end_time, r.validated_at, r.validated_by_id
    from runs r join scenarios s on s.id = r.scenario_id join drivers d on d.id = r.driver_id
        left join vehicles v on v.id = r.vehicle_id
    where r.validated_at is not null
), parts as (
    select c.id, part.place, part.amount, floor(part.amount * 100) as cents
    from charged c cross join lateral (values
        (1, c.rate_cost_per_run), (2, c.km * c.rate_cost_per_km),
        (3, greatest(greatest(c.seconds, 0) * c.rate_cost_per_hour / 3600, c.min_billing_hours * c.rate_cost_per_hour)),
        (4, c.drops * c.rate_cost_per_drop)) as part (place, amount)
), told as (
    select id, place, cents + case when row_number() over (partition by id order by amount * 100 - cents desc, place)
        <= round(sum(amount) over (partition by id), 2) * 100 - sum(cents) over (partition by id) then 1 else 0 end as cents
    from parts
), sums as (
    select id, sum(cents) / 100 as total, max(cents) filter (where place = 1) / 100 as run_amount,
        max(cents) filter (where place = 2) / 100 as km_amount, max(cents) filter (where place = 3) / 100 as hour_amount,
        max(cents) filter (where place = 4) / 100 as drop_amount
    from told group by id
)
insert into run_bills (run_id, version, kind, run_uid, date, driver, vehicle, rate, rate_source, currency, cost_per_run,
    cost_per_km, cost_per_hour, cost_per_drop, km, hours, drops, stops, run_amount, km_amount, hour_amount, drop_amount,
    total, rounding, evidence, made_at, made_by_id)
select c.id, 1, 'taken_over', c.uid, c.scheduled_date, c.driver, c.vehicle, c.rate_name, c.rate_source,
    c.rate_currency, c.rate_cost_per_run,
    c.rate_cost_per_km, c.rate_cost_per_hour, c.rate_cost_per_drop, c.km,
    greatest(greatest(c.seconds, 0) / 3600.0, c.min_billing_hours), c.drops, c.stops, m.run_amount, m.km_amount,
    m.hour_amount, m.drop_amount, m.total, 'total_half_up_2', jsonb_build_object('start_odometer', c.start_odometer,
        'end_odometer', c.end_odometer, 'additional_billing_kms', c.additional_billing_kms, 'min_billing_hours',
        c.min_billing_hours, 'billing_start_time', c.billing_start_time, 'actual_start_time', c.actual_start_time,
        'actual_end_time', c.actual_end_time, 'billed_seconds', greatest(c.seconds, 0), 'job_proof_ids', c.job_proof_ids),
    c.validated_at, c.validated_by_id
from charged c join sums m on m.id = c.id;

update runs r set bill_id = b.id from run_bills b where b.run_id = r.id;
