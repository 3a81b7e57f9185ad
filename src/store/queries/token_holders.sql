-- Who holds tokens, exact at to_block, as fragments/holder_columns.sql says. Tokens that never moved are absent. tokens: as hex.
-- Most holders are as the kept sums have them, and are added up as they come, since sums of one address lie together; those who moved
-- since, or began with something, are told apart. One read sees sums and their end in one state.
@holder_columns
FROM (
  SELECT if(token = '' AND holder = '', unhex('ff'), token) AS token_bytes, holder AS holder_bytes, sum(amount) AS held,
    sum(high) AS held_high, held_high + bitShiftRight(held - bitShiftLeft(held_high, 128), 128) AS top,
    if(token = '' AND holder = '', max(last_block) + 1, 0) AS reach
  FROM balances
  WHERE network = {network:String} AND {with_sums:UInt8}
    AND (token IN (SELECT unhex(arrayJoin({tokens:Array(String)})) AS wanted) OR (token = '' AND holder = ''))
    AND (token, holder) NOT IN (SELECT token_bytes, holder_bytes FROM (@holder_changes))
  GROUP BY token, holder
  UNION ALL
  SELECT token_bytes, holder_bytes, sum(delta) AS held, sum(high) AS held_high,
    held_high + bitShiftRight(held - bitShiftLeft(held_high, 128), 128) AS top, 0
  FROM (
    SELECT token AS token_bytes, holder AS holder_bytes, amount AS delta, high
    FROM balances
    WHERE network = {network:String} AND {with_sums:UInt8}
      AND (token, holder) IN (SELECT token_bytes, holder_bytes FROM (@holder_changes))
    UNION ALL
    @holder_changes
  )
  GROUP BY token_bytes, holder_bytes
) AS c
GROUP BY c.token_bytes
ORDER BY token
SETTINGS optimize_aggregation_in_order = 1, max_bytes_before_external_group_by = 400000000
