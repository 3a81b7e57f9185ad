-- Prices that were wished from `since` on (unix seconds) and have no answer, or failed before: those at a block first, then the oldest, and
-- some of each account.
SELECT lower(hex(w.token)) AS token, toUnixTimestamp(w.hour) AS hour, w.at_block AS at_block, w.asked_by AS asked_by
FROM (
  SELECT token, hour, at_block, asked_by, written_at FROM price_wishes FINAL
  WHERE network = {network:String} AND written_at >= toDateTime({since:UInt32}, 'UTC')
) AS w
LEFT JOIN (
  SELECT token, hour, at_block, state = 'failed' AS is_failed, written_at AS answered_at, 1 AS is_there FROM demanded_prices FINAL
  WHERE network = {network:String}
    AND (hour, token, at_block) IN (
      SELECT hour, token, at_block FROM price_wishes
      WHERE network = {network:String} AND written_at >= toDateTime({since:UInt32}, 'UTC')
    )
) AS p ON p.token = w.token AND p.hour = w.hour AND p.at_block = w.at_block
WHERE p.is_there = 0 OR (p.is_failed AND p.answered_at < w.written_at)
ORDER BY w.at_block = 0, w.written_at, hour, token, at_block
LIMIT 200 BY w.asked_by
