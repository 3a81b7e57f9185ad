-- Addresses that some of these blocks concern.
SELECT DISTINCT lower(hex(subject)) AS subject_hex
FROM subject_blocks
WHERE network = {network:String} AND block_number IN {blocks:Array(UInt64)}
ORDER BY subject_hex
