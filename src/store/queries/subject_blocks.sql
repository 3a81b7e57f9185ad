-- The blocks that concern an address, with what is stored of them: has_traces 0 or 1, 2 where the block is not stored.
SELECT s.block_number AS number, if(b.block_number = 0 AND b.hash = '', 2, b.has_traces) AS traced,
  if(b.hash = '', 'none', toString(b.verified)) AS verified_word
FROM (
  SELECT DISTINCT block_number
  FROM subject_blocks
  WHERE network = {network:String} AND subject = unhex({subject:String})
) AS s
LEFT JOIN (
  SELECT block_number, hash, has_traces, verified
  FROM blocks
  PREWHERE block_number IN (
    SELECT block_number FROM subject_blocks WHERE network = {network:String} AND subject = unhex({subject:String})
  )
  WHERE network = {network:String} AND tail = 0
) AS b ON b.block_number = s.block_number
ORDER BY number
