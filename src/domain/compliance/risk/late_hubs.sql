-- Which of these addresses have at least `many` counterparties in their slices of `width` blocks: address i in
-- slices[i]. addresses: hex, one for each slice.
SELECT lower(hex(l.address)) AS address
FROM ledger AS l
WHERE l.network = {network:String}
  AND (l.address, intDiv(l.block_number, {width:UInt64})) IN (
    SELECT unhex(s.1), s.2
    FROM (SELECT arrayJoin(arrayZip({addresses:Array(String)}, {slices:Array(UInt64)})) AS s))
  AND l.kind NOT IN ('fee', 'tip', 'rent')
GROUP BY l.address
HAVING length(groupUniqArray({many:UInt32})(l.peer)) >= {many:UInt32}
ORDER BY address
