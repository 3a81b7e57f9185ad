-- Contracts that one address deployed, newest first.
-- with_children: 1 = those that a factory created in its transactions too. kind: all, token or contract.
-- same_code: contracts among these with this code_hash ('' = unknown).
SELECT
  d.block_number AS block_number,
  d.tx_index AS tx_index,
  d.position AS position,
  toUnixTimestamp(d.time) AS time,
  lower(hex(d.tx_hash)) AS tx_hash,
  lower(hex(d.address)) AS address,
  lower(hex(d.factory)) AS factory,
  lower(hex(d.code_hash)) AS code_hash,
  count() OVER (PARTITION BY d.code_hash) AS same_code
FROM deployments AS d
WHERE d.network = {network:String}
  AND d.creator = unhex({creator:String})
  AND ({with_children:UInt8} = 1 OR d.factory = '')
  AND ({kind:String} = 'all' OR ({kind:String} = 'token') = (d.address IN (
    @tokens_of_creator
  )))
ORDER BY d.block_number DESC, d.tx_index DESC, d.position DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
