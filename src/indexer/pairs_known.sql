-- Which of these pairs of holder and token have moved in a segment that is written already.
-- holders, tokens: addresses as hex, in parallel.
SELECT DISTINCT lower(hex(b.holder)) AS holder, lower(hex(b.token)) AS token
FROM balances_by_holder AS b
WHERE b.network = {network:String}
  AND (b.holder, b.token) IN (
    SELECT unhex(pair.1), unhex(pair.2)
    FROM (SELECT arrayJoin(arrayZip({holders:Array(String)}, {tokens:Array(String)})) AS pair)
  )
ORDER BY holder, token
