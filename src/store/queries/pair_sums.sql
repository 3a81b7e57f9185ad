-- What the kept sums say of pairs (tokens[i], holders[i]), and how far they reach (above). As hex.
@pair_sums
ORDER BY b.holder, b.token
SETTINGS max_threads = 1
