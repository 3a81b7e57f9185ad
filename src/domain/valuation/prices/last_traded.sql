-- The last price from a pool for each token, of any age, with what could be sold at it. tokens: addresses as hex. before: unix seconds, exclusive.
SELECT lower(hex(p.token)) AS token, argMax(p.price_usd, tuple(p.hour, p.version)) AS price_usd,
  argMax(p.sell_reserve, tuple(p.hour, p.version)) AS sell_reserve,
  argMax(p.sell_payout_usd, tuple(p.hour, p.version)) AS sell_payout_usd
FROM prices AS p
WHERE p.network = {network:String}
  AND p.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND p.hour < toDateTime({before:UInt32}, 'UTC')
  AND p.method = 'market'
GROUP BY p.token
ORDER BY token
