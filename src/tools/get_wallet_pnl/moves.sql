-- Movements of one wallet per transaction, oldest first, native and wrapped native coin are one bucket ''.
-- wallet, wrapped: addresses as hex, wrapped is '' where the network has none. until: first second outside.
-- buckets, peers and amounts (signed, positive = received) run in parallel. NFTs and amounts of 0 are left out.
-- A wrap moves between '' and the wrapped coin's contract, so that both of its sides meet at one peer and cancel out.
-- Peer '' is the void, and whoever pays a tip. A plain trade (one token in, another out) has no peers: its cost follows
-- its value alone, and 100,000 of them shall not carry them.
SELECT
  m.block_number AS block_number,
  m.tx_index AS tx_index,
  toUnixTimestamp(min(m.time)) AS time,
  max(m.is_own) AS is_own,
  toString(sumIf(m.amount, m.is_fee)) AS fee_raw,
  groupArrayIf(m.bucket, NOT m.is_fee) AS buckets,
  if(
    length(buckets) = 2 AND sumIf(m.direction, NOT m.is_fee) = 0 AND buckets[1] != buckets[2],
    [],
    groupArrayIf(m.counterparty, NOT m.is_fee)) AS peers,
  groupArrayIf(concat(if(m.direction < 0, '-', ''), toString(m.amount)), NOT m.is_fee) AS amounts
FROM (
  SELECT
    l.block_number AS block_number,
    l.tx_index AS tx_index,
    l.time AS time,
    l.amount AS amount,
    l.direction AS direction,
    l.sender = l.address AS is_own,
    {wrapped:String} != '' AND l.token = unhex({wrapped:String}) AS is_wrapped,
    lower(hex(if(is_wrapped, '', l.token))) AS bucket,
    multiIf(
      is_wrapped AND l.peer IN ('', unhex('0000000000000000000000000000000000000000')), {wrapped:String},
      l.kind IN ('reward', 'withdrawal', 'tip') OR l.peer = unhex('0000000000000000000000000000000000000000'), '',
      lower(hex(l.peer))) AS counterparty,
    l.kind IN ('fee', 'tip') AND l.direction = -1 AS is_fee
  FROM ledger AS l
  WHERE l.network = {network:String}
    AND l.address = unhex({wallet:String})
    AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
    AND l.time < toDateTime({until:UInt32}, 'UTC')
    AND l.kind NOT IN ('erc721', 'erc1155')
    AND l.amount > 0
) AS m
GROUP BY m.block_number, m.tx_index
ORDER BY block_number, tx_index
