-- Creations and self-destructs of one contract, oldest first.
SELECT
  c.block_number AS block_number,
  toUnixTimestamp(c.time) AS time,
  lower(hex(c.tx_hash)) AS tx_hash,
  c.event AS event,
  c.method AS method,
  lower(hex(c.creator)) AS creator,
  lower(hex(c.factory)) AS factory,
  lower(hex(c.init_hash)) AS init_hash,
  lower(hex(c.code_hash)) AS code_hash
FROM contracts AS c
WHERE c.network = {network:String}
  AND c.address = unhex({contract:String})
ORDER BY c.block_number, c.tx_index, c.position
