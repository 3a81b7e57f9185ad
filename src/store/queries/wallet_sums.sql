-- What the kept sums say of every token that a wallet ever touched, and how far they reach (above). wallet: as hex.
@wallet_sums
ORDER BY b.holder, b.token
SETTINGS max_threads = 1
