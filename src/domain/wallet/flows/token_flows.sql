-- Movements of a token by interval, and the amounts that crossed the border of a group of holders. token: hex, '' =
-- native coin. since: unix seconds; intervals of length_s count from there, and no row is earlier. The group: all
-- holders when is_all, else `members` (hex) and the addresses with a label of one of `categories`; never the void and
-- never `burns` (hex). Fees and tips are no transfers, but they are flows. Zero transfers and transfers to the sender
-- itself are left out. first_block, last_block: the range of blocks.
WITH
  wanted AS (
    @group_members
  )
SELECT
  toUInt32(intDiv(m.age, {length_s:UInt32})) AS part,
  count() AS movements,
  countIf(m.is_counted) AS transfers,
  sumIf(m.amount, m.is_counted) AS volume, sumIf(m.high, m.is_counted) AS volume_high,
  countIf(m.is_counted AND m.is_in AND NOT m.is_out) AS inflows,
  countIf(m.is_counted AND m.is_out AND NOT m.is_in) AS outflows,
  sumIf(m.amount, m.is_in AND NOT m.is_out) AS inflow, sumIf(m.high, m.is_in AND NOT m.is_out) AS inflow_high,
  sumIf(m.amount, m.is_out AND NOT m.is_in) AS outflow, sumIf(m.high, m.is_out AND NOT m.is_in) AS outflow_high,
  sumIf(m.amount, m.source = '' AND NOT m.is_gone) AS minted, sumIf(m.high, m.source = '' AND NOT m.is_gone) AS minted_high,
  sumIf(m.amount, m.is_gone AND NOT m.was_gone) AS burned, sumIf(m.high, m.is_gone AND NOT m.was_gone) AS burned_high
FROM (
  SELECT
    toUnixTimestamp(t.time) - {since:UInt32} AS age,
    t.source AS source, t.amount AS amount, bitShiftRight(t.amount, 128) AS high,
    t.source = '' OR t.source IN (SELECT unhex(arrayJoin({burns:Array(String)})) AS burn) AS was_gone,
    t.destination = '' OR t.destination IN (SELECT unhex(arrayJoin({burns:Array(String)})) AS burn) AS is_gone,
    NOT was_gone AND ({is_all:UInt8} OR t.source IN (SELECT address FROM wanted)) AS is_out,
    NOT is_gone AND ({is_all:UInt8} OR t.destination IN (SELECT address FROM wanted)) AS is_in,
    t.position NOT IN (4294967290, 4294967291, 4294967293, 4294967294, 4294967295) AND ({is_all:UInt8} OR is_in OR is_out) AS is_counted
  FROM token_ledger AS t
  WHERE t.network = {network:String}
    AND t.token = unhex({token:String})
    AND t.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
    AND t.amount > 0
    AND t.source != t.destination
) AS m
GROUP BY part
ORDER BY part
