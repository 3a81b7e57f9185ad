-- Sandwiches in final blocks of a time: in one pool and block an account trades one way, others follow it, and it trades back.
-- since, last: unix seconds, inside. One row per account and day, with its first transaction that day.
SELECT
  lower(hex(s.trader)) AS trader,
  toUnixTimestamp(toStartOfDay(min(s.time), 'UTC')) AS day,
  count() AS sandwiches,
  lower(hex(argMin(s.tx_hash, (s.block_number, s.log_index)))) AS tx_hash
FROM (
  SELECT
    w.network AS network, w.trader AS trader, w.time AS time, w.block_number AS block_number, w.log_index AS log_index,
    w.tx_hash AS tx_hash, w.is_in AS is_in,
    leadInFrame(w.is_in) OVER own AS is_in_after,
    leadInFrame(w.tx_index) OVER own AS tx_index_after,
    leadInFrame(w.swaps_before) OVER own AS swaps_before_after,
    w.tx_index AS tx_index, w.swaps_before AS swaps_before,
    count() OVER own AS own_swaps,
    row_number() OVER own_order AS own_number
  FROM (
    SELECT
      p.network AS network, p.pool AS pool, p.trader AS trader, p.time AS time, p.block_number AS block_number,
      p.log_index AS log_index, p.tx_index AS tx_index, p.tx_hash AS tx_hash, toUInt8(p.amount0 > 0) AS is_in,
      row_number() OVER (PARTITION BY p.pool, p.block_number ORDER BY p.log_index) AS swaps_before
    FROM swaps AS p
    WHERE p.tail = 0 AND p.network = {network:String}
      AND p.time BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({last:UInt32}, 'UTC')
  ) AS w
  WINDOW own AS (PARTITION BY w.pool, w.block_number, w.trader ORDER BY w.log_index
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING),
    own_order AS (PARTITION BY w.pool, w.block_number, w.trader ORDER BY w.log_index)
) AS s
WHERE s.own_number < s.own_swaps
  AND s.is_in_after != s.is_in
  AND s.tx_index_after > s.tx_index
  AND s.swaps_before_after > s.swaps_before + 1
GROUP BY s.trader, toStartOfDay(s.time, 'UTC')
ORDER BY day, trader
