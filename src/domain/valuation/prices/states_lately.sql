-- The last state of recently changed pools at each of these blocks; from_block is shortly before the first of them.
-- pools: addresses as hex.
SELECT
  at,
  @pool_state
FROM pool_states AS s
ARRAY JOIN {moments:Array(UInt64)} AS at
WHERE s.network = {network:String}
  AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  AND at >= s.block_number
ORDER BY at, s.pool, s.block_number DESC, s.log_index DESC
LIMIT 1 BY at, s.pool
