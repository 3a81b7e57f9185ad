-- Approvals of the snapshot's range.
SELECT block_number, tx_index, log_index, toString(kind) AS kind, lower(hex(owner)) AS owner, lower(hex(token)) AS token,
  lower(hex(spender)) AS spender, amount
FROM approvals
WHERE network = {network:String}
ORDER BY block_number, tx_index, log_index, owner, token, spender
