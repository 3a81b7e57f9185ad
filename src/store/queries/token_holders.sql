-- Token holders, exact at to_block, with the columns of fragments/holder_columns.sql. Tokens that never moved are absent. tokens: as hex.
-- Most holders come from the precomputed sums and are aggregated in reading order, since the sums of one address are adjacent; only holders
-- that moved since, or had an opening balance, are in memory at the same time. One read sees the sums and their end in one state. Reads
-- one of so many `shards` of the holders.
WITH
  @holder_columns
FROM (
  SELECT if(s.is_kept, s.token_bytes, d.token_bytes) AS token_bytes, if(s.is_kept, s.holder_bytes, d.holder_bytes) AS holder_bytes,
    s.kept + d.delta AS held, s.kept_high + d.high AS held_high,
    held_high + bitShiftRight(held - bitShiftLeft(held_high, 128), 128) AS top, s.reach AS reach
  FROM (
    SELECT if(token = '' AND holder = '', unhex('ff'), token) AS token_bytes, holder AS holder_bytes, true AS is_kept,
      sipHash128(token, holder) AS key, sum(amount) AS kept, sum(high) AS kept_high,
      if(token = '' AND holder = '', max(last_block) + 1, 0) AS reach
    FROM balances
    WHERE network = {network:String} AND {with_sums:UInt8}
      AND (token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted) OR (token = '' AND holder = ''))
      AND (cityHash64(holder) % {shards:UInt32} = {shard:UInt32} OR (token = '' AND holder = ''))
    GROUP BY token, holder
  ) AS s
  FULL JOIN (
    SELECT token_bytes, holder_bytes, sipHash128(token_bytes, holder_bytes) AS key, sum(delta) AS delta, sum(high) AS high
    FROM (@holder_changes)
    WHERE cityHash64(holder_bytes) % {shards:UInt32} = {shard:UInt32}
    GROUP BY token_bytes, holder_bytes
  ) AS d ON d.key = s.key
) AS c
GROUP BY c.token_bytes
ORDER BY token
SETTINGS optimize_aggregation_in_order = 1
