-- Balances where balances or balances_by_holder differ from the ledger of these blocks: the ledger's value, and which
-- table differs. Holders from low to high (hex; high is exclusive, '' = no end). froms, tos: the blocks whose sums have
-- entered. in_ledger 0: the ledger has no movement. total is the engine's sum, which wraps, and total_upper its part above
-- 128 bits, as in the tables.
SELECT
  lower(hex(token_bytes)) AS token,
  lower(hex(holder_bytes)) AS holder,
  sumIf(amount, source = 'ledger') AS total,
  sumIf(upper, source = 'ledger') AS total_upper,
  sumIf(moves, source = 'ledger') AS transfers,
  minIf(first, source = 'ledger') AS first_block,
  maxIf(last, source = 'ledger') AS last_block,
  countIf(source = 'ledger') AS in_ledger,
  in_ledger != countIf(source = 'balances') OR total != sumIf(amount, source = 'balances')
    OR total_upper != sumIf(upper, source = 'balances')
    OR transfers != sumIf(moves, source = 'balances') OR first_block != minIf(first, source = 'balances')
    OR last_block != maxIf(last, source = 'balances') AS differs,
  in_ledger != countIf(source = 'by_holder') OR total != sumIf(amount, source = 'by_holder')
    OR total_upper != sumIf(upper, source = 'by_holder')
    OR transfers != sumIf(moves, source = 'by_holder') OR first_block != minIf(first, source = 'by_holder')
    OR last_block != maxIf(last, source = 'by_holder') AS differs_by_holder
FROM (
  SELECT 'ledger' AS source, token AS token_bytes, address AS holder_bytes, sum(toInt256(amount) * direction) AS amount,
    sum(toInt256(bitShiftRight(amount, 128)) * direction) AS upper,
    countIf(direction = -1 OR peer != address) AS moves, min(block_number) AS first, max(block_number) AS last
  FROM ledger
  WHERE tail = 0 AND network = {network:String} AND address >= unhex({low:String}) AND ({high:String} = '' OR address < unhex({high:String}))
    AND arrayExists((a, b) -> block_number BETWEEN a AND b, {froms:Array(UInt64)}, {tos:Array(UInt64)})
  GROUP BY token, address
  UNION ALL
  SELECT 'balances', token, holder, sum(amount), sum(high), sum(transfers), min(first_block), max(last_block)
  FROM balances
  WHERE network = {network:String} AND holder != '' AND holder >= unhex({low:String})
    AND ({high:String} = '' OR holder < unhex({high:String}))
  GROUP BY token, holder
  UNION ALL
  SELECT 'by_holder', token, holder, sum(amount), sum(high), sum(transfers), min(first_block), max(last_block)
  FROM balances_by_holder
  WHERE network = {network:String} AND holder != '' AND holder >= unhex({low:String})
    AND ({high:String} = '' OR holder < unhex({high:String}))
  GROUP BY token, holder
)
GROUP BY token_bytes, holder_bytes
HAVING differs OR differs_by_holder
ORDER BY token_bytes, holder_bytes
LIMIT {limit:UInt32}
