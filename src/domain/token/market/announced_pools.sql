-- Pools that known factories announced in a time window, the newest first.
SELECT
  lower(hex(p.pool)) AS pool,
  p.family AS family,
  p.venue AS venue,
  lower(hex(p.token0)) AS token0,
  lower(hex(p.token1)) AS token1,
  p.block_number AS block_number,
  toUnixTimestamp(p.time) AS time,
  lower(hex(p.tx_hash)) AS tx_hash
FROM pools AS p
WHERE p.network = {network:String}
  AND p.venue != ''
  AND p.time >= toDateTime({since:UInt32}, 'UTC')
ORDER BY p.block_number DESC, p.log_index DESC, pool
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
