-- Number of contracts deployed by the transactions of one wallet in a window. wallet: hex. since, until: unix seconds,
-- until exclusive. last_block: block of the newest of them; 0 without any.
SELECT count() AS contracts, max(d.block_number) AS last_block
FROM deployments AS d
WHERE d.network = {network:String} AND d.creator = unhex({wallet:String})
  AND d.time >= toDateTime({since:UInt32}, 'UTC') AND d.time < toDateTime({until:UInt32}, 'UTC')
