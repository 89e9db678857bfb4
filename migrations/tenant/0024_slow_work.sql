-- Where the address search found addresses of imports: an import that is refused, or sent again, does not look them up again.
-- In lower case.
create table looked_up_addresses (
    address text primary key,
    lat double precision not null,
    lon double precision not null,
    looked_up timestamptz not null default now(),
    constraint looked_up_addresses_address_check check (length(address) <= 500)
);

create index looked_up_addresses_looked_up_idx on looked_up_addresses (looked_up);

-- unknown: the process was lost while it handed the message over; it may have been sent.
alter table messages drop constraint messages_state_check;
alter table messages add constraint messages_state_check
    check (state in ('pending', 'sending', 'sent', 'failed', 'unknown'));
