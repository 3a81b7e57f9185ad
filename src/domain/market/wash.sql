-- What verified pools traded of one token, and how much of it went in circles, in base units.
-- In circles: one trader, at least 3 transactions that bought and 3 that sold within 24 hours (counted back from `until`),
-- which left at most 1 % of what they moved. token: hex, never ''. until: unix seconds, inside. since: outside.
SELECT sum(d.traded) AS traded, sumIf(d.traded, least(d.buys, d.sells) >= 3 AND abs(d.left_over) * 100 <= d.moved) AS washed
FROM (
  SELECT
    t.trader,
    t.day,
    sum(t.traded) AS traded,
    countIf(t.net < 0) AS buys,
    countIf(t.net > 0) AS sells,
    sum(t.net) AS left_over,
    sum(abs(t.net)) AS moved
  FROM (
    SELECT v.trader AS trader, v.day AS day, sum(abs(toFloat64(v.change))) AS traded, sum(toFloat64(v.change)) AS net
    FROM (
      SELECT
        s.trader AS trader,
        s.block_number AS block_number,
        s.tx_index AS tx_index,
        intDiv({until:UInt32} - toUnixTimestamp(s.time), 86400) AS day,
        if(p.is_first, s.amount0, s.amount1) AS change
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
    GROUP BY v.trader, v.day, v.block_number, v.tx_index
  ) AS t
  GROUP BY t.trader, t.day
) AS d
