-- The highest stored price of tokens up to an hour, with what could be sold at it. Tokens without prices are absent. tokens: as hex.
SELECT lower(hex(p.token)) AS token, max(p.price_usd) AS price_usd,
  argMax(p.sell_reserve, tuple(p.price_usd, p.hour)) AS sell_reserve,
  argMax(p.sell_payout_usd, tuple(p.price_usd, p.hour)) AS sell_payout_usd
FROM prices AS p FINAL
WHERE p.network = {network:String}
  AND p.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND p.hour <= toDateTime({until:UInt32}, 'UTC')
GROUP BY p.token
ORDER BY token
