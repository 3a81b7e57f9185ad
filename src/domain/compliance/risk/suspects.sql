-- Which of these addresses have a counterparty that a label of these categories, a sanctions list or an issuer names,
-- now or in the past. addresses: hex.
SELECT DISTINCT lower(hex(l.address)) AS address, lower(hex(l.peer)) AS peer
FROM ledger AS l
WHERE l.network = {network:String}
  AND l.address IN (SELECT unhex(arrayJoin({addresses:Array(String)})))
  AND l.kind NOT IN ('fee', 'tip', 'rent', 'wrap')
  AND l.peer != ''
  AND l.peer IN (
    SELECT n.address AS address
    FROM labels AS n
    WHERE n.network = {network:String} AND has({categories:Array(String)}, n.category)
    UNION ALL
    SELECT s.address AS address
    FROM sanctions AS s
    WHERE s.family = {family:String}
    UNION ALL
    SELECT e.account AS address
    FROM freeze_events AS e
    PREWHERE e.network = {network:String})
ORDER BY address, peer
