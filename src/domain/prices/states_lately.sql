-- The last state of pools at a block, of those that changed lately: from_block is not far below. pools: addresses as hex.
SELECT
  @pool_state
FROM pool_states AS s
WHERE s.network = {network:String}
  AND s.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
ORDER BY s.pool, s.block_number DESC, s.log_index DESC
LIMIT 1 BY s.pool
