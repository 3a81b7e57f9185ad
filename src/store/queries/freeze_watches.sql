-- Coins whose issuers the indexer listens to, and the last block that was written before it did.
SELECT lower(hex(token)) AS token, families, blind_to
FROM freeze_watches FINAL
WHERE network = {network:String}
ORDER BY token
