-- Contracts deployed by the transactions of one wallet, newest first. wallet: hex. until: unix seconds, exclusive.
SELECT lower(hex(d.address)) AS address, lower(hex(d.tx_hash)) AS tx_hash, d.time AS time, d.block_number AS block_number
FROM deployments AS d
WHERE d.network = {network:String} AND d.creator = unhex({wallet:String})
  AND d.time < toDateTime({until:UInt32}, 'UTC')
ORDER BY d.block_number DESC, d.tx_index DESC, d.position DESC
LIMIT {limit:UInt32}
