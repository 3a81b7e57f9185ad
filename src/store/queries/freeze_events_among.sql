-- Issuers' actions on these accounts, oldest first; account '' for unreadable events. tokens, accounts: as hex.
SELECT
  lower(hex(e.token)) AS token,
  lower(hex(e.account)) AS account,
  lower(hex(e.holding)) AS holding,
  e.block_number AS block_number,
  e.tx_index AS tx_index,
  e.log_index AS log_index,
  toUnixTimestamp(e.time) AS time,
  lower(hex(e.tx_hash)) AS tx_hash,
  e.effect AS effect,
  e.amount AS amount
FROM freeze_events AS e
WHERE e.network = {network:String}
  AND e.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
  AND e.account IN (SELECT unhex(arrayJoin({accounts:Array(String)})))
ORDER BY e.block_number, e.tx_index, e.log_index, e.token, e.account
