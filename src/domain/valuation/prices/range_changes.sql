-- Liquidity added to ranges of concentrated pools and removed from them, after a place of each pool on the chain.
-- pools: addresses or ids as hex. after_blocks, after_logs: places in the same order.
SELECT
  lower(hex(l.pool)) AS pool,
  toUnixTimestamp(toStartOfHour(l.time)) AS hour,
  l.block_number AS block_number,
  l.log_index AS log_index,
  l.tick_lower AS tick_lower,
  l.tick_upper AS tick_upper,
  l.kind = 'mint' AS is_added,
  l.liquidity AS liquidity
FROM liquidity_events AS l
WHERE l.network = {network:String}
  AND l.pool IN (SELECT unhex(arrayJoin({pools:Array(String)})) AS wanted)
  AND l.kind IN ('mint', 'burn')
  AND l.block_number >= arrayMin({after_blocks:Array(UInt64)})
  AND (l.block_number, l.log_index) > (
    transform(lower(hex(l.pool)), {pools:Array(String)}, {after_blocks:Array(UInt64)}, 0),
    transform(lower(hex(l.pool)), {pools:Array(String)}, {after_logs:Array(UInt64)}, 0))
ORDER BY pool, block_number, log_index
