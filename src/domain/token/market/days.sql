-- Amounts of one token that some pools traded, net of round trips inside a transaction, in each of the days before a
-- moment: day 0 by pool, older days in one row. pools, firsts: pools of the token, and those of which it is the first
-- coin, hex. until: unix seconds, inside. since: unix seconds, inside. hours, prices: USD price of one whole token by
-- hour, in parallel: a swap in another hour has no value.
WITH
  if(s.pool IN (SELECT unhex(arrayJoin({firsts:Array(String)})) AS wanted), s.amount0, s.amount1) AS change,
  transform(
    toUInt32(toStartOfHour(s.time, 'UTC')), {hours:Array(UInt32)}, {prices:Array(Float64)}, toFloat64(-1)) AS price_usd,
  toUInt32(intDiv({until:UInt32} - toUnixTimestamp(s.time), 86400)) AS day,
  if(day = 0, lower(hex(s.pool)), '') AS place
SELECT
  day,
  place AS pool,
  sum(abs(toFloat64(change))) AS amount,
  sumIf(abs(toFloat64(change)) / exp10({decimals:UInt8}) * price_usd, price_usd >= 0) AS usd,
  countIf(price_usd < 0) AS unpriced
FROM (
  @net_swaps
) AS s
GROUP BY day, place
ORDER BY day, place
