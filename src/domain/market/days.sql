-- What verified pools traded of one token in each of the days that end at a moment: day 0 by pool, older days in one row.
-- token: hex, never ''. until: unix seconds, inside. since: unix seconds, outside.
-- hours, prices: USD price of one whole token by hour, in parallel: a swap in another hour has no value.
SELECT
  v.day AS day,
  v.pool AS pool,
  sum(abs(toFloat64(v.change))) AS amount,
  sumIf(v.usd, v.price_usd >= 0) AS usd,
  countIf(v.price_usd < 0) AS unpriced
FROM (
      SELECT
        toUInt32(intDiv({until:UInt32} - toUnixTimestamp(s.time), 86400)) AS day,
        if(day = 0, lower(hex(s.pool)), '') AS pool,
        if(p.is_first, s.amount0, s.amount1) AS change,
        transform(
          toUInt32(toStartOfHour(s.time, 'UTC')), {hours:Array(UInt32)}, {prices:Array(Float64)}, toFloat64(-1)) AS price_usd,
        abs(toFloat64(change)) / exp10({decimals:UInt8}) * price_usd AS usd
      FROM swaps AS s
      INNER JOIN (
        SELECT pool, max(is_first) AS is_first
        FROM (
          SELECT q.pool AS pool, q.token0 = unhex({token:String}) AS is_first
          FROM pools AS q
          WHERE q.network = {network:String}
            AND q.venue != ''
            AND (q.token0 = unhex({token:String}) OR q.token1 = unhex({token:String}))
          UNION ALL
          SELECT r.pool AS pool, r.token0 = unhex({token:String}) AS is_first
          FROM pools_read AS r
          WHERE r.network = {network:String}
            AND r.venue != ''
            AND (r.token0 = unhex({token:String}) OR r.token1 = unhex({token:String}))
        )
        GROUP BY pool
      ) AS p ON p.pool = s.pool
      WHERE s.network = {network:String}
        AND s.time > toDateTime({since:UInt32}, 'UTC')
        AND s.time <= toDateTime({until:UInt32}, 'UTC')
) AS v
WHERE v.change != 0
GROUP BY v.day, v.pool
ORDER BY day, pool
