-- What one sanctions list says in its present version, removed entries too.
SELECT family, lower(hex(address)) AS address, asset_code, entity, program, listed_on, delisted_on, is_removed
FROM sanctions FINAL
WHERE list = {list:String}
ORDER BY family, address, asset_code
