-- Stored sums of a wallet's tokens, part by part: a token may have several rows. wallet: as hex.
-- above: 0, but where the row says how far the sums reach the block behind their end. One read sees both in one state.
SELECT lower(hex(b.token)) AS token, b.amount AS amount, b.high AS amount_high, b.transfers AS transfers,
  b.first_block AS first_block, b.last_block AS last_block, if(b.holder = '', b.last_block + 1, 0) AS above
FROM balances_by_holder AS b
WHERE b.network = {network:String} AND {with_sums:UInt8}
  AND (b.holder = unhex({wallet:String}) OR (b.holder = '' AND b.token = ''))
