-- Final blocks from a time to a time: their numbers, by which rows lie. since, last: unix seconds, inside.
m.network = {network:String} AND m.tail = 0
  AND m.block_number >= (SELECT min(b.block_number) FROM blocks AS b
    PREWHERE b.network = {network:String} AND b.tail = 0 AND b.time >= toDateTime({since:UInt32}, 'UTC'))
  AND m.block_number <= (SELECT max(e.block_number) FROM blocks AS e
    PREWHERE e.network = {network:String} AND e.tail = 0 AND e.time <= toDateTime({last:UInt32}, 'UTC'))
