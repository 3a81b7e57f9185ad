-- Pairs of holder and token that have moved in final blocks, in order, after one of them. holder, token: hex, '' for the beginning.
-- A balance of tokens with ids needs an id, so these are left out.
SELECT DISTINCT lower(hex(b.holder)) AS holder_hex, lower(hex(b.token)) AS token_hex
FROM balances_by_holder AS b
WHERE b.network = {network:String} AND b.holder != ''
  AND (b.holder, b.token) > (unhex({holder:String}), unhex({token:String}))
  AND b.token NOT IN (SELECT t.token FROM tokens AS t WHERE t.network = {network:String} AND t.standard = 'erc1155')
ORDER BY b.holder, b.token
LIMIT {pairs:UInt32}
