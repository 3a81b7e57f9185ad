-- Accounts that moved a token inside some blocks and were seen first less than fresh_s seconds before they did.
-- token: hex, '' = native coin. first_block, last_block: blocks that count.
SELECT lower(hex(p.party)) AS address, p.first_flow AS first_flow
FROM (
  SELECT arrayJoin([o.source, o.destination]) AS party, toUInt32(toUnixTimestamp(min(o.time))) AS first_flow
  FROM token_ledger AS o
  WHERE o.network = {network:String} AND o.token = unhex({token:String})
    AND o.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
  GROUP BY party
) AS p
INNER JOIN (
  SELECT f.address AS address, toUInt32(toUnixTimestamp(min(f.time))) AS first_time
  FROM ledger AS f
  WHERE f.network = {network:String}
    AND f.address IN (
      SELECT arrayJoin([q.source, q.destination]) AS party
      FROM token_ledger AS q
      PREWHERE q.network = {network:String} AND q.token = unhex({token:String})
      WHERE q.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64}))
  GROUP BY f.address
) AS s ON s.address = p.party
WHERE p.party != '' AND p.first_flow < s.first_time + {fresh_s:UInt32}
ORDER BY address
LIMIT {limit:UInt32}
