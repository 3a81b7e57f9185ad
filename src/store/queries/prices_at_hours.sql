-- Prices of pairs (tokens[i], hours[i]), hours: first second of the hour. A pair without a price is absent.
WITH arrayZip(arrayMap(t -> unhex(t), {tokens:Array(String)}), arrayMap(h -> toDateTime(h, 'UTC'), {hours:Array(UInt32)})) AS pairs
SELECT lower(hex(token)) AS token, hour, price_usd, volume_usd, depth_usd, method, confidence
FROM prices FINAL
WHERE network = {network:String}
  AND token IN arrayMap(t -> unhex(t), {tokens:Array(String)})
  AND hour BETWEEN toDateTime(arrayMin({hours:Array(UInt32)}), 'UTC') AND toDateTime(arrayMax({hours:Array(UInt32)}), 'UTC')
  AND (token, hour) IN pairs
ORDER BY token, hour
