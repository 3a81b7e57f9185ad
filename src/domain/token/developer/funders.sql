-- The first coins that one address got from another, with their place in the chain, its own first appearance, and the
-- number of transactions that it sent. wallet: as hex. votes: transactions per fee, where votes are stored as sums.
SELECT
  lower(hex(argMinIf(l.peer, (l.block_number, l.tx_index, l.position), l.is_gift))) AS funder,
  argMinIf(l.block_number, (l.block_number, l.tx_index, l.position), l.is_gift) AS block_number,
  argMinIf(l.tx_index, (l.block_number, l.tx_index, l.position), l.is_gift) AS tx_index,
  argMinIf(l.amount, (l.block_number, l.tx_index, l.position), l.is_gift) AS amount,
  toUnixTimestamp(minIf(l.time, l.is_gift)) AS funded_at,
  toUnixTimestamp(min(l.time)) AS first_seen,
  toUInt64(sumIf(greatest(l.votes, 1), l.is_sent)) AS sent_count
FROM (
  SELECT
    d.block_number, d.tx_index, d.position, d.time, d.peer, d.amount,
    d.kind = 'fee' AND d.direction = -1 AS is_sent,
    d.token_id AS votes,
    d.direction = 1 AND d.token = '' AND d.kind IN ('native', 'internal') AND d.amount > 0 AS is_gift
  FROM ledger AS d
  WHERE d.network = {network:String}
    AND d.address = unhex({wallet:String})
) AS l
HAVING count() > 0
ORDER BY funder
