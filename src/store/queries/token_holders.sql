-- Holders of a token whose sum is above zero, exact at to_block, largest first. token: as hex, '' = native coin.
-- top: what lies above 128 bits of the true sum. Sums and ledger meet as in wallet_balances.sql.
WITH
  (
    SELECT if(count() = 0, {from_block:UInt64}, max(last_block) + 1)
    FROM balances
    WHERE network = {network:String} AND token = '' AND holder = ''
  ) AS above,
  above <= {to_block:UInt64} + 1 AS is_summed
SELECT
  lower(hex(holder_bytes)) AS holder,
  sum(delta) AS amount,
  sum(high) AS amount_high
FROM (
  SELECT holder AS holder_bytes, sum(amount) AS delta, toInt256(0) AS high
  FROM balances
  WHERE network = {network:String} AND token = unhex({token:String}) AND holder != '' AND is_summed
  GROUP BY holder
  UNION ALL
  SELECT side.1, sum(side.2), toInt256(0)
  FROM token_ledger
  ARRAY JOIN [(source, -toInt256(amount)), (destination, toInt256(amount))] AS side
  WHERE network = {network:String}
    AND token = unhex({token:String})
    AND NOT (is_summed AND above > {to_block:UInt64})
    AND block_number BETWEEN if(is_summed, above, {from_block:UInt64}) AND {to_block:UInt64}
    AND side.1 != ''
  GROUP BY side.1
  UNION ALL
  SELECT side.1, toInt256(0), sum(side.2)
  FROM token_ledger
  ARRAY JOIN [
    (source, -toInt256(bitShiftRight(amount, 128))),
    (destination, toInt256(bitShiftRight(amount, 128)))
  ] AS side
  WHERE network = {network:String}
    AND token = unhex({token:String})
    AND amount >= bitShiftLeft(toUInt256(1), 128)
    AND (is_summed OR block_number >= {from_block:UInt64})
    AND block_number <= {to_block:UInt64}
    AND side.1 != ''
  GROUP BY side.1
  UNION ALL
  SELECT holder, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128))
  FROM openings_by_token
  WHERE network = {network:String} AND token = unhex({token:String}) AND block_number <= {from_block:UInt64}
  GROUP BY holder
)
GROUP BY holder_bytes
HAVING (amount_high + bitShiftRight(amount - bitShiftLeft(amount_high, 128), 128) AS top) > 0 OR (top = 0 AND amount != 0)
ORDER BY top DESC, toUInt256(amount) DESC, holder_bytes
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
