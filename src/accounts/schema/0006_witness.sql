-- Check whether processes use the same store: one writes a question under a random name, and every other one that reads it
-- writes an answer. The table holds nothing else, and rows are deleted after minutes.
create table witness (
  nonce text not null,
  instance text not null,
  is_question bigint not null,
  created_at bigint not null,
  primary key (nonce, instance)
);
