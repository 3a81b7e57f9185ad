-- Everything that decides what the store holds of a network, in one question. One row per part:
-- network: number = first wanted block, last = 1 when nothing is missing before it. segments: number = rows (they are only added, or all dropped with the
-- network), hash = when the first one was written, last = newest final block, time = how often a segment was begun again.
-- island: a run number..last of unfinalised blocks alike in traces and checks, hash and time of its last.
-- drops: number = times the tail was cut. refused: blocks number..last are a recorded gap that is not being written.
SELECT part, number, last, hash, time, has_traces, verified
FROM (
  SELECT 'network' AS part, argMax(from_block, written_at) AS number, toUInt64(argMax(is_opened, written_at)) AS last, '' AS hash, toUInt32(0) AS time, toUInt8(1) AS has_traces, '' AS verified
  FROM networks
  WHERE network = {network:String}
  HAVING count() > 0
  UNION ALL
  SELECT 'segments', count(), maxIf(to_block, state = 'done'), toString(toUnixTimestamp64Milli(min(written_at))), toUInt32(countIf(state = 'begun') - uniqExactIf((from_block, to_block), state = 'begun')), toUInt8(1), ''
  FROM segments
  WHERE network = {network:String}
  UNION ALL
  SELECT 'drops', count(), toUInt64(0), '', toUInt32(0), toUInt8(1), ''
  FROM tail_drops
  WHERE network = {network:String}
  UNION ALL
  SELECT 'refused', from_block, to_block, '', toUInt32(0), toUInt8(1), ''
  FROM recorded_gaps
  WHERE network = {network:String} AND kind = 'refused' AND (from_block, to_block) NOT IN (
    SELECT from_block, to_block FROM segments WHERE network = {network:String} GROUP BY from_block, to_block HAVING argMax(state, (written_at, state)) = 'begun')
  GROUP BY from_block, to_block
  HAVING argMax(state, (written_at, state)) != 'closed'
  UNION ALL
  SELECT 'island', min(n), max(n), argMax(hash, n), argMax(t, n), traced, toString(checked)
  FROM (
    SELECT n, hash, t, traced, checked, n - row_number() OVER (PARTITION BY traced, checked ORDER BY n) AS island
    FROM (
      SELECT block_number AS n, lower(hex(any(hash))) AS hash, toUInt32(toUnixTimestamp(any(time))) AS t, min(has_traces) AS traced, min(verified) AS checked
      FROM blocks
      WHERE tail != 0 AND network = {network:String}
      GROUP BY block_number
    )
  )
  GROUP BY island, traced, checked
)
ORDER BY part, number
