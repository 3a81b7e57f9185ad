-- The chain and the first wanted block that a network's facts were made for. written_ms: time of the row, unix milliseconds.
SELECT chain_id, from_block, lower(hex(from_hash)) AS from_hash, is_opened, toUnixTimestamp64Milli(written_at) AS written_ms
FROM networks FINAL
WHERE network = {network:String}
ORDER BY network
