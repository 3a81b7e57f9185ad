-- Time of the first indexed movement of a token. token: hex, '' = native coin.
SELECT t.time AS time
FROM token_ledger AS t
WHERE t.network = {network:String} AND t.token = unhex({token:String})
ORDER BY t.network, t.token, t.block_number
LIMIT 1
