-- Done segments of a network of which blocks lack traces, the newest blocks first.
SELECT from_block, to_block, lower(hex(argMax(to_hash, (written_at, state)))) AS to_hash, argMax(state, (written_at, state)) AS state,
  argMax(has_traces, (written_at, state)) AS has_traces, argMax(untraced, (written_at, state)) AS untraced,
  argMax(sums, (written_at, state)) AS sums, toUnixTimestamp64Milli(max(written_at)) AS written_ms
FROM segments
WHERE network = {network:String}
GROUP BY from_block, to_block
HAVING state = 'done' AND has_traces = 0
ORDER BY from_block DESC
LIMIT {limit:UInt32}
