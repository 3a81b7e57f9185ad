-- What verified pools gave and took of one token by hour, base units, in trades of a group of traders.
-- token: hex, never ''. since: unix seconds, inside. until: outside. The group: everybody when is_all, else `members`
-- (hex) and the addresses with a label of one of `categories`.
WITH
  wanted AS (
    SELECT address FROM labels FINAL WHERE network = {network:String} AND has({categories:Array(String)}, category)
      AND valid_from <= toDateTime({block_time:UInt32}, 'UTC')
    UNION DISTINCT
    SELECT unhex(arrayJoin({members:Array(String)}))
  )
SELECT
  v.hour AS hour,
  sumIf(abs(v.change), v.change < 0) AS bought,
  sumIf(bitShiftRight(abs(v.change), 128), v.change < 0) AS bought_high,
  sumIf(abs(v.change), v.change > 0) AS sold,
  sumIf(bitShiftRight(abs(v.change), 128), v.change > 0) AS sold_high
FROM (
      SELECT
        toUInt32(toUnixTimestamp(toStartOfHour(s.time, 'UTC'))) AS hour,
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
        AND s.time >= toDateTime({since:UInt32}, 'UTC')
        AND s.time < toDateTime({until:UInt32}, 'UTC')
        AND ({is_all:UInt8} OR s.trader IN (SELECT address FROM wanted))
) AS v
GROUP BY v.hour
ORDER BY hour
