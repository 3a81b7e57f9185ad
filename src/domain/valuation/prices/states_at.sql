-- The last state of pools at a block. Two steps, so that only the granules of the newest blocks are read in full.
-- pools: addresses as hex.
SELECT
  @pool_state
FROM pool_states AS s
WHERE s.network = {network:String}
  AND (s.pool, s.block_number) IN (
    SELECT n.pool, max(n.block_number)
    FROM pool_states AS n
    PREWHERE n.network = {network:String} AND n.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
    GROUP BY n.pool
  )
ORDER BY s.pool, s.log_index DESC
LIMIT 1 BY s.pool
