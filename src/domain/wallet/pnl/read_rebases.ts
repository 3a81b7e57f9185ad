import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { ReadMovements } from "../../address/movements/read_movements.ts";
import { readTokenSums } from "../../address/movements/token_sums.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { differs } from "../../token/holders/balances.ts";
import type { ContractBalance } from "./pnl.ts";
import type { TransactionMovements } from "./transaction_movements.ts";

/** Limit of tokens whose balances are compared with their contracts: the most recently moved ones. */
const TOKENS_MAX = 100;
/** Limit of balance reads before the movements of one such token; above it, only the last balance is read. */
const READS_MAX = 200;

/** Balances that changed without a transfer. */
export interface Rebases {
  /** Holdings before a transaction (`block:index`). */
  readonly before: ReadonlyMap<string, readonly ContractBalance[]>;
  readonly closing: readonly ContractBalance[];
  readonly warnings: readonly Warning[];
}

const NONE: Rebases = { before: new Map(), closing: [], warnings: [] };

const UNREAD: Warning = {
  code: "REBASING_UNCHECKED",
  message: "No node answers: balances that change without a transfer could not be identified.",
};

const partly = (tokens: readonly string[]): readonly Warning[] =>
  tokens.length === 0
    ? []
    : [
        {
          code: "REBASING_PARTIAL",
          message: `Balances change without a transfer and were read at the end only: ${tokens.join(", ")}. Income of earlier days counts at the last day's price.`,
        },
      ];

interface RebasesQuery {
  readonly wallet: Hex;
  /** From the wallet's first movement on. */
  readonly read: ReadMovements;
  readonly moves: TransactionMovements;
  /** False when `moves` holds only the newest blocks. */
  readonly is_whole: boolean;
  /** The last counted second. */
  readonly end: number;
}

/** Tokens whose contract reports another balance than the sum of the transfers. */
const divergingTokens = async (scope: SnapshotContext, asked: RebasesQuery): Promise<readonly Hex[]> => {
  const { snapshot, chain, signal } = scope;
  const { wallet } = asked;
  const rows = [...(await readTokenSums(scope, asked))]
    .filter(({ token, amount }) => token !== "" && token !== chain.network.wrapped_native && amount !== 0n)
    .sort((a, b) => b.last_block - a.last_block || (a.token < b.token ? -1 : 1))
    .slice(0, TOKENS_MAX);
  const pairs = rows.map(({ token }) => ({ token, holder: wallet }));
  const live = pairs.length === 0 ? [] : await chain.tokenBalances(pairs, signal, snapshot.block.number);
  return rows.flatMap(({ token, amount }, i) => {
    const said = live[i];
    return said !== null && said !== undefined && differs(amount, said) ? [token] : [];
  });
};

const readAt = async (scope: SnapshotContext, wallet: Hex, asked: { readonly token: Hex; readonly at: number }) => {
  const [amount] = await scope.chain.tokenBalances([{ token: asked.token, holder: wallet }], scope.signal, asked.at);
  return amount ?? null;
};

/** Balances of one token before each of its movements; null when it has too many. */
const readBefore = async (scope: SnapshotContext, asked: RebasesQuery, token: Hex) => {
  const { moves } = asked;
  const blocks = new Map<number, number>();
  // For the first movement of a block, the balance of the previous block; later ones continue from the first.
  for (const i of moves.movedIn(token)) if (!blocks.has(moves.blockOf(i))) blocks.set(moves.blockOf(i), i);
  const firsts = [...blocks].slice(1);
  if (firsts.length > READS_MAX) return null;
  const amounts = await Promise.all(firsts.map(([block]) => readAt(scope, asked.wallet, { token, at: block - 1 })));
  return firsts.map(([, i], nth) => ({ key: moves.keyOf(i), amount: amounts[nth] ?? null }));
};

const read = async (scope: SnapshotContext, asked: RebasesQuery): Promise<Rebases | null> => {
  const { facts, snapshot, chain } = scope;
  if (!snapshot.coverage.complete) return NONE; // without the whole history any balance differs
  const tokens = await divergingTokens(scope, asked);
  if (tokens.length === 0) return NONE;
  if (!asked.is_whole && chain.can.archive) return null;
  const [last] = await facts.ask(snapshot, "block_at_time", { time: asked.end });
  const at = last?.block_number ?? snapshot.block.number;
  const before = new Map<string, ContractBalance[]>();
  const closing: ContractBalance[] = [];
  const cut: string[] = [];
  for (const token of tokens) {
    const parts = chain.can.archive ? await readBefore(scope, asked, token) : null;
    if (parts === null) cut.push(chain.formatAddress(token));
    for (const { key, amount } of parts ?? []) {
      if (amount !== null) before.set(key, [...(before.get(key) ?? []), { bucket: token, amount }]);
    }
    const amount = await readAt(scope, asked.wallet, { token, at });
    if (amount !== null) closing.push({ bucket: token, amount });
  }
  return { before, closing, warnings: partly(cut) };
};

/**
 * Reads the effects of rebasing tokens on the wallet. When no node answers, they are left out with a warning. Null when
 * this needs the movements of all blocks.
 */
export const readRebases = async (scope: SnapshotContext, asked: RebasesQuery): Promise<Rebases | null> => {
  try {
    return await read(scope, asked);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return { ...NONE, warnings: [UNREAD] };
    throw error;
  }
};
