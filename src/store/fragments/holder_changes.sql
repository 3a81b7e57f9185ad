-- Balance changes of token holders after the precomputed sums (rest_sign -1: within the sums, to be subtracted) and their opening
-- balances, one row for each. tokens: hex.
SELECT token AS token_bytes, side.1 AS holder_bytes, toInt256(amount) * side.2 AS delta,
  toInt256(bitShiftRight(amount, 128)) * side.2 AS high
FROM token_ledger
ARRAY JOIN [(source, -{rest_sign:Int8}), (destination, {rest_sign:Int8})] AS side
PREWHERE network = {network:String} AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
WHERE block_number BETWEEN {rest_from:UInt64} AND {rest_to:UInt64} AND tail >= ({rest_from:UInt64} > {final_block:UInt64})
  AND side.1 != ''
UNION ALL
SELECT token, holder, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128))
FROM openings_by_token
PREWHERE network = {network:String} AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
WHERE block_number <= {from_block:UInt64}
GROUP BY token, holder
