-- The addresses of a group: `members` (hex) and those with a label of one of `categories`.
SELECT address FROM labels FINAL WHERE network = {network:String} AND has({categories:Array(String)}, category)
  AND valid_from <= toDateTime({block_time:UInt32}, 'UTC')
UNION DISTINCT
SELECT unhex(arrayJoin({members:Array(String)}))
