-- Trades of one token in some pools by period, net of round trips inside a transaction, counted back from a moment:
-- period 0 ends there. pools, firsts: pools of the token, and those of which it is the first coin, hex. until: unix
-- seconds, inside. period_s: seconds. since: unix seconds, inside. bought: amounts that pools paid out, sold: amounts
-- that they took in, base units. hours, prices: USD price of one whole token by hour, in parallel: a swap in another
-- hour has no value.
WITH
  if(s.pool IN (SELECT unhex(arrayJoin({firsts:Array(String)})) AS wanted), s.amount0, s.amount1) AS change,
  transform(
    toUInt32(toStartOfHour(s.time, 'UTC')), {hours:Array(UInt32)}, {prices:Array(Float64)}, toFloat64(-1)) AS price_usd,
  abs(toFloat64(change)) / exp10({decimals:UInt8}) * price_usd AS usd
SELECT
  toUInt32(intDiv({until:UInt32} - toUnixTimestamp(s.time), {period_s:UInt32})) AS period,
  count() AS trades,
  countIf(change < 0) AS buys,
  countIf(change > 0) AS sells,
  uniqExactIf(s.trader, change < 0) AS buyers,
  uniqExactIf(s.trader, change > 0) AS sellers,
  uniqExact(s.trader) AS traders,
  sumIf(abs(change), change < 0) AS bought,
  sumIf(bitShiftRight(abs(change), 128), change < 0) AS bought_high,
  sumIf(abs(change), change > 0) AS sold,
  sumIf(bitShiftRight(abs(change), 128), change > 0) AS sold_high,
  sumIf(usd, change < 0 AND price_usd >= 0) AS bought_usd,
  sumIf(usd, change > 0 AND price_usd >= 0) AS sold_usd,
  countIf(price_usd < 0) AS unpriced,
  quantileExactInclusive(0.5)(usd) AS median_usd
FROM (
  @net_swaps
) AS s
GROUP BY period
ORDER BY period
