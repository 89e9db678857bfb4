-- An organisation that operators suspended: nobody works in it, nothing of it is lost.
alter table organisations
    add column suspended_at timestamptz,
    add column suspension_reason text,
    add constraint organisations_suspension_check
        check ((suspended_at is null) = (suspension_reason is null) and length(suspension_reason) <= 1000
            and (suspended_at is null or not is_master));
