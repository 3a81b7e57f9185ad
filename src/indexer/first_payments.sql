-- Of each of these wallets the first plain accounts that paid it in final blocks of a time, and when. wallets: hex. since, last: unix
-- seconds, inside. senders: how many of each wallet.
SELECT lower(hex(p.wallet)) AS wallet, lower(hex(p.sender)) AS sender, toUnixTimestamp(p.first) AS time
FROM (
  SELECT l.address AS wallet, l.peer AS sender, min(l.time) AS first
  @paid_by_accounts
  GROUP BY l.address, l.peer
  ORDER BY first, sender
  LIMIT {senders:UInt32} BY wallet
) AS p
ORDER BY time, wallet, sender
