-- Burnt amounts of a wallet's coins in these blocks by transaction, base units: funds that an issuer destroyed without
-- naming the amount. tokens: hex.
SELECT lower(hex(l.token)) AS token, l.block_number AS block_number, l.tx_index AS tx_index, sum(l.amount) AS raw,
  sum(bitShiftRight(l.amount, 128)) AS raw_high
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number IN (SELECT arrayJoin({blocks:Array(UInt64)}))
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
  AND l.direction = -1 AND l.peer = ''
GROUP BY l.token, l.block_number, l.tx_index
ORDER BY token, block_number, tx_index
