-- Amounts that a wallet received of each of these coins since a time, base units; transfers to itself are left out.
-- tokens: hex.
SELECT lower(hex(l.token)) AS token, sum(l.amount) AS raw, sum(bitShiftRight(l.amount, 128)) AS raw_high
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.time >= toDateTime({since:UInt32}, 'UTC')
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
  AND l.direction = 1 AND l.peer != l.address
GROUP BY l.token
ORDER BY token
