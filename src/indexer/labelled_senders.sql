-- Addresses with a label of a rule that sent something in final blocks of a time. since, last: unix seconds, inside.
SELECT DISTINCT lower(hex(l.address)) AS address
FROM ledger AS l
PREWHERE l.network = {network:String} AND l.address IN (
  SELECT k.address FROM labels AS k FINAL
  WHERE k.network = {network:String} AND k.source = {source:String} AND k.category != '')
WHERE l.tail = 0 AND l.time BETWEEN toDateTime({since:UInt32}, 'UTC') AND toDateTime({last:UInt32}, 'UTC')
  AND l.direction = -1 AND l.amount > 0 AND l.kind NOT IN ('fee', 'tip', 'rent', 'erc721', 'erc1155')
ORDER BY address
