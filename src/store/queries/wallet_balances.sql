-- What a wallet holds of every token that it ever touched, exact at to_block. wallet: as hex.
-- Sums reach up to `above`, ledger rows from there on are added. Where sums reach beyond to_block the ledger is summed.
-- What lies above 128 bits is summed from the ledger alone, whose index finds such rows at once: see lib/wide.ts.
-- One query sees one state of each table (enable_shared_storage_snapshot_in_query): sums and marker belong together.
WITH
  (
    SELECT if(count() = 0, {from_block:UInt64}, max(last_block) + 1)
    FROM balances_by_holder
    WHERE network = {network:String} AND holder = '' AND token = ''
  ) AS above,
  above <= {to_block:UInt64} + 1 AS is_summed
SELECT
  lower(hex(token_bytes)) AS token,
  sum(delta) AS amount,
  sum(high) AS amount_high,
  sum(moves) AS transfers,
  min(first) AS first_block,
  max(last) AS last_block
FROM (
  SELECT
    token AS token_bytes,
    sum(amount) AS delta,
    toInt256(0) AS high,
    sum(transfers) AS moves,
    min(first_block) AS first,
    max(last_block) AS last
  FROM balances_by_holder
  WHERE network = {network:String} AND holder = unhex({wallet:String}) AND is_summed
  GROUP BY token
  UNION ALL
  SELECT
    token,
    sum(toInt256(amount) * direction),
    toInt256(0),
    countIf(direction = -1 OR peer != address),
    min(block_number),
    max(block_number)
  FROM ledger
  WHERE network = {network:String}
    AND address = unhex({wallet:String})
    AND NOT (is_summed AND above > {to_block:UInt64})
    AND block_number BETWEEN if(is_summed, above, {from_block:UInt64}) AND {to_block:UInt64}
  GROUP BY token
  UNION ALL
  SELECT token, toInt256(0), sum(toInt256(bitShiftRight(amount, 128)) * direction), toUInt64(0), min(block_number), max(block_number)
  FROM ledger
  WHERE network = {network:String}
    AND address = unhex({wallet:String})
    AND amount >= bitShiftLeft(toUInt256(1), 128)
    AND (is_summed OR block_number >= {from_block:UInt64})
    AND block_number <= {to_block:UInt64}
  GROUP BY token
  UNION ALL
  SELECT token, toInt256(any(amount)), toInt256(bitShiftRight(any(amount), 128)), toUInt64(0), any(block_number), any(block_number)
  FROM openings
  WHERE network = {network:String} AND holder = unhex({wallet:String}) AND block_number <= {from_block:UInt64}
  GROUP BY token
)
GROUP BY token_bytes
ORDER BY token_bytes
