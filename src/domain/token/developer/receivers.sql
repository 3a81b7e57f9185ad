-- Addresses that received tokens from the developer or by a mint, by when they first did. tokens, wallet: as hex.
-- is_minted: by a mint.
SELECT lower(hex(t.token)) AS token, lower(hex(t.destination)) AS receiver, t.source = '' AS is_minted,
  min(t.block_number) AS first_block
FROM token_ledger AS t
WHERE t.network = {network:String}
  AND t.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND (t.source = unhex({wallet:String}) OR t.source = '')
  AND t.destination != '' AND t.amount > 0
GROUP BY t.token, t.destination, is_minted
ORDER BY token, first_block, receiver, is_minted
LIMIT {limit:UInt32} BY token
