-- Whether processes have the same store in hand: one writes a question under a random name, and every other one that reads it
-- there writes an answer. Nothing else is in it, and no row stays for more than minutes.
create table witness (
  nonce text not null,
  instance text not null,
  is_question bigint not null,
  created_at bigint not null,
  primary key (nonce, instance)
);
