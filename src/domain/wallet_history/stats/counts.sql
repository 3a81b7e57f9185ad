-- What one wallet did in a window, counted. wallet: hex. since, until: unix seconds, until outside.
-- Fees and tips that somebody collects and coins that a block issues are sightings, but no transactions.
SELECT
  count() AS sightings,
  uniqExactIf(m.place, m.is_transaction) AS tx_count,
  uniqExactIf(m.place, m.is_own) AS tx_sent,
  uniqExactIf(m.place, m.is_transaction AND NOT m.is_own AND m.direction = 1) AS tx_received,
  countIf(m.kind IN ('erc20', 'spl', 'trc20', 'trc10')) AS token_transfer_count,
  countIf(m.kind IN ('erc721', 'erc1155')) AS nft_transfer_count,
  uniqExactIf(m.peer, m.kind NOT IN ('fee', 'tip', 'rent') AND m.peer != '' AND m.peer != m.address) AS unique_counterparties,
  uniqExactIf(m.token, m.kind NOT IN ('fee', 'tip', 'rent')) AS unique_tokens,
  arraySort(groupUniqArrayIf(m.day, m.is_transaction)) AS days,
  toUnixTimestamp(min(m.time)) AS first_time,
  toUnixTimestamp(max(m.time)) AS last_time
FROM (
  SELECT l.address AS address, bitOr(bitShiftLeft(l.block_number, 32), l.tx_index) AS place, l.direction AS direction,
    l.time AS time, toUInt32(intDiv(toUnixTimestamp(l.time), 86400)) AS day, l.kind AS kind, l.token AS token,
    l.peer AS peer, l.sender = l.address AS is_own,
    l.tx_index != 4294967295 AND NOT (l.kind IN ('fee', 'tip') AND l.direction = 1) AS is_transaction
  FROM ledger AS l
  WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
    AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')
    AND NOT (l.peer = l.address AND l.direction = 1)
) AS m
