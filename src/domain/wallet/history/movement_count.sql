-- Number of a wallet's movements in a period: rows of its ledger, fees included. wallet: hex. since, until: unix
-- seconds, until exclusive.
SELECT count() AS movements
FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
  AND l.time >= toDateTime({since:UInt32}, 'UTC') AND l.time < toDateTime({until:UInt32}, 'UTC')
