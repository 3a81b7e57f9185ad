/** One transaction and its info, as a node told them, made into a `Transaction` in bytes. */
import { equalBytes } from "../../lib/bytes.ts";
import type { Transaction, Verify } from "../chain.ts";
import { BadAnswer } from "../node/answer.ts";
import { NO_INNER } from "./calls.ts";
import type { Info } from "./info.ts";
import type { ListedTransaction } from "./listed.ts";
import { addressOrNull } from "./wire.ts";

export interface TransactionParts {
  readonly index: number;
  readonly listed: ListedTransaction;
  readonly info: Info;
  /** Position of the first log in the block. */
  readonly first_log: number;
  /** `header`: how it ended is what its info says. */
  readonly verify?: Verify;
}

export interface ReadTransaction {
  readonly transaction: Transaction;
  /** False where the node's answers do not tell all that moved. */
  readonly is_told: boolean;
}

/** @throws BadAnswer when any field is not what the protocol says, or the info is another transaction's */
export const readTransaction = ({ index, listed, info, first_log, verify }: TransactionParts): ReadTransaction => {
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
    nonce: 0, // there are none: a transaction names a recent block instead
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

/** The transaction and its info both say it; they must agree. */
const hasSucceeded = ({ ending }: ListedTransaction, { is_good }: Info): boolean => {
  if (ending.is_said && ending.is_good !== is_good)
    throw new BadAnswer("a transaction and its info disagree", "ending");
  return is_good;
};
