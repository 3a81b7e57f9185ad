-- How often a segment's sums have entered balances and balances_by_holder (segment_balances.sql): 1 is right.
WITH unhex(concat('01', leftPad(hex({from:UInt64}), 16, '0'), leftPad(hex({to:UInt64}), 16, '0'))) AS marker
SELECT
  toInt64((SELECT sum(transfers) FROM balances WHERE network = {network:String} AND token = marker AND holder = '')) AS balances,
  toInt64((SELECT sum(transfers) FROM balances_by_holder WHERE network = {network:String} AND holder = '' AND token = marker))
    AS balances_by_holder
ORDER BY balances
