-- Amounts of a token that wallets sent, by receiver and hour. token, wallets: as hex.
SELECT
  lower(hex(t.destination)) AS receiver,
  toUnixTimestamp(toStartOfHour(t.time)) AS hour,
  sum(t.amount) AS amount,
  sum(bitShiftRight(t.amount, 128)) AS amount_high
FROM token_ledger AS t
WHERE t.network = {network:String}
  AND t.token = unhex({token:String})
  AND t.source IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted)
  AND t.destination != ''
GROUP BY t.destination, hour
ORDER BY hour, receiver
LIMIT {limit:UInt32}
