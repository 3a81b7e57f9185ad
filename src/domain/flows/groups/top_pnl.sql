-- Traders of one token in verified pools by what they made of it, largest first, those with a gain only.
-- token: hex, never ''. Prices are stored up to `stored_until` (unix seconds) for whole tokens of `decimals`; those of later
-- hours come as late_hours and late_units (USD per base unit, in parallel). A swap in an hour without a price takes its
-- trader out. unit_now: the present price of a base unit. Sold beyond what was bought counts pro rata.
SELECT lower(hex(t.trader)) AS trader, t.pnl_usd AS pnl_usd
FROM (
  SELECT g.trader AS trader,
    if(g.sold > g.bought, g.sold_usd * g.bought / g.sold, g.sold_usd) - g.bought_usd
      + greatest(g.bought - g.sold, 0) * {unit_now:Float64} AS pnl_usd
  FROM (
    SELECT v.trader AS trader,
      sumIf(-toFloat64(v.change), v.change < 0) AS bought, sumIf(toFloat64(v.change), v.change > 0) AS sold,
      sumIf(-toFloat64(v.change) * v.unit_usd, v.change < 0) AS bought_usd,
      sumIf(toFloat64(v.change) * v.unit_usd, v.change > 0) AS sold_usd
    FROM (
      SELECT s.trader AS trader, if(p.is_first, s.amount0, s.amount1) AS change,
        if(h.hour = 0, -1, h.unit) AS unit_usd
      FROM swaps AS s
      INNER JOIN (
        SELECT pool, max(is_first) AS is_first
        FROM (
          SELECT q.pool AS pool, q.token0 = unhex({token:String}) AS is_first
          FROM pools AS q
          WHERE q.network = {network:String} AND q.venue != ''
            AND (q.token0 = unhex({token:String}) OR q.token1 = unhex({token:String}))
          UNION ALL
          SELECT r.pool AS pool, r.token0 = unhex({token:String}) AS is_first
          FROM pools_read AS r
          WHERE r.network = {network:String} AND r.venue != ''
            AND (r.token0 = unhex({token:String}) OR r.token1 = unhex({token:String}))
        )
        GROUP BY pool
      ) AS p ON p.pool = s.pool
      LEFT JOIN (
        SELECT toUInt32(toUnixTimestamp(m.hour)) AS hour, m.price_usd / exp10({decimals:UInt8}) AS unit
        FROM prices AS m FINAL
        WHERE m.network = {network:String} AND m.token = unhex({token:String})
          AND m.hour < toDateTime({stored_until:UInt32}, 'UTC')
        UNION ALL
        SELECT late.1, late.2
        FROM (SELECT arrayJoin(arrayZip({late_hours:Array(UInt32)}, {late_units:Array(Float64)})) AS late)
      ) AS h ON h.hour = toUInt32(toUnixTimestamp(toStartOfHour(s.time, 'UTC')))
      WHERE s.network = {network:String}
    ) AS v
    GROUP BY v.trader
    HAVING min(v.unit_usd) >= 0
  ) AS g
) AS t
WHERE t.pnl_usd > 0
ORDER BY pnl_usd DESC, trader
LIMIT {limit:UInt32}
