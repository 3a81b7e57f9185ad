-- Blocks of a network that were written together, in write order. begun_only: 1 = those that were not finished, 0 = all.
-- holding: only those with this block; -1 = with any.
SELECT from_block, to_block, blocks, state, sums, toUnixTimestamp64Milli(written_at) AS written_ms
FROM batches
WHERE network = {network:String}
  AND ({begun_only:UInt8} = 0 OR (from_block, to_block) IN (
    SELECT from_block, to_block FROM batches WHERE network = {network:String}
    GROUP BY from_block, to_block, blocks HAVING argMax(state, written_at) = 'begun'
  ))
  AND ({holding:Int64} < 0 OR (
    from_block <= {holding:Int64} AND to_block >= {holding:Int64}
    AND has(JSONExtract(blocks, 'Array(Int64)'), {holding:Int64})
  ))
ORDER BY written_at, from_block, to_block, state
