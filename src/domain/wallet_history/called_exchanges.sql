-- Transactions of one wallet's own in which it gave and got, sent to a contract that a label calls an exchange (dex).
-- Asked as columns. wallet: hex. since, until: unix seconds, until outside.
SELECT t.block_number AS block_number, t.tx_index AS tx_index, lower(hex(toLowCardinality(t.recipient))) AS recipient
FROM transactions AS t
WHERE t.network = {network:String}
  AND t.sender = unhex({wallet:String})
  AND (t.block_number, t.tx_index) IN (
    SELECT l.block_number, l.tx_index
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.sender = l.address
      AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')
      AND l.kind NOT IN ('fee', 'tip', 'rent')
    GROUP BY l.block_number, l.tx_index
    HAVING min(l.direction) = -1 AND max(l.direction) = 1)
  AND t.recipient IN (
    SELECT k.address FROM labels AS k FINAL
    WHERE k.network = {network:String} AND k.category = 'dex' AND k.source != 'pools'
      AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC'))
ORDER BY block_number, tx_index
