-- Blocks that a network shall hold for calls since a time (unix seconds).
SELECT DISTINCT block_number
FROM wished_blocks
WHERE network = {network:String} AND written_at >= toDateTime({asked_since:UInt32}, 'UTC')
ORDER BY block_number
