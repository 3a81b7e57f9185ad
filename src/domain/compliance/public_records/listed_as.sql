-- Token lists that name an address.
SELECT list, symbol, name
FROM listed_tokens FINAL
WHERE network = {network:String} AND token = unhex({address:String}) AND is_removed = 0
ORDER BY list
