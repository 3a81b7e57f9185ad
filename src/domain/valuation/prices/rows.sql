-- Stored prices of these tokens in these hours. Queried as columns. tokens: addresses as hex. hours: their first
-- seconds.
SELECT
  lower(hex(toLowCardinality(p.token))) AS token,
  toUnixTimestamp(p.hour) AS hour,
  p.price_usd AS price_usd,
  p.depth_usd AS depth_usd,
  p.sell_reserve AS sell_reserve,
  p.sell_payout_usd AS sell_payout_usd,
  p.method AS method,
  toLowCardinality(toString(p.confidence)) AS confidence
FROM prices AS p FINAL
WHERE p.network = {network:String}
  AND p.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
  AND p.hour IN (SELECT toDateTime(arrayJoin({hours:Array(UInt32)}), 'UTC') AS wanted)
ORDER BY p.token, hour
