-- Newest price of each of these tokens in hours from `since` to `until` (unix seconds, inclusive). tokens: as hex.
SELECT
  lower(hex(token)) AS token,
  max(hour) AS hour,
  argMax(price_usd, (hour, version)) AS price_usd,
  argMax(volume_usd, (hour, version)) AS volume_usd,
  argMax(depth_usd, (hour, version)) AS depth_usd,
  argMax(method, (hour, version)) AS method,
  argMax(confidence, (hour, version)) AS confidence
FROM prices
WHERE network = {network:String}
  AND token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
  AND hour BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({until:UInt32}, 'UTC')
GROUP BY token
ORDER BY token
