-- The first transactions of each of these accounts with a wallet or deposit address of an exchange, at most `limit` of each. addresses: hex.
SELECT lower(hex(l.address)) AS address, l.block_number AS block_number, l.tx_index AS tx_index
FROM ledger AS l
WHERE l.tail = 0 AND l.network = {network:String} AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.peer IN (SELECT k.address FROM labels AS k FINAL
    WHERE k.network = {network:String} AND k.category IN ('exchange', 'exchange_deposit')
      AND k.source NOT IN ('siblings', 'sibling_deposits'))
  AND l.amount > 0 AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
GROUP BY l.address, l.block_number, l.tx_index
ORDER BY address, block_number, tx_index
LIMIT {limit:UInt32} BY address
