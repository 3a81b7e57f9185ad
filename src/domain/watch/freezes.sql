-- Issuers' actions on accounts in the snapshot's range.
SELECT block_number, tx_index, log_index, toString(effect) AS effect, lower(hex(token)) AS token,
  lower(hex(account)) AS account, amount
FROM freeze_events
WHERE network = {network:String}
ORDER BY block_number, tx_index, log_index, token, account
