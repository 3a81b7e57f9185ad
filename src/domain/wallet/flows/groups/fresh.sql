-- Accounts that moved a token in a range of blocks less than fresh_s seconds after their first movement, by address.
-- token: hex, '' = native coin. first_block, last_block: the range. since: unix seconds; an account that moved anything
-- by then is not fresh in the range, as in flows.sql.
WITH
  movers AS MATERIALIZED (
    SELECT DISTINCT arrayJoin([q.source, q.destination]) AS address
    FROM token_ledger AS q
    PREWHERE q.network = {network:String} AND q.token = unhex({token:String})
    WHERE q.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
  ),
  f.token = unhex({token:String})
    AND f.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64}) AS is_flow
SELECT lower(hex(f.address)) AS address, toUInt32(toUnixTimestamp(minIf(f.time, is_flow))) AS first_flow
FROM ledger AS f
WHERE f.network = {network:String}
  AND f.address IN (
    SELECT m.address FROM movers AS m
    WHERE m.address NOT IN (
      SELECT b.holder FROM balances_by_holder AS b
      WHERE b.network = {network:String} AND b.holder IN (SELECT address FROM movers) AND b.first_block < {earliest_block:UInt64}))
GROUP BY f.address
HAVING first_flow < toUnixTimestamp(min(f.time)) + {fresh_s:UInt32} AND min(f.time) > toDateTime({since:UInt32}, 'UTC')
ORDER BY f.address
LIMIT {limit:UInt32}
SETTINGS optimize_aggregation_in_order = 1
