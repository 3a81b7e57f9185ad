-- State of the batch that a block belongs to, and when its newest mark was written (unix milliseconds); no row for a block of none.
SELECT argMax(state, written_at) AS state, toUnixTimestamp64Milli(max(written_at)) AS written_ms
FROM batches
WHERE network = {network:String} AND from_block <= {number:UInt64} AND to_block >= {number:UInt64}
  AND has(JSONExtract(blocks, 'Array(UInt64)'), {number:UInt64})
GROUP BY blocks
ORDER BY blocks
