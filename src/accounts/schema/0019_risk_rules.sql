-- Limits for the exposure of wallets that operators set in the portal; rows are only added, and the newest one of a rule counts.
-- version counts from 1 over all rules. rule: JSON, null = removed. actor: as named in the audit trail.
create table risk_rules (
  version bigint primary key,
  rule_id text not null,
  rule text,
  actor text not null,
  at bigint not null
);
create index risk_rules_rule on risk_rules (rule_id, version);
