-- Contracts that were created in final blocks of a time with one of these codes. hashes: of runtime code or of init code; hex.
-- since, last: unix seconds, inside.
SELECT lower(hex(m.address)) AS address, lower(hex(m.code_hash)) AS code_hash, lower(hex(m.init_hash)) AS init_hash,
  toUnixTimestamp(m.time) AS time
FROM contracts AS m
PREWHERE @of_final_days
WHERE m.event = 'created' AND (m.code_hash IN (SELECT unhex(arrayJoin({hashes:Array(String)})))
  OR m.init_hash IN (SELECT unhex(arrayJoin({hashes:Array(String)}))))
ORDER BY m.block_number, m.tx_index, m.position
LIMIT {limit:UInt32}
