-- Transactions in which one wallet gave and received while a pool traded: a pool that took part in their transfers, or
-- a pool of two tokens that the wallet moved. Queried as columns. wallet, tokens: hex. since: unix seconds.
WITH dealt AS (
  SELECT l.block_number AS block_number, l.tx_index AS tx_index
  FROM ledger AS l
  PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  WHERE l.time >= toDateTime({since:UInt32}, 'UTC') AND l.kind NOT IN ('fee', 'tip', 'rent')
  GROUP BY l.block_number, l.tx_index
  HAVING min(l.direction) = -1 AND max(l.direction) = 1)
SELECT DISTINCT s.block_number AS block_number, s.tx_index AS tx_index
FROM swaps AS s
WHERE s.network = {network:String}
  AND (s.block_number, s.tx_index) IN (SELECT d.block_number, d.tx_index FROM dealt AS d)
  AND s.pool IN (
    SELECT party
    FROM (
      SELECT arrayJoin([t.source, t.destination]) AS party
      FROM transfers AS t
      PREWHERE t.network = {network:String}
      WHERE (t.block_number, t.tx_index) IN (SELECT d.block_number, d.tx_index FROM dealt AS d)
      UNION ALL
      @pools_of_two))
ORDER BY block_number, tx_index
