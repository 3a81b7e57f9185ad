-- What was burnt of a wallet's coins in these transactions, base units: what an issuer destroyed without saying how much.
-- tokens, hashes: hex.
SELECT lower(hex(l.token)) AS token, lower(hex(l.tx_hash)) AS tx_hash, sum(l.amount) AS raw,
  sum(bitShiftRight(l.amount, 128)) AS raw_high
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number IN (SELECT arrayJoin({blocks:Array(UInt64)}))
  AND l.tx_hash IN (SELECT unhex(arrayJoin({hashes:Array(String)})))
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
  AND l.direction = -1 AND l.peer = ''
GROUP BY l.token, l.tx_hash
ORDER BY token, tx_hash
