-- Those of these blocks that the unfinalised tail holds. drops: how often it had been cut.
SELECT block_number, lower(hex(hash)) AS hash_hex, (SELECT count() FROM tail_drops WHERE network = {network:String}) AS drops
FROM blocks
WHERE network = {network:String} AND tail != 0 AND block_number IN {blocks:Array(UInt64)}
ORDER BY block_number
