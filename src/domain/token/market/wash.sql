-- Amount of one token that some pools traded, and the part of it that went in circles, in base units. In circles: one
-- trader with at least 3 buying and 3 selling transactions within 24 hours (counted back from `until`), whose net
-- amount is at most 1 % of their total. until: unix seconds, inside. since: inside. pools, firsts: pools of the token,
-- and those of which it is the first coin, hex.
SELECT sum(d.traded) AS traded, sumIf(d.traded, least(d.buys, d.sells) >= 3 AND abs(d.left_over) * 100 <= d.moved) AS washed
FROM (
  SELECT
    t.trader,
    t.day,
    sum(t.traded) AS traded,
    countIf(t.net < 0) AS buys,
    countIf(t.net > 0) AS sells,
    sum(t.net) AS left_over,
    sum(abs(t.net)) AS moved
  FROM (
    WITH
      if(s.pool IN (SELECT unhex(arrayJoin({firsts:Array(String)})) AS wanted), s.amount0, s.amount1) AS change
    SELECT
      s.trader AS trader,
      intDiv({until:UInt32} - toUnixTimestamp(s.time), 86400) AS day,
      sum(abs(toFloat64(change))) AS traded,
      sum(toFloat64(change)) AS net
    FROM (
      @net_swaps
    ) AS s
    GROUP BY s.trader, day, s.block_number, s.tx_index
  ) AS t
  GROUP BY t.trader, t.day
) AS d
