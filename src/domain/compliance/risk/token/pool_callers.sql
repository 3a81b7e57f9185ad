-- Accounts that called pools to trade, the most frequent first: routers, and traders who call a pool themselves. pools: as hex.
SELECT lower(hex(s.caller)) AS caller, count() AS trades
FROM swaps AS s
WHERE s.network = {network:String} AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})))
  AND s.caller != ''
GROUP BY s.caller
ORDER BY trades DESC, s.caller
LIMIT {limit:UInt32}
