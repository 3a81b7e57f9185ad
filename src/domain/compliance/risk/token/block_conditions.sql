-- The producer of a block, and the price per unit of gas that transactions of the newest blocks paid: their median, in base
-- units. Null without such transactions. at: a block number. since: the first of the newest blocks.
SELECT
  (SELECT lower(hex(b.producer)) FROM blocks AS b
    WHERE b.network = {network:String} AND b.block_number = {at:UInt64} LIMIT 1) AS producer,
  (SELECT if(count() = 0, NULL, toUInt64(quantileExact(0.5)(toUInt64(intDiv(t.fee, greatest(t.gas_used, 1))))))
    FROM transactions AS t
    WHERE t.network = {network:String} AND t.block_number BETWEEN {since:UInt64} AND {at:UInt64} AND t.gas_used > 0) AS gas_price
ORDER BY producer
