-- Leases for writing the facts of a network.

-- One row per network of a facts store (its id). epoch grows with every takeover and never decreases. holder:
-- random name of the holder, null = free. beats: renewals so far; a waiting process checks by its own clock whether they grow
-- within lease_ms. host, pid, place, started: the process, for display and for processes of one machine that see its end. since: unix
-- milliseconds by the holder's clock, for display.
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
