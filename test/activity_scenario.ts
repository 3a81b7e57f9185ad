import type { Transaction } from "../src/chains/chain.ts";
import type { TracedCall, TransactionDetails } from "../src/chains/transaction_details.ts";
import { EMPTY, type Hex, hex } from "../src/lib/bytes.ts";
import { ALICE, BOB, bytes } from "./sample_logs.ts";

/** Single handwritten transactions, for tests of their readings. */

export const HASH = hex("11".repeat(32));

/** A call of alice to bob that moved nothing, with the names of a block. */
export const bareTransaction = (change: Partial<Transaction>): Transaction => ({
  index: 0,
  hash: bytes(HASH),
  sender: bytes(ALICE),
  recipient: bytes(BOB),
  value: 0n,
  nonce: 0,
  input: EMPTY,
  succeeded: true,
  gas_used: 21_000n,
  fee: 21_000n,
  tip: 0n,
  created_contract: null,
  logs: [],
  calls: [],
  ...change,
});

export const tracedCall = (change: Partial<TracedCall>): TracedCall => ({
  depth: 0,
  kind: "call",
  sender: bytes(ALICE),
  recipient: bytes(BOB),
  value: 0n,
  input: EMPTY,
  output: EMPTY,
  error: null,
  is_undone: false,
  ...change,
});

interface MinedCase {
  readonly block: { readonly number: number; readonly hash: Hex; readonly time: number };
  readonly transaction?: Partial<Transaction>;
  readonly trace?: readonly TracedCall[] | null;
}

/** The same as a node reports it: in a block, or (null) pending. */
export const seenTransaction = (
  mined: MinedCase | null,
  change: Partial<TransactionDetails> = {},
): TransactionDetails => {
  const transaction = bareTransaction(mined?.transaction ?? {});
  const { hash, sender, recipient, value, nonce, input } = transaction;
  return {
    ...{ hash, sender, recipient, value, nonce, input },
    authorizations: [],
    mined:
      mined === null
        ? null
        : {
            block: { ...mined.block, parent_hash: hex("00".repeat(32)) },
            transaction,
            cost: { unit: "gas", price: 1n, priority_price: 0n, layer1_fee: null, is_layer1_gas: false },
            verified: "full",
            trace: mined.trace === undefined ? [tracedCall({ value })] : mined.trace,
          },
    ...change,
  };
};
