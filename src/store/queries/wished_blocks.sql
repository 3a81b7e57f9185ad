-- Blocks that a network shall hold for calls since a time (unix seconds). open_only: 1 = those that are not stored, 0 = all.
SELECT DISTINCT block_number
FROM wished_blocks
WHERE network = {network:String} AND written_at >= toDateTime({asked_since:UInt32}, 'UTC')
  AND ({open_only:UInt8} = 0 OR block_number NOT IN (
    SELECT block_number FROM blocks
    PREWHERE block_number IN (
      SELECT block_number FROM wished_blocks
      WHERE network = {network:String} AND written_at >= toDateTime({asked_since:UInt32}, 'UTC')
    )
    WHERE network = {network:String} AND tail = 0
  ))
ORDER BY block_number
