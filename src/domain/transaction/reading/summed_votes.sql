-- The first validator votes stored as a sum (docs/design/families.md), which have no signatures; no row without such
-- votes.
SELECT t.block_number AS block_number
FROM transfers AS t
WHERE t.network = {network:String} AND t.kind = 'fee' AND t.token_id > 0
ORDER BY t.block_number
LIMIT 1
