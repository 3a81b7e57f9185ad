-- Hourly changes of the balances of contracts. holders, tokens: addresses as hex.
SELECT
  lower(hex(l.address)) AS holder,
  lower(hex(l.token)) AS token,
  toUnixTimestamp(toStartOfHour(l.time)) AS hour,
  sum(toInt256(l.amount) * l.direction) AS delta,
  sum(toInt256(bitShiftRight(l.amount, 128)) * l.direction) AS delta_high
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({holders:Array(String)})) AS wanted)
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted)
GROUP BY l.address, l.token, hour
ORDER BY holder, token, hour
