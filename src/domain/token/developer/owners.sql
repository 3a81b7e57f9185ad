-- The owners of contracts by their newest event, and their first owners. '' = no owner. contracts: as hex.
SELECT
  lower(hex(o.contract)) AS contract,
  lower(hex(argMin(o.current, (o.block_number, o.log_index)))) AS first_owner,
  lower(hex(argMax(o.current, (o.block_number, o.log_index)))) AS owner
FROM ownership_events AS o
WHERE o.network = {network:String}
  AND o.contract IN (SELECT unhex(arrayJoin({contracts:Array(String)})) AS wanted)
  AND o.kind = 'ownership'
GROUP BY o.contract
ORDER BY contract
