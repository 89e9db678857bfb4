-- unknown: the process was lost while it handed the message over; it may have been sent.
alter table messages drop constraint messages_state_check;
alter table messages add constraint messages_state_check
    check (state in ('pending', 'sending', 'sent', 'failed', 'unknown'));
