-- Movements of one token from a block on, oldest first, at most `limit`. Read as columns. token: hex, '' = native coin.
SELECT toUnixTimestamp(t.time) AS time, lower(hex(toLowCardinality(t.source))) AS source,
  lower(hex(toLowCardinality(t.destination))) AS destination, t.amount AS amount
FROM token_ledger AS t
WHERE t.network = {network:String} AND t.token = unhex({token:String}) AND t.block_number >= {since_block:UInt64}
  AND t.amount > 0 AND t.source != t.destination
ORDER BY t.block_number, t.tx_index, t.position
LIMIT {limit:UInt32}
