-- Balances of pairs (tokens[i], holders[i]) before the first indexed block, as far as read. As hex.
SELECT lower(hex(o.token)) AS token, lower(hex(o.holder)) AS holder, any(o.amount) AS amount
FROM openings AS o
WHERE o.network = {network:String} AND o.block_number <= {from_block:UInt64}
  AND (o.holder, o.token) IN (
    SELECT unhex(pair.1), unhex(pair.2)
    FROM (SELECT arrayJoin(arrayZip({holders:Array(String)}, {tokens:Array(String)})) AS pair))
GROUP BY o.holder, o.token
ORDER BY o.holder, o.token
SETTINGS max_threads = 1
