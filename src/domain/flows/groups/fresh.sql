-- Accounts that moved a token inside some blocks and were seen first less than fresh_s seconds before they did, by address.
-- token: hex, '' = native coin. first_block, last_block: blocks that count.
WITH
  f.token = unhex({token:String})
    AND f.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64}) AS is_flow
SELECT lower(hex(f.address)) AS address, toUInt32(toUnixTimestamp(minIf(f.time, is_flow))) AS first_flow
FROM ledger AS f
WHERE f.network = {network:String}
  AND f.address IN (
    SELECT arrayJoin([q.source, q.destination]) AS party
    FROM token_ledger AS q
    PREWHERE q.network = {network:String} AND q.token = unhex({token:String})
    WHERE q.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64}))
GROUP BY f.address
HAVING first_flow < toUnixTimestamp(min(f.time)) + {fresh_s:UInt32}
ORDER BY f.address
LIMIT {limit:UInt32}
SETTINGS optimize_aggregation_in_order = 1
