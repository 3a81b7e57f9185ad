-- Done segments of a network with blocks that lack traces, the newest blocks first.
SELECT from_block, to_block, lower(hex(to_hash)) AS to_hash, state, has_traces, untraced, sums,
  toUnixTimestamp64Milli(written_at) AS written_ms
FROM (
  SELECT *
  FROM segments
  WHERE network = {network:String}
  ORDER BY written_at DESC, state DESC
  LIMIT 1 BY from_block, to_block
)
WHERE state = 'done' AND has_traces = 0
ORDER BY from_block DESC
LIMIT {limit:UInt32}
