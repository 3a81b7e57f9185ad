-- Of each holder of a token what its kept sum, later movements and what it began with add up to: to be summed. token: hex.
-- reach: 0, but of the void the block behind the end of the sums. One read sees both in one state.
SELECT holder AS holder_bytes, sum(amount) AS delta, sum(high) AS high, if(holder = '', max(last_block) + 1, 0) AS reach
FROM balances
WHERE network = {network:String} AND {with_sums:UInt8}
  AND (token = unhex({token:String}) OR (token = '' AND holder = ''))
GROUP BY holder
UNION ALL
SELECT side.1, sum(side.2), sum(side.3), toUInt64(0)
FROM token_ledger
ARRAY JOIN [
  (source, -toInt256(amount), -toInt256(bitShiftRight(amount, 128))),
  (destination, toInt256(amount), toInt256(bitShiftRight(amount, 128)))
] AS side
WHERE network = {network:String}
  AND token = unhex({token:String})
  AND block_number BETWEEN {rest_from:UInt64} AND {rest_to:UInt64} AND tail >= ({rest_from:UInt64} > {final_block:UInt64})
  AND side.1 != ''
GROUP BY side.1
UNION ALL
SELECT holder, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128)), toUInt64(0)
FROM openings_by_token
WHERE network = {network:String} AND token = unhex({token:String}) AND block_number <= {from_block:UInt64}
GROUP BY holder
