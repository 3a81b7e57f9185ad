-- Payers of these addresses and the position of their first payment, most payments first. addresses: hex.
SELECT lower(hex(f.address)) AS address, lower(hex(f.peer)) AS payer, f.first.1 AS block_number,
  f.first.2 AS tx_index, toUnixTimestamp(f.first.3) AS time
FROM (
  SELECT l.address AS address, l.peer AS peer, count() AS payments,
    argMin((l.block_number, l.tx_index, l.time), (l.block_number, l.tx_index, l.position)) AS first
  FROM ledger AS l
  WHERE l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
    AND l.direction = 1 AND l.amount > 0 AND l.peer != '' AND l.kind NOT IN ('fee', 'tip', 'rent')
  GROUP BY l.address, l.peer
) AS f
ORDER BY f.payments DESC, address, payer
LIMIT {limit:UInt32}
