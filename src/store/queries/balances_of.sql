-- Balances of pairs (tokens[i], holders[i]), exact at to_block, a pair that was never touched is absent. As hex.
-- Sums and ledger meet as in wallet_balances.sql.
WITH
  (
    SELECT if(count() = 0, {from_block:UInt64}, max(last_block) + 1)
    FROM balances_by_holder
    WHERE network = {network:String} AND holder = '' AND token = ''
  ) AS above,
  above <= {to_block:UInt64} + 1 AS is_summed,
  pairs AS (
    SELECT unhex(pair.1) AS holder, unhex(pair.2) AS token
    FROM (SELECT arrayJoin(arrayZip({holders:Array(String)}, {tokens:Array(String)})) AS pair)
  )
SELECT
  lower(hex(token_bytes)) AS token,
  lower(hex(holder_bytes)) AS holder,
  sum(delta) AS amount,
  sum(high) AS amount_high
FROM (
  SELECT token AS token_bytes, holder AS holder_bytes, sum(amount) AS delta, toInt256(0) AS high
  FROM balances_by_holder
  WHERE network = {network:String} AND (holder, token) IN (SELECT holder, token FROM pairs) AND is_summed
  GROUP BY token, holder
  UNION ALL
  SELECT token, address, sum(toInt256(amount) * direction), toInt256(0)
  FROM ledger
  WHERE network = {network:String}
    AND address IN (SELECT holder FROM pairs)
    AND (address, token) IN (SELECT holder, token FROM pairs)
    AND NOT (is_summed AND above > {to_block:UInt64})
    AND block_number BETWEEN if(is_summed, above, {from_block:UInt64}) AND {to_block:UInt64}
  GROUP BY token, address
  UNION ALL
  SELECT token, address, toInt256(0), sum(toInt256(bitShiftRight(amount, 128)) * direction)
  FROM ledger
  WHERE network = {network:String}
    AND address IN (SELECT holder FROM pairs)
    AND (address, token) IN (SELECT holder, token FROM pairs)
    AND amount >= bitShiftLeft(toUInt256(1), 128)
    AND (is_summed OR block_number >= {from_block:UInt64})
    AND block_number <= {to_block:UInt64}
  GROUP BY token, address
  UNION ALL
  SELECT token, holder, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128))
  FROM openings
  WHERE network = {network:String} AND (holder, token) IN (SELECT holder, token FROM pairs) AND block_number <= {from_block:UInt64}
  GROUP BY token, holder
)
GROUP BY token_bytes, holder_bytes
ORDER BY token_bytes, holder_bytes
