-- Counterparties of one wallet with a label. wallet: hex.
SELECT DISTINCT lower(hex(k.address)) AS address
FROM labels AS k FINAL
WHERE k.network = {network:String} AND k.category != '' AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
  AND k.address IN (
    SELECT l.peer FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String}))
ORDER BY address
