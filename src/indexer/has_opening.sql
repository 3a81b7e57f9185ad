-- Whether an opening of a network was read. holder: an address as hex, '' = any.
SELECT count() > 0 AS found
FROM (
  SELECT 1 FROM openings
  WHERE network = {network:String} AND ({holder:String} = '' OR holder = unhex({holder:String}))
  LIMIT 1
)
ORDER BY found
