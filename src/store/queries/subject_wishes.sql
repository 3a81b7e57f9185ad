-- The addresses that a network shall follow, and those that it follows no more. wished_ms: unix milliseconds. blocks_max: an address with
-- more blocks is not read, 0 = no limit.
SELECT lower(hex(subject)) AS subject_hex, wish, asked_by, blocks_max, toUnixTimestamp64Milli(written_at) AS wished_ms
FROM subject_wishes FINAL
WHERE network = {network:String}
ORDER BY written_at, subject_hex
