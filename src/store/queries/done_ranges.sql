-- Ranges of blocks in the final tables, joined where they touch, split where traces begin or end, or blocks were checked otherwise.
-- untraced: which blocks lack traces, where a segment says it; such a segment stands alone. A segment that was begun again after it
-- was done is being mended and does not count.
SELECT
  min(range_from) AS from_block,
  max(range_to) AS to_block,
  any(traced) AS has_traces,
  any(lacking) AS untraced,
  any(checked) AS verified
FROM (
  SELECT range_from, range_to, traced, lacking, checked, countIf(starts) OVER (ORDER BY range_from, range_to) AS island
  FROM (
    SELECT
      from_block AS range_from,
      to_block AS range_to,
      has_traces AS traced,
      untraced AS lacking,
      toString(verified) AS checked,
      lagInFrame(to_block + 1, 1, 0) OVER byBlock != from_block OR lagInFrame(has_traces, 1, 2) OVER byBlock != has_traces
        OR lagInFrame(checked, 1, '') OVER byBlock != checked OR lacking != ''
        OR lagInFrame(untraced, 1, '') OVER byBlock != '' AS starts
    FROM (
      SELECT from_block, to_block, argMax(has_traces, (written_at, state)) AS has_traces,
        argMax(untraced, (written_at, state)) AS untraced, argMax(verified, (written_at, state)) AS verified
      FROM segments
      WHERE network = {network:String}
      GROUP BY from_block, to_block
      HAVING argMax(state, (written_at, state)) = 'done'
    )
    WINDOW byBlock AS (ORDER BY from_block, to_block ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  )
)
GROUP BY island
ORDER BY from_block
