-- Movements of one wallet, newest first: every row of its ledger, including fees, tips and rent (kind). Queried as
-- columns. wallet: hex. since, until: unix seconds, until exclusive. is_own: the wallet signed the transaction.
SELECT l.block_number AS block_number, l.tx_index AS tx_index, l.position AS position, toUnixTimestamp(l.time) AS time,
  l.direction AS direction, toLowCardinality(toString(l.kind)) AS kind, lower(hex(toLowCardinality(l.token))) AS token,
  toLowCardinality(toString(l.token_id)) AS token_id, lower(hex(toLowCardinality(l.peer))) AS peer, l.amount AS amount,
  l.signer = 'own' AS is_own
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')
ORDER BY block_number DESC, tx_index DESC, position DESC, l.direction DESC
LIMIT {limit:UInt32}
