-- Domains of one imported list, removed ones too.
SELECT domain, is_allowed, is_removed
FROM listed_domains FINAL
WHERE list = {list:String}
ORDER BY domain
