-- Balances of a wallet before the first indexed block, as far as read. wallet: as hex.
SELECT lower(hex(o.token)) AS token, any(o.amount) AS amount, any(o.block_number) AS block_number
FROM openings AS o
WHERE o.network = {network:String} AND o.holder = unhex({wallet:String}) AND o.block_number <= {from_block:UInt64}
GROUP BY o.token
ORDER BY o.token
SETTINGS max_threads = 1
