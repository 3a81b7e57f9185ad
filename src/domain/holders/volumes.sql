-- Volume of one token per trader in verified pools inside a window, largest first.
-- token: hex, never ''. since, until: unix seconds, since inside, until outside. addresses: these traders only, [] = all.
-- hours, prices: USD price of one whole token by hour, in parallel: a swap in another hour has no value.
-- buys, sells: transactions. transactions_in_block_max and active_hours tell programs from people.
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
  SELECT
    x.trader AS trader,
    x.block_number AS block_number,
    toHour(min(x.time), 'UTC') AS hour_of_day,
    sum(x.buy_usd) AS buy_usd,
    sum(x.sell_usd) AS sell_usd,
    sum(x.unpriced) AS unpriced,
    sum(x.swaps) AS swaps,
    countIf(x.is_buy) AS buys,
    countIf(x.is_sell) AS sells,
    count() AS transactions
  FROM (
    SELECT
      v.trader AS trader,
      v.block_number AS block_number,
      min(v.time) AS time,
      count() AS swaps,
      sumIf(v.usd, v.change < 0 AND v.price_usd >= 0) AS buy_usd,
      sumIf(v.usd, v.change > 0 AND v.price_usd >= 0) AS sell_usd,
      countIf(v.price_usd < 0) AS unpriced,
      max(v.change < 0) AS is_buy,
      max(v.change > 0) AS is_sell
    FROM (
      SELECT
        s.trader AS trader,
        s.block_number AS block_number,
        s.tx_index AS tx_index,
        s.time AS time,
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
        AND s.time >= toDateTime({since:UInt32}, 'UTC')
        AND s.time < toDateTime({until:UInt32}, 'UTC')
        AND (empty({addresses:Array(String)}) OR has({addresses:Array(String)}, lower(hex(s.trader))))
    ) AS v
    GROUP BY v.trader, v.block_number, v.tx_index
  ) AS x
  GROUP BY x.trader, x.block_number
) AS b
GROUP BY b.trader
ORDER BY sum(b.buy_usd) + sum(b.sell_usd) DESC, sum(b.swaps) DESC, trader
LIMIT {limit:UInt32}
