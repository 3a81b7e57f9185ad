-- The first votes of validators that are kept as a sum (docs/design/families.md), which no signature is found in; no row: none are.
SELECT t.block_number AS block_number
FROM transfers AS t
WHERE t.network = {network:String} AND t.kind = 'fee' AND t.token_id > 0
ORDER BY t.block_number
LIMIT 1
