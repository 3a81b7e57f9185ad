-- Members of the cohorts that take a computation (03, 3.4), one list per network, cohort and UTC day (`day`: whole days since
-- 1970; the list is as of its end). A list is one insert and never changes; its row with address '' says that it is there
-- and how long it is (`rank`). rules: version of the rules that made it.
CREATE TABLE IF NOT EXISTS cohorts_daily (
  network LowCardinality(String), cohort LowCardinality(String), day UInt32, address String, rank UInt32,
  closed_trades UInt32, tokens UInt32, win_rate_percent Float64, realized_usd Float64, cost_coverage_percent Float64,
  rules LowCardinality(String), block_number UInt64
) ENGINE = ReplacingMergeTree(block_number) ORDER BY (network, cohort, rules, day, address)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 2048;
