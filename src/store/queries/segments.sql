-- Segments written to the final tables of a network, in write order. written_ms: unix milliseconds.
SELECT from_block, to_block, lower(hex(to_hash)) AS to_hash, state, has_traces, untraced, sums,
  toUnixTimestamp64Milli(written_at) AS written_ms
FROM segments
WHERE network = {network:String}
ORDER BY written_at, from_block, to_block, state
