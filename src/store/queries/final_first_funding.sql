-- The rows of first_funding that follow from the transfers of final blocks: of each address and segment the first native coins
-- that came from another address, and the first from a different sender. froms: first blocks of the segments in the range.
SELECT network, destination AS address, block_number, tx_index, position, time, source AS funder, amount
FROM (
  SELECT network, destination, block_number, tx_index, position, time, source, amount,
    arrayLastIndex(first -> first <= block_number, {froms:Array(UInt64)}) AS segment
  FROM transfers
  WHERE tail = 0 AND network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
    AND token = '' AND kind IN ('native', 'internal') AND amount > 0
    AND source != '' AND destination != '' AND source != destination
  ORDER BY block_number, tx_index, position
  LIMIT 1 BY segment, destination, source
)
ORDER BY block_number, tx_index, position
LIMIT 2 BY segment, destination
