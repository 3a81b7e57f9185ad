/**
 * Checks of a block by stable names, which messages and recorded gaps use. `full`: only `verify: "full"` makes the
 * check; `always`: a block that fails it yields no facts (docs/threat_model.md).
 */
export const CHECKS = {
  /** A field does not have the form that the protocol requires. */
  form: "always",
  block_number: "always",
  receipt_count: "always",
  receipt_transaction: "always",
  /** Traces do not belong to the block's transactions, or one of them is missing. */
  traces: "always",
  /** The node did not keep a part of the block from which facts follow. */
  kept_parts: "always",
  block_time: "full",
  /** A transaction, receipt or log names another block. */
  block_reference: "full",
  transaction_order: "full",
  receipt_order: "full",
  log_positions: "full",
  log_filter: "full",
  log_reference: "full",
  header_hash: "full",
  header_seal: "full",
  transactions_root: "full",
  transaction_hash: "full",
  transaction_kinds: "full",
  receipts_root: "full",
  withdrawals_root: "full",
  signature: "full",
  implied_fields: "full",
  gas_used: "full",
  gas_price: "full",
  blob_gas: "full",
  created_contract: "full",
  bookkeeping: "full",
  rewards: "full",
  transaction_twice: "full",
  conservation: "full",
  ending: "full",
} as const;

export type AnswerCheck = keyof typeof CHECKS;
