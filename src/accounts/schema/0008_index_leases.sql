-- Who may write the facts of a network.

-- One row per network of a facts store (its identity). epoch grows at every change of hands and never goes back. holder:
-- random name of one holding, null = free. beats: renewals so far; whoever waits sees by its own clock whether they go on
-- within lease_ms. host, pid, place, started: the process, for people and for neighbours that see its end. since: unix
-- milliseconds by the holder's clock, for people.
create table index_leases (
  facts text not null,
  network text not null,
  epoch bigint not null,
  holder text,
  beats bigint not null,
  lease_ms bigint not null,
  host text not null,
  pid bigint not null,
  place text not null,
  started text not null,
  since bigint not null,
  primary key (facts, network)
);
