-- The chain and the first wanted block that a network's facts were made for.
SELECT chain_id, from_block, lower(hex(from_hash)) AS from_hash, is_opened
FROM networks FINAL
WHERE network = {network:String}
ORDER BY network
