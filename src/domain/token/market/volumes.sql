-- Trades of one token in some pools by steps of equal length, net of round trips inside a transaction. pools, firsts: pools of the
-- token, and those of which it is the first coin, hex. since, until: unix seconds, inside; steps begin at `since`. hours,
-- prices: USD price of one whole token by hour, in parallel: a swap in another hour has no value.
WITH
  if(s.pool IN (SELECT unhex(arrayJoin({firsts:Array(String)})) AS wanted), s.amount0, s.amount1) AS change,
  transform(
    toUInt32(toStartOfHour(s.time, 'UTC')), {hours:Array(UInt32)}, {prices:Array(Float64)}, toFloat64(-1)) AS price_usd
SELECT
  toUInt32(intDiv(toUnixTimestamp(s.time) - {since:UInt32}, {step_s:UInt32})) AS step,
  count() AS trades,
  sumIf(abs(toFloat64(change)) / exp10({decimals:UInt8}) * price_usd, price_usd >= 0) AS volume_usd,
  countIf(price_usd < 0) AS unpriced
FROM (
  @net_swaps
) AS s
GROUP BY step
ORDER BY step
