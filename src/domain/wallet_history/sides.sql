-- What a wallet gained and lost in each of its transactions at given places, fees and tips left out. Rent is no gain and
-- no loss.
SELECT l.block_number AS block_number, l.tx_index AS tx_index, countIf(l.kind != 'rent') AS movements,
  arraySort(groupUniqArrayIf(lower(hex(l.token)), l.direction = 1 AND l.kind != 'rent')) AS tokens_in,
  arraySort(groupUniqArrayIf(lower(hex(l.token)), l.direction = -1 AND l.kind != 'rent')) AS tokens_out,
  arraySort(groupUniqArrayIf(lower(hex(l.token)), l.direction = 1 AND l.peer = '' AND l.kind != 'wrap')) AS tokens_minted,
  arraySort(groupUniqArrayIf(lower(hex(l.token)), l.direction = -1 AND l.peer = '' AND l.kind != 'wrap')) AS tokens_burned,
  arraySort(groupUniqArrayIf(lower(hex(l.token)), l.kind = 'wrap')) AS tokens_wrapped,
  countIf(l.kind IN ('erc721', 'erc1155')) AS collectibles
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
  AND l.kind NOT IN ('fee', 'tip')
  AND l.block_number IN {blocks:Array(UInt64)}
  AND (l.block_number, l.tx_index) IN (
    SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place)
GROUP BY block_number, tx_index
ORDER BY block_number, tx_index
