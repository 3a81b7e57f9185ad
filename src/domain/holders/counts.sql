-- How many addresses hold each of these tokens, exact at to_block. Tokens that nobody holds are absent. tokens: as hex.
-- doubtful: addresses whose movements add up to no balance that there can be.
-- Sums and ledger meet as in wallet_balances.sql.
WITH
  (
    SELECT if(count() = 0, {from_block:UInt64}, max(last_block) + 1)
    FROM balances
    WHERE network = {network:String} AND token = '' AND holder = ''
  ) AS above,
  above <= {to_block:UInt64} + 1 AS is_summed
SELECT lower(hex(token_bytes)) AS token, countIf(top > 0 OR (top = 0 AND amount != 0)) AS holders,
  countIf(top < 0 OR top >= bitShiftLeft(toInt256(1), 128)) AS doubtful
FROM (
  SELECT token_bytes, holder_bytes, sum(delta) AS amount, sum(high) AS amount_high,
    amount_high + bitShiftRight(amount - bitShiftLeft(amount_high, 128), 128) AS top
  FROM (
    SELECT token AS token_bytes, holder AS holder_bytes, sum(amount) AS delta, toInt256(0) AS high
    FROM balances
    WHERE network = {network:String}
      AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
      AND holder != '' AND is_summed
    GROUP BY token, holder
    UNION ALL
    SELECT token, side.1, sum(side.2), toInt256(0)
    FROM token_ledger
    ARRAY JOIN [(source, -toInt256(amount)), (destination, toInt256(amount))] AS side
    WHERE network = {network:String}
      AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
      AND NOT (is_summed AND above > {to_block:UInt64})
      AND block_number BETWEEN if(is_summed, above, {from_block:UInt64}) AND {to_block:UInt64}
      AND side.1 != ''
    GROUP BY token, side.1
    UNION ALL
    SELECT token, side.1, toInt256(0), sum(side.2)
    FROM token_ledger
    ARRAY JOIN [
      (source, -toInt256(bitShiftRight(amount, 128))),
      (destination, toInt256(bitShiftRight(amount, 128)))
    ] AS side
    WHERE network = {network:String}
      AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
      AND amount >= bitShiftLeft(toUInt256(1), 128)
      AND (is_summed OR block_number >= {from_block:UInt64})
      AND block_number <= {to_block:UInt64}
      AND side.1 != ''
    GROUP BY token, side.1
    UNION ALL
    SELECT token, holder, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128))
    FROM openings_by_token
    WHERE network = {network:String}
      AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
      AND block_number <= {from_block:UInt64}
    GROUP BY token, holder
  )
  GROUP BY token_bytes, holder_bytes
  HAVING amount != 0 OR top != 0
)
GROUP BY token_bytes
ORDER BY token
