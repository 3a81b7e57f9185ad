-- Labels of one wallet's peers and of contracts that it called, the most certain first, then the newest. wallet,
-- called: hex. since, until: unix seconds, until exclusive.
SELECT lower(hex(k.address)) AS address, k.label AS label, k.category AS category, k.entity AS entity,
  k.source AS source
FROM labels AS k FINAL
WHERE k.network = {network:String} AND k.category != '' AND k.valid_from <= toDateTime({block_time:UInt32}, 'UTC')
  AND (k.address IN (SELECT unhex(arrayJoin({called:Array(String)})) AS wanted) OR k.address IN (
    SELECT l.peer
    FROM ledger AS l
    PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String})
    WHERE l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')))
ORDER BY address, k.confidence DESC, k.written_at DESC, source, label
