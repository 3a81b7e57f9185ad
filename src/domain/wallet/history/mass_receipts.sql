-- Transactions that sent a token to more than a hundred addresses, one wallet among them. Queried as columns. wallet:
-- hex. since, until: unix seconds, until exclusive. receivers: addresses that the token reached.
SELECT m.block_number AS block_number, m.tx_index AS tx_index, lower(hex(toLowCardinality(m.token))) AS token,
  toUInt32(max(m.receivers)) AS receivers
FROM mass_transfers AS m
WHERE m.network = {network:String}
  AND (m.token, m.block_number, m.tx_index) IN (
    SELECT l.token, l.block_number, l.tx_index
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.direction = 1 AND l.signer != 'own' AND l.token != ''
      AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC'))
GROUP BY block_number, tx_index, m.token
ORDER BY block_number, tx_index, m.token
