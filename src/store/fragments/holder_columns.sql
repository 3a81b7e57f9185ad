-- Of each token, by what each of its holders has (rows `c`: token_bytes, holder_bytes, held, held_high, reach): how many hold it, how
-- much they hold together, and the largest 2048 with what they have, the first by address among those with the same. below_zero,
-- beyond: holders whose movements add up to no balance that there can be, less than 0 or more than 2^256 - 1; doubtful: the first
-- 200 of both by address. One row more (token ff) says how far the sums reach (above).
-- top: the part of the true sum above 128 bits.
groupArraySortedIf(2048)(
  (-c.top, bitNot(toUInt256(c.held)), c.holder_bytes, c.held, c.held_high), c.top > 0 OR (c.top = 0 AND c.held != 0)) AS first
SELECT
  lower(hex(c.token_bytes)) AS token,
  countIf(c.top > 0 OR (c.top = 0 AND c.held != 0)) AS holders,
  sumIf(c.held, c.top >= 0) AS supply,
  sumIf(c.held_high, c.top >= 0) AS supply_high,
  countIf(c.top < 0) AS below_zero,
  countIf(c.top >= bitShiftLeft(toInt256(1), 128)) AS beyond,
  arrayMap(
    found -> lower(hex(found)),
    groupArraySortedIf(200)(c.holder_bytes, c.top < 0 OR c.top >= bitShiftLeft(toInt256(1), 128))) AS doubtful,
  arrayMap(found -> lower(hex(found.3)), first) AS largest,
  arrayMap(found -> found.4, first) AS amounts,
  arrayMap(found -> found.5, first) AS amounts_high,
  max(c.reach) AS above
