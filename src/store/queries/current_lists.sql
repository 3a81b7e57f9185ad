-- Imported lists in their present version.
SELECT
  list, kind, version, format, origin, licence, published_on, rows, toUnixTimestamp64Milli(imported_at) AS imported_at_ms
FROM lists FINAL
WHERE is_removed = 0
ORDER BY list
