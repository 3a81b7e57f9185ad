-- As holder_changes.sql, of many tokens. tokens: hex.
SELECT token AS token_bytes, holder AS holder_bytes, sum(amount) AS delta, sum(high) AS high,
  if(holder = '', max(last_block) + 1, 0) AS reach
FROM balances
WHERE network = {network:String} AND {with_sums:UInt8}
  AND (token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted) OR (token = '' AND holder = ''))
GROUP BY token, holder
UNION ALL
SELECT token, side.1, sum(side.2), sum(side.3), toUInt64(0)
FROM token_ledger
ARRAY JOIN [
  (source, -toInt256(amount), -toInt256(bitShiftRight(amount, 128))),
  (destination, toInt256(amount), toInt256(bitShiftRight(amount, 128)))
] AS side
WHERE network = {network:String}
  AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND block_number BETWEEN {rest_from:UInt64} AND {rest_to:UInt64} AND tail >= ({rest_from:UInt64} > {final_block:UInt64})
  AND side.1 != ''
GROUP BY token, side.1
UNION ALL
SELECT token, holder, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128)), toUInt64(0)
FROM openings_by_token
WHERE network = {network:String}
  AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND block_number <= {from_block:UInt64}
GROUP BY token, holder
