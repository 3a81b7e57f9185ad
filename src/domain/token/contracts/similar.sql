-- Contracts whose creation left the same code, oldest first. Creations with an unknown code hash are missing.
SELECT
  lower(hex(c.address)) AS address,
  min(c.block_number) AS first_block
FROM contracts AS c
WHERE c.network = {network:String}
  AND c.event = 'created'
  AND c.code_hash = unhex({code_hash:String})
  AND c.address != unhex({contract:String})
GROUP BY c.address
ORDER BY first_block, c.address
LIMIT {limit:UInt32}
