-- Stored final blocks without inner calls, in stretches: no block with inner calls is stored between oldest and newest of one. The newest first.
SELECT min(number) AS oldest, max(number) AS newest
FROM (
  SELECT number, traced, row_number() OVER (ORDER BY number) - row_number() OVER (PARTITION BY traced ORDER BY number) AS stretch
  FROM (
    SELECT block_number AS number, min(has_traces) AS traced
    FROM blocks
    WHERE tail = 0 AND network = {network:String}
    GROUP BY number
  )
)
WHERE traced = 0
GROUP BY stretch
ORDER BY newest DESC
LIMIT {limit:UInt32}
