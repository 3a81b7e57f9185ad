-- The highest stored price of tokens up to an hour. Tokens without prices are absent. tokens: as hex.
SELECT lower(hex(p.token)) AS token, max(p.price_usd) AS price_usd
FROM prices AS p FINAL
WHERE p.network = {network:String}
  AND p.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND p.hour <= toDateTime({until:UInt32}, 'UTC')
GROUP BY p.token
ORDER BY token
