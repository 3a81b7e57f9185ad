-- Counterparties of a wallet in these coins since a time that were ever frozen or are listed. tokens, frozen: hex. frozen: accounts that a
-- node's events name, where the index does not have these events. family: of the network's addresses.
SELECT DISTINCT lower(hex(l.peer)) AS peer
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.time >= toDateTime({since:UInt32}, 'UTC')
  AND l.token IN (SELECT unhex(arrayJoin({tokens:Array(String)})))
  AND l.peer != '' AND l.peer != l.address
  AND (
    l.peer IN (
      SELECT e.account FROM freeze_events AS e
      PREWHERE e.network = {network:String}
      WHERE e.effect = 'freeze')
    OR l.peer IN (SELECT unhex(arrayJoin({frozen:Array(String)})))
    OR l.peer IN (
      SELECT s.address FROM sanctions AS s FINAL
      WHERE s.family = {family:String} AND s.is_removed = 0))
ORDER BY peer
