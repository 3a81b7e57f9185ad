/** Categories of transactions. */
export const CATEGORIES = [
  "transfer",
  "swap",
  "add_liquidity",
  "remove_liquidity",
  "bridge",
  "lend",
  "borrow",
  "repay",
  "stake",
  "nft_trade",
  "mint",
  "approval",
  "deploy",
  "governance",
  "multisig_exec",
  "user_operation",
  "other",
] as const;
export type TransactionCategory = (typeof CATEGORIES)[number];
