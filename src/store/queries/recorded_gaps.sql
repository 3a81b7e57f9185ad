-- Recorded gaps of a network as they were written last, those that are closed left out. Times are unix milliseconds.
SELECT kind, from_block, to_block, state, check_name, reason, lower(hex(block_hash)) AS block_hash, endpoints, attempts,
  toUnixTimestamp64Milli(first_asked_at) AS first_asked_ms, toUnixTimestamp64Milli(last_asked_at) AS last_asked_ms,
  toUnixTimestamp64Milli(ask_at) AS ask_ms, toUnixTimestamp64Milli(written_at) AS written_ms
FROM (
  SELECT *
  FROM recorded_gaps
  WHERE network = {network:String}
  ORDER BY written_at DESC, state DESC
  LIMIT 1 BY kind, from_block, to_block
)
WHERE state != 'closed'
ORDER BY kind, from_block, to_block
