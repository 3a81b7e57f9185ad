-- Hash of each of these final blocks as it is stored, and whether its inner calls are known.
SELECT block_number AS number, lower(hex(b.hash)) AS hash_hex, b.has_traces AS traced
FROM blocks AS b
WHERE b.tail = 0 AND b.network = {network:String} AND b.block_number IN {blocks:Array(UInt64)}
ORDER BY number
