-- Holders of a token with a positive balance, exact at to_block, largest first. token: as hex, '' = native coin.
-- Sums and ledger meet as in wallet_balances.sql.
WITH
  (
    SELECT if(count() = 0, {from_block:UInt64}, max(last_block) + 1)
    FROM balances
    WHERE network = {network:String} AND token = '' AND holder = ''
  ) AS above,
  above <= {to_block:UInt64} + 1 AS is_summed
SELECT
  lower(hex(holder_bytes)) AS holder,
  sum(delta) AS amount
FROM (
  SELECT holder AS holder_bytes, sum(amount) AS delta
  FROM balances
  WHERE network = {network:String} AND token = unhex({token:String}) AND holder != '' AND is_summed
  GROUP BY holder
  UNION ALL
  SELECT side.1, sum(side.2)
  FROM token_ledger
  ARRAY JOIN [(source, -toInt256(amount)), (destination, toInt256(amount))] AS side
  WHERE network = {network:String}
    AND token = unhex({token:String})
    AND NOT (is_summed AND above > {to_block:UInt64})
    AND block_number BETWEEN if(is_summed, above, {from_block:UInt64}) AND {to_block:UInt64}
    AND (_table = 'token_ledger_final') = (block_number <= {final_block:UInt64})
    AND side.1 != ''
  GROUP BY side.1
  UNION ALL
  SELECT holder, toInt256(any(amount))
  FROM openings_by_token
  WHERE network = {network:String} AND token = unhex({token:String}) AND block_number <= {from_block:UInt64}
  GROUP BY holder
)
GROUP BY holder_bytes
HAVING amount > 0
ORDER BY amount DESC, holder_bytes
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
