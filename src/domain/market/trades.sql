-- Trades of one token in verified pools by period, counted back from a moment: period 0 ends there.
-- token: hex, never ''. until: unix seconds, inside. period_s: seconds. since: unix seconds, outside.
-- hours, prices: USD price of one whole token by hour, in parallel: a swap in another hour has no value.
-- bought: what pools gave, sold: what they took, base units.
SELECT
  v.period AS period,
  count() AS trades,
  countIf(v.change < 0) AS buys,
  countIf(v.change > 0) AS sells,
  uniqExactIf(v.trader, v.change < 0) AS buyers,
  uniqExactIf(v.trader, v.change > 0) AS sellers,
  uniqExact(v.trader) AS traders,
  sumIf(abs(v.change), v.change < 0) AS bought,
  sumIf(bitShiftRight(abs(v.change), 128), v.change < 0) AS bought_high,
  sumIf(abs(v.change), v.change > 0) AS sold,
  sumIf(bitShiftRight(abs(v.change), 128), v.change > 0) AS sold_high,
  sumIf(v.usd, v.change < 0 AND v.price_usd >= 0) AS bought_usd,
  sumIf(v.usd, v.change > 0 AND v.price_usd >= 0) AS sold_usd,
  countIf(v.price_usd < 0) AS unpriced,
  quantileExactInclusive(0.5)(v.usd) AS median_usd
FROM (
      SELECT
        toUInt32(intDiv({until:UInt32} - toUnixTimestamp(s.time), {period_s:UInt32})) AS period,
        s.trader AS trader,
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
GROUP BY v.period
ORDER BY period
