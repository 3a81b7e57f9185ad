-- Paid answers that accounts keep (docs/design/portal.md), so that their people see them again without another charge.

-- question: SHA-256 of tool and arguments. body: the answer as it was sent, JSON.
create table kept_answers (
  account_id text not null references accounts (id) on delete cascade,
  question text not null,
  tool text not null,
  request_id text not null,
  credits bigint not null,
  bytes bigint not null,
  kept_at bigint not null,
  body text not null,
  primary key (account_id, question)
);
create index kept_answers_age on kept_answers (kept_at);
