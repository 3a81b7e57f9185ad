-- Stored sums of pairs (tokens[i], holders[i]), and their last block (above). As hex.
@pair_sums
ORDER BY b.holder, b.token
SETTINGS max_threads = 1
