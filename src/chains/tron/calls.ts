/**
 * Internal transactions: calls, creations, self-destructs, payments and stakes of contracts. The node's `note` states
 * the kind (java-tron, vm/program/Program.java, addInternalTx).
 */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { InternalCall, LoglessTransfer } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import { addressOf, addressOrNull, amountOf, bytesOf } from "./wire.ts";

export interface Inner {
  readonly calls: readonly InternalCall[];
  readonly moves: readonly LoglessTransfer[];
}

export const NO_INNER: Inner = { calls: [], moves: [] };

export const KINDS: Readonly<Record<string, InternalCall["kind"]>> = {
  call: "call",
  create: "create",
  create2: "create2",
  suicide: "selfdestruct",
};

/** TRX that leave the balance for a stake. */
const LOCKS = /^freeze(?:BalanceV2)?For/;
/** TRX that return from one. Unstaking in Stake 2.0 (`unfreezeBalanceV2For…`) pays nothing yet. */
const UNLOCKS = /^(?:unfreezeFor|withdrawExpireUnfreeze)/;
const REWARD = "withdrawReward";
const NOTE_CHARACTERS_MAX = 64;

/** Reads those of a transaction that succeeded. Rejected ones changed nothing. @throws BadAnswer */
export const readInner = (list: unknown): Inner => {
  const calls: InternalCall[] = [];
  const moves: LoglessTransfer[] = [];
  for (const item of list === undefined ? [] : listOf(list, "internal transactions")) {
    const fields = fieldsOf(item, "internal transaction");
    if (fields.rejected === true) continue;
    const note = noteOf(fields);
    const kind = Object.hasOwn(KINDS, note) ? KINDS[note] : undefined;
    const values = valuesOf(fields);
    const sender = addressOf(fields.caller_address, "caller");
    if (kind === undefined) {
      moves.push(...stakeTransfers(note, sender, values));
      continue;
    }
    const recipient = addressOrNull(fields.transferTo_address, "callee");
    if (recipient === null) throw new BadAnswer("an internal transaction without a callee");
    const value = values.reduce((sum, { token, amount }) => (token.length === 0 ? sum + amount : sum), 0n);
    calls.push({ kind, sender, recipient, value, init_hash: null, code_hash: null });
    for (const { token, amount } of values)
      if (token.length > 0) moves.push({ kind: "trc10", token, source: sender, destination: recipient, amount });
  }
  return { calls, moves };
};

interface CallValue {
  /** Empty for TRX. */
  readonly token: Bytes;
  readonly amount: bigint;
}

export const noteOf = ({ note }: JsonFields): string =>
  Buffer.from(bytesOf(note, "note").subarray(0, NOTE_CHARACTERS_MAX)).toString("latin1");

export const valuesOf = ({ callValueInfo }: JsonFields): readonly CallValue[] =>
  (callValueInfo === undefined ? [] : listOf(callValueInfo, "call values")).map((item) => {
    const { callValue, tokenId } = fieldsOf(item, "call value");
    if (tokenId !== undefined && typeof tokenId !== "string" && typeof tokenId !== "number")
      throw new BadAnswer("a token id that is not a text");
    const token = tokenId === undefined || tokenId === "" ? EMPTY : Buffer.from(String(tokenId), "latin1");
    return { token, amount: amountOf(callValue, "call value") };
  });

const stakeTransfers = (note: string, owner: Bytes, values: readonly CallValue[]): readonly LoglessTransfer[] => {
  const amount = values.reduce((sum, one) => sum + one.amount, 0n);
  if (LOCKS.test(note)) return [{ kind: "native", token: EMPTY, source: owner, destination: EMPTY, amount }];
  const kind = note === REWARD ? "reward" : UNLOCKS.test(note) ? "withdrawal" : null;
  return kind === null ? [] : [{ kind, token: EMPTY, source: EMPTY, destination: owner, amount }];
};
