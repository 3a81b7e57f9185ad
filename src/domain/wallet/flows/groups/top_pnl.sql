-- Traders of one token in some pools by profit, largest first, with a gain of at least a cent. token: hex, never ''.
-- pools, firsts: pools of the token, and those with it as the first coin, hex. Prices are stored up to `stored_until`
-- (unix seconds) for whole tokens of `decimals`; prices of later hours come as late_hours, late_units (USD per base
-- unit), late_reserves and late_payouts, in parallel. A swap in an hour without a price excludes its trader. unit_now,
-- reserve_now, payout_now: the present price of a base unit and what can be sold at it. A sale and what is left count
-- with what pools pay for them, a purchase with price times amount: no gain is greater than the money of buyers. Sales
-- beyond the bought amount count pro rata. The sums are of whole numbers (units, nanodollars): sums of doubles differ
-- between runs, so a trader near zero would appear in some answers and not in others.
WITH
  greatest(g.bought - g.sold, 0) AS moved,
  {unit_now:Float64} AS unit_usd,
  {reserve_now:Float64} AS unit_reserve,
  {payout_now:Float64} AS payout_usd
SELECT lower(hex(g.trader)) AS trader,
  if(g.sold > g.bought, g.sold_usd * g.bought / g.sold, g.sold_usd) - g.bought_usd
    + @worth_usd AS pnl_usd
FROM (
  WITH
    toFloat64(if(s.pool IN (SELECT unhex(arrayJoin({firsts:Array(String)})) AS wanted), s.amount0, s.amount1)) AS change,
    abs(change) AS moved,
    if(h.hour = 0, -1, h.unit) AS known_usd,
    greatest(known_usd, 0) AS unit_usd,
    h.reserve AS unit_reserve,
    h.payout AS payout_usd,
    toInt256(least(moved, 1e60)) AS units,
    toInt256(round(least(moved * unit_usd, 1e30) * 1e9)) AS spent_nano,
    toInt256(round(least(@worth_usd, 1e30) * 1e9)) AS gained_nano
  SELECT s.trader AS trader,
    toFloat64(sumIf(units, change < 0)) AS bought, toFloat64(sumIf(units, change > 0)) AS sold,
    toFloat64(sumIf(spent_nano, change < 0)) / 1e9 AS bought_usd,
    toFloat64(sumIf(gained_nano, change > 0)) / 1e9 AS sold_usd
  FROM swaps AS s
  LEFT JOIN (
    SELECT toUInt32(toUnixTimestamp(m.hour)) AS hour, m.price_usd / exp10({decimals:UInt8}) AS unit,
      m.sell_reserve * exp10({decimals:UInt8}) AS reserve, m.sell_payout_usd AS payout
    FROM prices AS m FINAL
    WHERE m.network = {network:String} AND m.token = unhex({token:String})
      AND m.hour < toDateTime({stored_until:UInt32}, 'UTC')
    UNION ALL
    SELECT late.1, late.2, late.3, late.4
    FROM (
      SELECT arrayJoin(arrayZip({late_hours:Array(UInt32)}, {late_units:Array(Float64)}, {late_reserves:Array(Float64)},
        {late_payouts:Array(Float64)})) AS late)
  ) AS h ON h.hour = toUInt32(toUnixTimestamp(toStartOfHour(s.time, 'UTC')))
  WHERE s.network = {network:String}
    AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  GROUP BY s.trader
  HAVING min(known_usd) >= 0
) AS g
WHERE pnl_usd >= 0.01
ORDER BY pnl_usd DESC, trader
LIMIT {limit:UInt32}
