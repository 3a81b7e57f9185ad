-- Movements of some wallets in the transactions in which one token moved for them, oldest first. The native and the
-- wrapped native coin are one bucket ''. wallets, token, wrapped: addresses as hex, wrapped is '' on a network without
-- one. buckets, peers and amounts (signed, positive = received) run in parallel. Fees, NFTs and amounts of 0 are left
-- out. Peer '' is the void. limit: transactions per wallet.
WITH
  unhex('0000000000000000000000000000000000000000') AS zero,
  {wrapped:String} != '' AND l.token = unhex({wrapped:String}) AS is_wrapped
SELECT
  lower(hex(l.address)) AS wallet,
  l.block_number AS block_number,
  l.tx_index AS tx_index,
  toUnixTimestamp(min(l.time)) AS time,
  groupArray(lower(hex(if(is_wrapped, '', l.token)))) AS buckets,
  groupArray(multiIf(
    is_wrapped AND l.peer IN ('', zero), {wrapped:String},
    l.peer = zero, '',
    lower(hex(l.peer)))) AS peers,
  groupArray(concat(if(l.direction < 0, '-', ''), toString(l.amount))) AS amounts
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted)
  AND (l.address, l.block_number, l.tx_index) IN (
    SELECT t.address, t.block_number, t.tx_index
    FROM ledger AS t
    PREWHERE t.network = {network:String} AND t.address IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted)
    WHERE t.token = unhex({token:String}) AND t.amount > 0)
  AND l.kind NOT IN ('erc721', 'erc1155', 'fee', 'tip', 'rent')
  AND l.amount > 0
GROUP BY l.address, l.block_number, l.tx_index
ORDER BY wallet, block_number, tx_index
LIMIT {limit:UInt32} BY wallet
