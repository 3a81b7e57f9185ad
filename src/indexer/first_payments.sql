-- The first plain accounts that paid each of these wallets in final blocks of a time, with the times. wallets: hex. since, last: unix
-- seconds, inside. senders: most per wallet.
SELECT lower(hex(p.wallet)) AS wallet, lower(hex(p.sender)) AS sender, toUnixTimestamp(p.first) AS time
FROM (
  SELECT l.address AS wallet, l.peer AS sender, min(l.time) AS first
  @paid_by_accounts
  GROUP BY l.address, l.peer
  ORDER BY first, sender
  LIMIT {senders:UInt32} BY wallet
) AS p
ORDER BY time, wallet, sender
