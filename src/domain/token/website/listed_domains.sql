-- Imported lists that name these domains, or except them.
SELECT list, domain, is_allowed
FROM listed_domains FINAL
WHERE domain IN {domains:Array(String)} AND is_removed = 0
ORDER BY list, domain
