-- The name of this store.
SELECT min(id) AS id
FROM facts_identity
