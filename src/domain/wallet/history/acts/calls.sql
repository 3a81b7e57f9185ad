-- Calls of the transactions that one wallet sent or that moved something out of it. Queried as columns. wallet: hex.
-- since: unix seconds. is_creation: a contract was created instead of called.
SELECT t.block_number AS block_number, t.tx_index AS tx_index, lower(hex(toLowCardinality(t.sender))) AS sender,
  lower(hex(toLowCardinality(t.recipient))) AS recipient, lower(hex(toLowCardinality(t.selector))) AS selector,
  t.created != '' AS is_creation, t.succeeded AS succeeded
FROM transactions AS t
WHERE t.network = {network:String}
  AND (t.block_number, t.tx_index) IN (
    SELECT l.block_number, l.tx_index
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.time >= toDateTime({since:UInt32}, 'UTC') AND (l.signer = 'own' OR l.direction = -1))
ORDER BY block_number, tx_index
