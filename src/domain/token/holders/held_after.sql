-- Addresses that held a token at any block up to to_block, in order, from one on: those of the stored sums, of movements after these, and of
-- balances before the first indexed block. An address may have nothing left. token: hex, '' = native coin. after: hex, '' = from the first.
SELECT DISTINCT lower(hex(holder)) AS holder
FROM (
  SELECT holder
  FROM balances
  WHERE network = {network:String} AND token = unhex({token:String}) AND holder > unhex({after:String})
  GROUP BY holder
  HAVING min(first_block) <= {to_block:UInt64}
  ORDER BY holder
  LIMIT {limit:UInt32}
  UNION ALL
  SELECT side AS holder
  FROM token_ledger
  ARRAY JOIN [source, destination] AS side
  PREWHERE network = {network:String} AND token = unhex({token:String})
  WHERE block_number > {final_block:UInt64} AND block_number <= {to_block:UInt64} AND side > unhex({after:String})
  UNION ALL
  SELECT holder
  FROM openings_by_token
  WHERE network = {network:String} AND token = unhex({token:String}) AND holder > unhex({after:String})
  GROUP BY holder
  ORDER BY holder
  LIMIT {limit:UInt32}
)
ORDER BY holder
LIMIT {limit:UInt32}
SETTINGS optimize_aggregation_in_order = 1
