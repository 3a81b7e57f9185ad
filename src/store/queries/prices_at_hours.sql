-- Prices of pairs (tokens[i], hours[i]), hours: first second of the hour. A pair without a price is absent.
WITH pairs AS (
  SELECT unhex(pair.1) AS token, toDateTime(pair.2, 'UTC') AS hour
  FROM (SELECT arrayJoin(arrayZip({tokens:Array(String)}, {hours:Array(UInt32)})) AS pair)
)
SELECT lower(hex(token)) AS token, hour, price_usd, volume_usd, depth_usd, sell_reserve, sell_payout_usd, method, confidence
FROM prices FINAL
WHERE network = {network:String}
  AND token IN (SELECT token FROM pairs)
  AND hour BETWEEN toDateTime(arrayMin({hours:Array(UInt32)}), 'UTC') AND toDateTime(arrayMax({hours:Array(UInt32)}), 'UTC')
  AND (token, hour) IN (SELECT token, hour FROM pairs)
ORDER BY token, hour
