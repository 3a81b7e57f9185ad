-- The newest price from a pool in the 24 hours before an hour. The native coin is left out: no pool holds it, and it
-- has the price of its wrapped form. tokens: addresses as hex, an empty list means all. before: first second of the
-- hour.
SELECT lower(hex(p.token)) AS token, argMax(p.price_usd, tuple(p.hour, p.version)) AS price_usd, toUnixTimestamp(max(p.hour)) AS hour
FROM prices AS p
WHERE p.network = {network:String}
  AND (empty({tokens:Array(String)}) OR p.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted))
  AND p.hour >= toDateTime({before:UInt32} - 86400, 'UTC')
  AND p.hour < toDateTime({before:UInt32}, 'UTC')
  AND p.method = 'market'
  AND p.token != ''
GROUP BY p.token
ORDER BY token
