-- Changes of the balances by one segment, with two marker rows.
-- One says how far the sums reach; the other one, under a token of its own (byte 1, first and last block), counts how
-- often this segment's sums have entered. A transfer to oneself is one transfer. The void ('') has no balance.
-- high: what the amounts have above 128 bits, see lib/wide.ts.
SELECT
  {network:String} AS network,
  token,
  holder,
  sum(delta) AS amount,
  sum(part) AS high,
  sum(weight) AS transfers,
  min(block_number) AS first_block,
  max(block_number) AS last_block
FROM (
  SELECT
    token,
    block_number,
    side.1 AS holder,
    side.2 AS delta,
    side.3 AS part,
    toUInt64(side.4) AS weight
  FROM transfers
  ARRAY JOIN [
    (source, -toInt256(amount), -toInt256(bitShiftRight(amount, 128)), 1),
    (destination, toInt256(amount), toInt256(bitShiftRight(amount, 128)), source != destination)
  ] AS side
  WHERE tail = 0 AND network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND side.1 != ''
  UNION ALL
  SELECT '', {to:UInt64}, '', toInt256(0), toInt256(0), toUInt64(0)
  UNION ALL
  SELECT
    unhex(concat('01', leftPad(hex({from:UInt64}), 16, '0'), leftPad(hex({to:UInt64}), 16, '0'))),
    {to:UInt64}, '', toInt256(0), toInt256(0), toUInt64(1)
)
GROUP BY token, holder
ORDER BY token, holder
