-- Accounts that deposit addresses of exchanges paid in final blocks of a time, and those that addresses found in that time ever paid.
-- since, last: unix seconds, inside. delay: seconds after its day from which on a derived label holds.
SELECT DISTINCT lower(hex(r.receiver)) AS receiver
FROM (
  SELECT m.destination AS receiver
  FROM transfers AS m
  PREWHERE @of_final_days
  WHERE m.source = m.sender AND m.amount > 0
    AND m.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
    AND m.source IN (SELECT k.address FROM labels AS k FINAL
      WHERE k.network = {network:String} AND k.source = 'deposits' AND k.category != '')
  UNION ALL
  SELECT l.peer
  FROM ledger AS l
  PREWHERE l.network = {network:String} AND l.tail = 0 AND l.address IN (SELECT k.address FROM labels AS k FINAL
      WHERE k.network = {network:String} AND k.source = 'deposits' AND k.category != ''
        AND k.valid_from BETWEEN toDateTime({since:UInt32} + {delay:UInt32}, 'UTC') AND toDateTime({last:UInt32} + {delay:UInt32}, 'UTC'))
  WHERE l.direction = -1 AND l.signer = 'own' AND l.amount > 0 AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
) AS r
WHERE r.receiver != ''
ORDER BY receiver
LIMIT {limit:UInt32}
