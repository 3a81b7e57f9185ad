-- The latest approval of an owner for each token and spender, except withdrawn ones. owner: hex. is_for_all: every
-- collectible of the contract, else amount in base units.
SELECT
  v.token AS token,
  v.spender AS spender,
  v.is_for_all AS is_for_all,
  v.latest.1 AS amount,
  lower(hex(v.latest.2)) AS tx_hash,
  toUnixTimestamp(v.latest.3) AS time,
  v.latest.4 AS block_number
FROM (
  SELECT
    lower(hex(a.token)) AS token,
    lower(hex(a.spender)) AS spender,
    a.kind = 'for_all' AS is_for_all,
    argMax((a.amount, a.tx_hash, a.time, a.block_number), (a.block_number, a.tx_index, a.log_index)) AS latest
  FROM approvals AS a
  WHERE a.network = {network:String} AND a.owner = unhex({owner:String})
    AND a.kind IN ('erc20', 'for_all')
  GROUP BY token, spender, is_for_all
) AS v
WHERE v.latest.1 > 0
ORDER BY time DESC, token, spender, is_for_all
LIMIT {limit:UInt32}
