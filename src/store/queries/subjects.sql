-- How far the histories of addresses are read. among: addresses as hex, all where it is empty. Times are unix milliseconds.
SELECT lower(hex(subject)) AS subject_hex, state, from_block, to_block, lower(hex(to_hash)) AS to_hash_hex,
  toUnixTimestamp(to_time) AS to_time_s, toUnixTimestamp64Milli(wished_at) AS wished_ms, is_plain, is_balanced, toString(verified) AS verified_word,
  untraced, found, fetched, requests, problem, rewrites, is_rewriting, head,
  toUnixTimestamp64Milli(written_at) AS written_ms
FROM subjects FINAL
WHERE network = {network:String}
  AND (empty({among:Array(String)}) OR subject IN (SELECT unhex(arrayJoin({among:Array(String)}))))
ORDER BY subject_hex
