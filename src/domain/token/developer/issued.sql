-- Net issuance of a token (minted less burnt) up to a block and after it. token: as hex.
SELECT
  sumIf(toInt256(t.amount) * if(t.source = '', 1, -1), t.block_number <= {after_block:UInt64}) AS before,
  sumIf(toInt256(bitShiftRight(t.amount, 128)) * if(t.source = '', 1, -1), t.block_number <= {after_block:UInt64}) AS before_high,
  sumIf(t.amount, t.block_number > {after_block:UInt64} AND t.source = '') AS minted_after,
  sumIf(bitShiftRight(t.amount, 128), t.block_number > {after_block:UInt64} AND t.source = '') AS minted_after_high
FROM token_ledger AS t
WHERE t.network = {network:String}
  AND t.token = unhex({token:String})
  AND (t.source = '' OR t.destination = '')
ORDER BY before
