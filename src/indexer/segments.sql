-- What was written to the final tables of a network, in the order it was begun.
SELECT from_block, to_block, lower(hex(to_hash)) AS to_hash, state
FROM segments
WHERE network = {network:String}
ORDER BY written_at, from_block, to_block, state
