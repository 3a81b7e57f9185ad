-- Protocol events about one wallet's positions: about the wallet, and about the NFTs that it ever received. Queried as
-- columns. wallet: hex. since: unix seconds. after: later blocks only. has_pool: the position is in a pool.
SELECT p.block_number AS block_number, p.tx_index AS tx_index, p.log_index AS log_index,
  toLowCardinality(toString(p.kind)) AS kind, lower(hex(toLowCardinality(p.contract))) AS contract, p.pool != '' AS has_pool
FROM position_events AS p
WHERE p.network = {network:String}
  AND p.block_number > {after:Int64}
  AND p.time >= toDateTime({since:UInt32}, 'UTC')
  AND p.subject IN (
    SELECT unhex({wallet:String})
    UNION ALL
    SELECT concat(l.token, toString(l.token_id))
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.kind = 'erc721' AND l.direction = 1)
ORDER BY block_number, tx_index, log_index
