-- Ids of the pieces of some collections that a wallet holds, the last received first, at most `most` per collection.
-- tokens, wallet: hex.
SELECT lower(hex(l.token)) AS token, l.token_id AS token_id
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.kind IN ('erc721', 'erc1155')
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
GROUP BY l.token, l.token_id
HAVING sum(toInt256(l.amount) * l.direction) > 0
ORDER BY token, max(l.block_number) DESC, max(l.position) DESC, token_id
LIMIT {most:UInt32} BY token
