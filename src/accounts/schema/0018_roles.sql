-- Rights inside an account (docs/design/tenancy.md).

-- role: of a user inside the account, null = a user of no account. It replaces may_make_keys, which is 0 from here on.
-- A user who could make keys becomes key_manager, any other caller, and the first user of each account its owner.
alter table users add column role text;
update users set role = case when may_make_keys = 1 then 'key_manager' else 'caller' end where account_id is not null;
update users set role = 'owner' where account_id is not null and removed_at is null and not exists (
  select 1 from users e where e.account_id = users.account_id and e.removed_at is null
    and (e.created_at < users.created_at or (e.created_at = users.created_at and e.id < users.id)));
update users set may_make_keys = 0;

-- Actors as named in the audit trail. created_by, rotated_by: the receiver of the secret when the key was made and last rotated, null =
-- before this column, or never rotated. previous_by: the receiver of the secret that works until previous_until.
alter table keys add column created_by text;
alter table keys add column rotated_by text;
alter table keys add column rotated_at bigint;
alter table keys add column previous_by text;

create index audit_subject on audit (subject, seq);
