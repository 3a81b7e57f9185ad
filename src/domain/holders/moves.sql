-- Movements of some wallets in the transactions in which one token moved for them, oldest first.
-- The native and the wrapped native coin are one bucket ''. wallets, token, wrapped: addresses as hex, wrapped is '' where
-- the network has none. buckets, peers and amounts (signed, positive = received) run in parallel. Fees, NFTs and amounts
-- of 0 are left out. Peer '' is the void. limit: transactions of one wallet.
SELECT
  lower(hex(m.wallet)) AS wallet,
  m.block_number AS block_number,
  m.tx_index AS tx_index,
  toUnixTimestamp(min(m.time)) AS time,
  groupArray(m.bucket) AS buckets,
  groupArray(m.counterparty) AS peers,
  groupArray(concat(if(m.direction < 0, '-', ''), toString(m.amount))) AS amounts
FROM (
  SELECT
    l.address AS wallet,
    l.block_number AS block_number,
    l.tx_index AS tx_index,
    l.time AS time,
    l.amount AS amount,
    l.direction AS direction,
    {wrapped:String} != '' AND l.token = unhex({wrapped:String}) AS is_wrapped,
    lower(hex(if(is_wrapped, '', l.token))) AS bucket,
    multiIf(
      is_wrapped AND l.peer IN ('', unhex('0000000000000000000000000000000000000000')), {wrapped:String},
      l.peer = unhex('0000000000000000000000000000000000000000'), '',
      lower(hex(l.peer))) AS counterparty
  FROM ledger AS l
  LEFT SEMI JOIN (
    SELECT t.address AS address, t.block_number AS block_number, t.tx_index AS tx_index
    FROM ledger AS t
    WHERE t.network = {network:String}
      AND t.address IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted)
      AND t.token = unhex({token:String}) AND t.amount > 0
  ) AS s ON s.address = l.address AND s.block_number = l.block_number AND s.tx_index = l.tx_index
  WHERE l.network = {network:String}
    AND l.address IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted)
    AND l.kind NOT IN ('erc721', 'erc1155', 'fee', 'tip', 'rent')
    AND l.amount > 0
) AS m
GROUP BY m.wallet, m.block_number, m.tx_index
ORDER BY wallet, block_number, tx_index
LIMIT {limit:UInt32} BY wallet
