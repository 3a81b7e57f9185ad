-- Entries of the current version of a sanctions list, removed ones included.
SELECT family, lower(hex(address)) AS address, asset_code, entity, program, listed_on, delisted_on, is_removed
FROM sanctions FINAL
WHERE list = {list:String}
ORDER BY family, address, asset_code
