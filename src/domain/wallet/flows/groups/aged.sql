-- Which of these addresses moved anything up to a block's time. addresses: hex. until: unix seconds, inclusive.
SELECT DISTINCT lower(hex(l.address)) AS address
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)
  AND l.time <= toDateTime({until:UInt32}, 'UTC')
ORDER BY address
