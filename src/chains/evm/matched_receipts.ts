/**
 * Matches receipts with transactions. `verify: "header"` matches by the transaction that a receipt names, otherwise
 * also by position.
 */
import type { Verify } from "../chain.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import type { ScannedReceipt } from "./scan/records.ts";
import { countOf } from "./wire.ts";

export type Receipts = readonly (ScannedReceipt | null)[];

interface ReceiptMatching {
  readonly hash: string;
  /** Transactions may be without a receipt. */
  readonly loose: boolean;
  readonly number: number;
  readonly verify: Verify;
}

/** One receipt for each transaction; null only on a loose chain. @throws BadAnswer */
export const matchReceipts = (
  list: readonly JsonFields[],
  answer: readonly ScannedReceipt[],
  how: ReceiptMatching,
): Receipts => {
  if (answer.length > list.length || (answer.length < list.length && !how.loose))
    throw new BadAnswer(`${list.length} transactions have ${answer.length} receipts`, "receipt_count");
  return how.verify === "full" ? inOrder(list, answer, how) : byTransaction(list, answer, how);
};

const byTransaction = (
  list: readonly JsonFields[],
  answer: readonly ScannedReceipt[],
  { loose }: ReceiptMatching,
): Receipts => {
  const by_hash = new Map(answer.map((receipt) => [receipt.fields.transactionHash, receipt]));
  const receipts = list.map((fields) => by_hash.get(fields.hash) ?? null);
  const found = receipts.filter((receipt) => receipt !== null);
  if (new Set(found).size !== answer.length || (found.length < list.length && !loose))
    throw new BadAnswer("receipts are not those of the block's transactions", "receipt_transaction");
  return receipts;
};

const inOrder = (
  list: readonly JsonFields[],
  answer: readonly ScannedReceipt[],
  { hash, loose, number }: ReceiptMatching,
): Receipts => {
  let next = 0;
  const receipts = list.map((fields, index) => {
    if (fields.blockHash !== hash) throw new BadAnswer("a transaction of another block", "block_reference");
    checkNumber(fields, number);
    if (countOf(fields.transactionIndex, "transaction index") !== index)
      throw new BadAnswer("transactions are out of order", "transaction_order");
    const told = answer[next];
    if (told === undefined) return null;
    const receipt = told.fields;
    if (receipt.blockHash !== hash) throw new BadAnswer("a receipt of another block", "block_reference");
    checkNumber(receipt, number);
    if (receipt.transactionHash !== fields.hash && loose) return null;
    if (receipt.transactionHash !== fields.hash)
      throw new BadAnswer("a receipt of another transaction", "receipt_transaction");
    if (countOf(receipt.transactionIndex, "receipt index") !== index)
      throw new BadAnswer("receipts are out of order", "receipt_order");
    next += 1;
    return told;
  });
  if (next !== answer.length) throw new BadAnswer("a receipt belongs to no transaction", "receipt_transaction");
  return receipts;
};

const checkNumber = (fields: JsonFields, number: number): void => {
  if (fields.blockNumber !== undefined && countOf(fields.blockNumber, "block number") !== number)
    throw new BadAnswer("a transaction or receipt of another block", "block_reference");
};
