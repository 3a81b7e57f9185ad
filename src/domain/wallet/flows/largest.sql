-- The largest transfers of a token that touch a group of holders, with their positions, ties by position. token: hex,
-- '' = native coin. The group and the range of blocks: as in token_flows.sql.
WITH
  wanted AS (
    @group_members
  ),
  found AS (
    SELECT t.block_number AS block_number, t.tx_index AS tx_index, t.position AS position
    FROM token_ledger AS t
    PREWHERE t.network = {network:String} AND t.token = unhex({token:String})
    WHERE t.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
      AND t.amount > 0
      AND t.source != t.destination
      AND t.position NOT IN (4294967290, 4294967291, 4294967293, 4294967294, 4294967295)
      AND ({is_all:UInt8} OR t.source IN (SELECT address FROM wanted) OR t.destination IN (SELECT address FROM wanted))
    ORDER BY t.amount DESC, t.block_number, t.tx_index, t.position
    LIMIT {limit:UInt32}
  )
SELECT
  x.block_number AS block_number,
  x.tx_index AS tx_index,
  x.time AS time,
  lower(hex(x.source)) AS source,
  lower(hex(x.destination)) AS destination,
  x.amount AS amount
FROM transfers AS x
WHERE x.network = {network:String}
  AND x.token = unhex({token:String})
  AND (x.block_number, x.tx_index, x.position) IN (SELECT block_number, tx_index, position FROM found)
ORDER BY x.amount DESC, x.block_number, x.tx_index, x.position
LIMIT {limit:UInt32}
