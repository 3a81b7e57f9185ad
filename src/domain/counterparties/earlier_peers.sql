-- Counterparties of a window that one wallet had dealt with before it. wallet: hex. since, until: unix seconds, until outside.
SELECT DISTINCT lower(hex(l.peer)) AS peer
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (l._table = 'ledger_final') = (l.block_number <= {final_block:UInt64})
  AND l.time < toDateTime({since:UInt32}, 'UTC')
  AND l.kind NOT IN ('fee', 'tip', 'rent')
  AND l.peer IN (
    SELECT o.peer
    FROM ledger AS o
    PREWHERE o.network = {network:String} AND o.address = unhex({wallet:String})
    WHERE o.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
      AND (o._table = 'ledger_final') = (o.block_number <= {final_block:UInt64})
      AND o.time >= toDateTime({since:UInt32}, 'UTC') AND o.time < toDateTime({until:UInt32}, 'UTC')
      AND o.kind NOT IN ('fee', 'tip', 'rent'))
ORDER BY peer
