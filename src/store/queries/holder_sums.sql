-- Token holders by the stored sums alone, with the columns of fragments/holder_columns.sql. Tokens that never moved are absent. tokens: as hex.
-- Sums of one address lie together: they are added up as they come, however many holders a token has.
WITH
  @holder_columns
FROM (
  SELECT if(token = '' AND holder = '', unhex('ff'), token) AS token_bytes, holder AS holder_bytes, sum(amount) AS held, sum(high) AS held_high,
    held_high + bitShiftRight(held - bitShiftLeft(held_high, 128), 128) AS top,
    if(token = '' AND holder = '', max(last_block) + 1, 0) AS reach
  FROM balances
  WHERE network = {network:String}
    AND (token IN (SELECT unhex(arrayJoin({tokens:Array(String)}))) OR (token = '' AND holder = ''))
  GROUP BY token, holder
) AS c
GROUP BY c.token_bytes
ORDER BY token
SETTINGS optimize_aggregation_in_order = 1, max_bytes_before_external_group_by = 400000000
