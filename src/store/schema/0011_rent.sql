-- rent: coins that an account must hold to be there, put in when it is opened and given back when it is closed. A view keeps
-- the types of its columns from when it was made, so it is told its query again: without a moment in which it is not there.
ALTER TABLE transfers_final MODIFY COLUMN kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6,
  'fee' = 7, 'tip' = 8, 'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13, 'rent' = 14);
ALTER TABLE transfers_head MODIFY COLUMN kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6,
  'fee' = 7, 'tip' = 8, 'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13, 'rent' = 14);
ALTER TABLE transfers MODIFY COLUMN kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6,
  'fee' = 7, 'tip' = 8, 'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13, 'rent' = 14);
ALTER TABLE ledger_final MODIFY COLUMN kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6,
  'fee' = 7, 'tip' = 8, 'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13, 'rent' = 14);
ALTER TABLE ledger_head MODIFY COLUMN kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6,
  'fee' = 7, 'tip' = 8, 'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13, 'rent' = 14);
ALTER TABLE ledger MODIFY COLUMN kind Enum8('native' = 1, 'internal' = 2, 'erc20' = 3, 'erc721' = 4, 'erc1155' = 5, 'wrap' = 6,
  'fee' = 7, 'tip' = 8, 'reward' = 9, 'withdrawal' = 10, 'spl' = 11, 'trc20' = 12, 'trc10' = 13, 'rent' = 14);

ALTER TABLE feed_ledger_final MODIFY QUERY
SELECT network, side.1 AS address, block_number, tx_index, position, side.2 AS direction, time, tx_hash, kind, token,
  token_id, side.3 AS peer, amount, sender
FROM transfers_final
ARRAY JOIN [(source, toInt8(-1), destination), (destination, toInt8(1), source)] AS side
WHERE side.1 != '';

ALTER TABLE feed_ledger_head MODIFY QUERY
SELECT network, side.1 AS address, block_number, tx_index, position, side.2 AS direction, time, tx_hash, kind, token,
  token_id, side.3 AS peer, amount, sender
FROM transfers_head
ARRAY JOIN [(source, toInt8(-1), destination), (destination, toInt8(1), source)] AS side
WHERE side.1 != '';
