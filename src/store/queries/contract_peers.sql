-- Counterparties of one wallet that are contracts which the index saw being created. wallet: hex.
SELECT DISTINCT lower(hex(c.address)) AS address
FROM contracts AS c
WHERE c.network = {network:String}
  AND c.address IN (
    SELECT l.peer FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String}))
ORDER BY address
