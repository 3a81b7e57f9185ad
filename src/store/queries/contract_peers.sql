-- Counterparties of one wallet that are contracts which the index saw being created. wallet: hex.
SELECT DISTINCT lower(hex(c.address)) AS address
FROM contracts AS c
WHERE c.network = {network:String}
  AND c.address IN (
    SELECT l.peer FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
      AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64}))
  AND c.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (c._table = 'contracts_final') = (c.block_number <= {final_block:UInt64})
ORDER BY address
