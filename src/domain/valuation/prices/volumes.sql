-- Traded volumes of pools, by hour. The swaps of one transaction in one pool count as their sum: a round trip trades
-- nothing. A swap that did not exchange one token for the other is no trade. pools: addresses as hex, an empty list means
-- all.
SELECT
  lower(hex(n.pool)) AS pool,
  n.hour AS hour,
  sum(abs(n.net0)) AS volume0,
  sum(bitShiftRight(abs(n.net0), 128)) AS volume0_high,
  sum(abs(n.net1)) AS volume1,
  sum(bitShiftRight(abs(n.net1), 128)) AS volume1_high
FROM (
  SELECT
    s.pool AS pool,
    toUnixTimestamp(toStartOfHour(any(s.time))) AS hour,
    sum(s.amount0) AS net0,
    sum(s.amount1) AS net1
  FROM swaps AS s
  WHERE s.network = {network:String}
    AND (empty({pools:Array(String)}) OR s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted))
  GROUP BY s.pool, s.block_number, s.tx_index
) AS n
WHERE (n.net0 > 0 AND n.net1 < 0) OR (n.net0 < 0 AND n.net1 > 0)
GROUP BY n.pool, n.hour
ORDER BY pool, hour
