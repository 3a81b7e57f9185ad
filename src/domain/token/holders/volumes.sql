-- Volume of one token per trader in some pools inside a window, net of round trips inside a transaction: first of those
-- of `kept` that traded, then of the others, the largest of each first. pools, firsts: pools of the token, and those of
-- which it is the first coin, hex. since, until: unix seconds, both inside. kept: hex. buys, sells: transactions.
-- hours, prices: USD price of one whole token by hour, in parallel: a swap in another hour has no value.
-- transactions_in_block_max and active_hours separate programs from people.
SELECT
  lower(hex(b.trader)) AS trader,
  sum(b.buy_usd) AS buy_usd,
  sum(b.sell_usd) AS sell_usd,
  sum(b.unpriced) AS unpriced,
  sum(b.swaps) AS swaps,
  sum(b.buys) AS buys,
  sum(b.sells) AS sells,
  max(b.transactions) AS transactions_in_block_max,
  uniqExact(b.hour_of_day) AS active_hours
FROM (
  WITH
    if(s.pool IN (SELECT unhex(arrayJoin({firsts:Array(String)})) AS wanted), s.amount0, s.amount1) AS change,
    transform(
      toUInt32(toStartOfHour(s.time, 'UTC')), {hours:Array(UInt32)}, {prices:Array(Float64)}, toFloat64(-1)) AS price_usd,
    abs(toFloat64(change)) / exp10({decimals:UInt8}) * price_usd AS usd
  SELECT
    s.trader AS trader,
    toHour(min(s.time), 'UTC') AS hour_of_day,
    sumIf(usd, change < 0 AND price_usd >= 0) AS buy_usd,
    sumIf(usd, change > 0 AND price_usd >= 0) AS sell_usd,
    countIf(price_usd < 0) AS unpriced,
    count() AS swaps,
    uniqExactIf(s.tx_index, change < 0) AS buys,
    uniqExactIf(s.tx_index, change > 0) AS sells,
    uniqExact(s.tx_index) AS transactions
  FROM (
    @net_swaps
  ) AS s
  GROUP BY s.trader, s.block_number
) AS b
GROUP BY b.trader
ORDER BY b.trader IN (SELECT unhex(arrayJoin({kept:Array(String)})) AS wanted) DESC, sum(b.buy_usd) + sum(b.sell_usd) DESC, sum(b.swaps) DESC, trader
LIMIT {limit:UInt32}
