-- What wallets sent of a token, by receiver and hour. token, wallets: as hex.
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
  AND t.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (t._table = 'token_ledger_final') = (t.block_number <= {final_block:UInt64})
GROUP BY t.destination, hour
ORDER BY hour, receiver
LIMIT {limit:UInt32}
