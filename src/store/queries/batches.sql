-- Blocks of a network that were written together, in write order.
SELECT from_block, to_block, blocks, state, sums, toUnixTimestamp64Milli(written_at) AS written_ms
FROM batches
WHERE network = {network:String}
ORDER BY written_at, from_block, to_block, state
