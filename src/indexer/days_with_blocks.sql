-- Days of a time in which a network has final blocks: whole days since 1970, in order. since, last: unix seconds, both inside.
SELECT DISTINCT toUInt32(intDiv(toUnixTimestamp(b.time), 86400)) AS day
FROM blocks AS b
WHERE b.network = {network:String} AND b.tail = 0
  AND b.time >= toDateTime({since:UInt32}, 'UTC') AND b.time <= toDateTime({last:UInt32}, 'UTC')
ORDER BY day
