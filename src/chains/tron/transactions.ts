/** Builds a `Transaction` in bytes from one transaction and its info. */
import { equalBytes } from "../../lib/bytes.ts";
import type { Transaction, Verify } from "../chain.ts";
import { BadAnswer } from "../node/answer.ts";
import { NO_INNER } from "./calls.ts";
import type { Info } from "./info.ts";
import type { ListedTransaction } from "./listed.ts";
import { addressOrNull } from "./wire.ts";

export interface TronTransactionInput {
  readonly index: number;
  readonly listed: ListedTransaction;
  readonly info: Info;
  /** Position of the first log in the block. */
  readonly first_log: number;
  /** `header`: takes the outcome from the info. */
  readonly verify?: Verify;
}

export interface ReadTransaction {
  readonly transaction: Transaction;
  /** False if the node's answers do not show all movements. */
  readonly is_told: boolean;
}

/** @throws BadAnswer if any field violates the protocol, or the info is another transaction's */
export const readTransaction = ({ index, listed, info, first_log, verify }: TronTransactionInput): ReadTransaction => {
  const { hash } = listed;
  if (!equalBytes(info.id, hash)) throw new BadAnswer("an info of another transaction", "receipt_transaction");
  const contract = listed.contract(() => info.fields());
  const succeeded = verify === "header" ? info.is_good : hasSucceeded(listed, info);
  const inner = succeeded ? info.inner() : NO_INNER;
  const moves = [...contract.moves, ...inner.moves].filter(({ amount }) => amount > 0n);
  const is_creation = contract.recipient === null && succeeded;
  const transaction: Transaction = {
    index,
    hash,
    sender: contract.sender,
    recipient: contract.recipient,
    value: contract.value,
    nonce: 0, // Tron has none: a transaction names a recent block instead
    input: contract.input,
    succeeded,
    gas_used: info.energy,
    fee: info.fee,
    tip: 0n,
    created_contract: is_creation ? addressOrNull(info.fields().contract_address, "created contract") : null,
    logs: info.logs(first_log),
    calls: inner.calls,
  };
  return {
    transaction: moves.length === 0 ? transaction : { ...transaction, moves },
    is_told: contract.is_told || !succeeded,
  };
};

/** The transaction and its info both state it; they must agree. */
const hasSucceeded = ({ ending }: ListedTransaction, { is_good }: Info): boolean => {
  if (ending.is_said && ending.is_good !== is_good)
    throw new BadAnswer("a transaction and its info disagree", "ending");
  return is_good;
};
