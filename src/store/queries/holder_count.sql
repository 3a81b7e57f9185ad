-- How many addresses hold a token, and how much they hold together, exact at to_block. token: as hex.
-- below_zero, beyond: addresses whose movements add up to no balance that there can be, less than 0 or more than
-- 2^256 - 1; doubtful: 100 of both, as hex, the first by address.
-- Sums and ledger meet as in wallet_balances.sql.
WITH
  (
    SELECT if(count() = 0, {from_block:UInt64}, max(last_block) + 1)
    FROM balances
    WHERE network = {network:String} AND token = '' AND holder = ''
  ) AS above,
  above <= {to_block:UInt64} + 1 AS is_summed
SELECT
  countIf(top > 0 OR (top = 0 AND amount != 0)) AS holders,
  sumIf(amount, top >= 0) AS supply,
  sumIf(amount_high, top >= 0) AS supply_high,
  countIf(top < 0) AS below_zero,
  countIf(top >= bitShiftLeft(toInt256(1), 128)) AS beyond,
  arrayMap(
    found -> lower(hex(found)),
    groupArraySortedIf(100)(holder_bytes, top < 0 OR top >= bitShiftLeft(toInt256(1), 128))) AS doubtful
FROM (
  SELECT holder_bytes, sum(delta) AS amount, sum(high) AS amount_high,
    amount_high + bitShiftRight(amount - bitShiftLeft(amount_high, 128), 128) AS top
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
)
