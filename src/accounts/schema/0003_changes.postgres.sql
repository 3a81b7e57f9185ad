-- PostgreSQL only (SQLite has `pragma data_version`): a number that grows with every committed change to data that processes
-- cache, and a notification to listening processes. Times of last use do not count.
create table changes (
  only_row bigint primary key check (only_row = 1),
  revision bigint not null
);
insert into changes (only_row, revision) values (1, 0);

create function assay_changed() returns trigger language plpgsql as
  'begin update changes set revision = revision + 1; notify assay_changes; return null; end';

create trigger keys_changed after insert or delete or
  update of digest, previous_digest, previous_until, scopes, limit_per_minute, revoked_at on keys
  for each statement execute function assay_changed();
create trigger accounts_changed after update on accounts for each statement execute function assay_changed();
create trigger plans_changed after insert or update on plans for each statement execute function assay_changed();
create trigger prices_changed after insert on prices for each statement execute function assay_changed();
