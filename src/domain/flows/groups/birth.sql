-- When a token moved first, as far as it is indexed. token: hex, '' = native coin.
SELECT t.time AS time
FROM token_ledger AS t
WHERE t.network = {network:String} AND t.token = unhex({token:String})
  AND t.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (t._table = 'token_ledger_final') = (t.block_number <= {final_block:UInt64})
ORDER BY t.network, t.token, t.block_number
LIMIT 1
