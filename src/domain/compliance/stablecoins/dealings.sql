-- Amounts of these coins that a wallet moved with these counterparties since a time, by coin and direction, split at a
-- time of each counterparty (peers[i], splits[i]; unix seconds). Base units.
SELECT
  lower(hex(l.peer)) AS peer,
  lower(hex(l.token)) AS token,
  sumIf(l.amount, l.direction = 1) AS raw_in,
  sumIf(bitShiftRight(l.amount, 128), l.direction = 1) AS raw_in_high,
  sumIf(l.amount, l.direction = -1) AS raw_out,
  sumIf(bitShiftRight(l.amount, 128), l.direction = -1) AS raw_out_high,
  countIf(l.time < toDateTime(p.split, 'UTC')) AS transfers_before,
  countIf(l.time >= toDateTime(p.split, 'UTC')) AS transfers_after,
  max(l.block_number) AS block_number,
  argMax(l.tx_index, (l.block_number, l.tx_index, l.position)) AS tx_index,
  toUnixTimestamp(max(l.time)) AS last_time
FROM ledger AS l
INNER JOIN (
  SELECT unhex(pair.1) AS account, pair.2 AS split
  FROM (SELECT arrayJoin(arrayZip({peers:Array(String)}, {splits:Array(UInt32)})) AS pair)
) AS p ON p.account = l.peer
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.time >= toDateTime({since:UInt32}, 'UTC')
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
GROUP BY l.peer, l.token
ORDER BY peer, token
