-- What one wallet held before the first indexed block. time: of that block, unix seconds.
SELECT
  lower(hex(o.token)) AS token,
  max(o.amount) AS amount,
  (
    SELECT toUnixTimestamp(max(b.time))
    FROM blocks AS b
    WHERE b.network = {network:String}
      AND b.block_number = {from_block:UInt64}
  ) AS time
FROM openings AS o
WHERE o.network = {network:String} AND o.holder = unhex({wallet:String}) AND o.amount > 0
GROUP BY o.token
ORDER BY token
