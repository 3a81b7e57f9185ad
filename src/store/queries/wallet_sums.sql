-- Stored sums of every token that a wallet ever touched, and their last block (above). wallet: as hex.
@wallet_sums
ORDER BY b.holder, b.token
SETTINGS max_threads = 1
