-- Counterparties of one wallet that a label, a sanctions list or an issuer names. wallet: hex.
SELECT DISTINCT lower(hex(k.address)) AS address
FROM (
  SELECT n.address AS address
  FROM labels AS n
  WHERE n.network = {network:String} AND n.category != ''
    AND n.address IN (
      SELECT l.peer FROM ledger AS l
      PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String}))
  UNION ALL
  SELECT s.address AS address
  FROM sanctions AS s
  WHERE s.family = {family:String}
    AND s.address IN (
      SELECT l.peer FROM ledger AS l
      PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String}))
  UNION ALL
  SELECT e.account AS address
  FROM freeze_events AS e
  WHERE e.network = {network:String}
    AND e.account IN (
      SELECT l.peer FROM ledger AS l
      PREWHERE l.network = {network:String} AND l.address = unhex({wallet:String}))
) AS k
WHERE k.address != ''
ORDER BY address
