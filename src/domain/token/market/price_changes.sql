-- Tokens with a market price in the newest stored hour up to `until` and in the hour `window_s` before it, by the change between both.
-- direction: 1 gainers first, -1 losers first. volume_usd: of the hours after the earlier one. confidence: the lower one of both hours.
WITH (
  SELECT max(n.hour)
  FROM prices AS n
  WHERE n.network = {network:String}
    AND n.hour BETWEEN toDateTime({until:UInt32}, 'UTC') - toIntervalDay(2) AND toDateTime({until:UInt32}, 'UTC')
) AS newest
SELECT
  lower(hex(m.token)) AS token,
  toUnixTimestamp(assumeNotNull(newest)) AS hour,
  m.now_usd AS price_usd,
  m.then_usd AS before_usd,
  m.deep_usd AS depth_usd,
  m.traded_usd AS volume_usd,
  m.rated AS confidence
FROM (
  SELECT
    p.token AS token,
    sumIf(p.price_usd, p.hour = newest) AS now_usd,
    sumIf(p.price_usd, p.hour = newest - toIntervalSecond({window_s:UInt32})) AS then_usd,
    sumIf(p.depth_usd, p.hour = newest) AS deep_usd,
    sumIf(p.volume_usd, p.hour > newest - toIntervalSecond({window_s:UInt32})) AS traded_usd,
    toString(minIf(p.confidence, p.hour = newest OR p.hour = newest - toIntervalSecond({window_s:UInt32}))) AS rated
  FROM prices AS p FINAL
  WHERE p.network = {network:String}
    AND p.hour BETWEEN newest - toIntervalSecond({window_s:UInt32}) AND newest
    AND p.method = 'market'
  GROUP BY p.token
  HAVING now_usd > 0 AND then_usd > 0 AND deep_usd >= {depth_usd_min:Float64}
) AS m
ORDER BY m.now_usd / m.then_usd * {direction:Int8} DESC, token
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
