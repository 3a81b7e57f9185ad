import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTraceBlockAnswer } from "../../bench/replay/recorded.ts";
import type { Block, Transaction } from "../chains/chain.ts";
import { readTraceBlock } from "../chains/evm/traces.ts";
import { ethereum } from "../chains/networks/known.gen.ts";
import { EMPTY, fromHex, toHex } from "../lib/bytes.ts";
import { decodeBlock } from "./decode.ts";

/** Recorded blocks beside the checkout; the tests below run if they exist. */
const FOLDER = join(process.cwd(), "../shared/data/evm");
const recorded = (existsSync(join(FOLDER, "ethereum")) ? readdirSync(join(FOLDER, "ethereum")) : []).filter(
  (number) => readTraceBlockAnswer(FOLDER, "ethereum", Number(number)) !== null,
);

/** A flat trace; fields that its kind does not have are absent. */
interface FlatTrace {
  readonly type: string;
  readonly error?: string;
  readonly traceAddress: readonly number[];
  readonly transactionHash: string;
  readonly transactionPosition: number;
  readonly action: {
    readonly [field in "from" | "to" | "value" | "callType" | "address" | "refundAddress" | "balance"]?: string;
  };
  readonly result?: { readonly address?: string } | null;
}

const bytes = (text: string | undefined) => fromHex((text ?? "0x").slice(2)) ?? EMPTY;
const bare = (text: string | undefined): string => (text ?? "0x").slice(2);

/** Entries of a transaction that did not fail and are below no failed entry. */
const lasting = (entries: readonly FlatTrace[]): FlatTrace[] => {
  const undone = entries.filter(({ error }) => error !== undefined);
  const isBelow = (entry: FlatTrace, failed: FlatTrace): boolean =>
    failed.transactionHash === entry.transactionHash &&
    failed.traceAddress.every((place, i) => entry.traceAddress[i] === place);
  return entries.filter((entry) => !undone.some((failed) => isBelow(entry, failed)));
};

/** `position from to amount` of coins moved and `event address` of contracts, by the trace's own text. */
const told = (entries: readonly FlatTrace[]) => {
  const coins: string[] = [];
  const contracts: string[] = [];
  const positions = new Map<string, number>();
  for (const { type, traceAddress, transactionHash, action, result } of lasting(entries)) {
    const is_plain = type === "call" && (action.callType !== "call" || BigInt(action.value ?? 0) === 0n);
    if (traceAddress.length === 0 || is_plain) continue;
    const position = (positions.get(transactionHash) ?? 0) + 1;
    positions.set(transactionHash, position);
    const is_end = type === "suicide" || type === "selfdestruct";
    const amount = BigInt((is_end ? action.balance : action.value) ?? 0);
    const from = bare(is_end ? action.address : action.from);
    const to = bare(is_end ? action.refundAddress : type === "create" ? result?.address : action.to);
    // All of these blocks are older than EIP-6780: a contract that destroys itself in favour of itself burns the coins.
    if (amount > 0n)
      coins.push(`${bare(transactionHash)} ${position} ${from} ${is_end && from === to ? "" : to} ${amount}`);
    if (type === "create") contracts.push(`${bare(transactionHash)} ${position} created ${to}`);
    if (is_end) contracts.push(`${bare(transactionHash)} ${position} destroyed ${from}`);
  }
  return { coins, contracts };
};

const blockOf = (number: number, entries: readonly FlatTrace[]): Block => {
  const roots = entries.filter(({ type, traceAddress }) => type !== "reward" && traceAddress.length === 0);
  const targets = roots.map(({ transactionHash, action }) => ({ hash: transactionHash, from: action.from }));
  const { traces } = readTraceBlock(entries, targets);
  const transactions = roots.map(({ transactionHash, action }, index): Transaction => {
    const read = traces[index];
    const parties = { sender: bytes(action.from), recipient: bytes(action.to), created_contract: null };
    const nothing = { value: 0n, nonce: 0, input: EMPTY, gas_used: 0n, fee: 0n, tip: 0n, logs: [] };
    const outcome = { succeeded: read?.failed === false, calls: read?.calls ?? [] };
    return { index, hash: bytes(transactionHash), ...parties, ...nothing, ...outcome };
  });
  const header = { hash: EMPTY, parent_hash: EMPTY, time: 1_500_000_000, producer: EMPTY, base_fee: null };
  return { number, ...header, transactions, issuance: [], has_traces: true, verified: "none" };
};

test.skipIf(recorded.length > 0)("the recorded traces are not here: their tests are skipped", () => {
  expect(existsSync(FOLDER)).toBe(false);
});

test.each(recorded)("coins and contracts of block %s equal those in its flat traces", (number) => {
  // Recorded answers of one client: a list of such entries.
  const entries = (readTraceBlockAnswer(FOLDER, "ethereum", Number(number)) ?? []) as readonly FlatTrace[];
  const rows = decodeBlock(blockOf(Number(number), entries), ethereum, new Map());
  const { coins, contracts } = told(entries.filter(({ type }) => type !== "reward"));
  const hashes = rows.transactions.map(({ hash }) => toHex(hash));
  expect(
    rows.transfers.map((row) =>
      [hashes[row.tx_index], row.position, toHex(row.source), toHex(row.destination), row.amount].join(" "),
    ),
  ).toEqual(coins);
  expect(
    rows.contracts.map((row) => [toHex(row.tx_hash), row.position, row.event, toHex(row.address)].join(" ")),
  ).toEqual(contracts);
});
