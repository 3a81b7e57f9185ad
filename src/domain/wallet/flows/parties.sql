-- Numbers of distinct senders and receivers of a token by interval, in one of `shards` shards of the addresses.
-- lengths: each transfer counts in one interval of each of these lengths (seconds). Other parameters as in
-- token_flows.sql; burn addresses count as addresses here but touch no group.
WITH
  wanted AS (
    @group_members
  )
SELECT length_s, toUInt32(intDiv(m.age, length_s)) AS part,
  uniqExactIf(m.payer, m.is_payer_here) AS senders, uniqExactIf(m.payee, m.is_payee_here) AS receivers
FROM (
  SELECT toUnixTimestamp(t.time) - {since:UInt32} AS age, sipHash128(t.source) AS payer, sipHash128(t.destination) AS payee,
    t.source != '' AND cityHash64(t.source) % {shards:UInt32} = {shard:UInt32} AS is_payer_here,
    t.destination != '' AND cityHash64(t.destination) % {shards:UInt32} = {shard:UInt32} AS is_payee_here
  FROM token_ledger AS t
  WHERE t.network = {network:String} AND t.token = unhex({token:String})
    AND t.block_number BETWEEN greatest({from_block:UInt64}, {first_block:UInt64}) AND least({to_block:UInt64}, {last_block:UInt64})
    AND t.amount > 0 AND t.source != t.destination
    AND t.position NOT IN (4294967290, 4294967291, 4294967293, 4294967294, 4294967295)
    AND (is_payer_here OR is_payee_here)
    AND ({is_all:UInt8}
      OR (t.source IN (SELECT address FROM wanted) AND t.source NOT IN (SELECT unhex(arrayJoin({burns:Array(String)})) AS burn))
      OR (t.destination IN (SELECT address FROM wanted) AND t.destination NOT IN (SELECT unhex(arrayJoin({burns:Array(String)})) AS burn)))
) AS m
ARRAY JOIN {lengths:Array(UInt32)} AS length_s
GROUP BY length_s, part
ORDER BY length_s, part
