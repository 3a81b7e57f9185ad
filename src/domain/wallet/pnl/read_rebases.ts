import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { ReadMovements } from "../../address/movements/read_movements.ts";
import { readTokenSums } from "../../address/movements/token_sums.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { differs } from "../../token/holders/balances.ts";
import type { Moves } from "./moves.ts";
import type { Holding } from "./pnl.ts";

/** Tokens whose balance is compared with their contract: those that moved last. */
const TOKENS_MAX = 100;
/** Movements of one such token before which its balance is read; without them only the last balance is. */
const READS_MAX = 200;

/** Balances that changed without a transfer. */
export interface Rebases {
  /** Before which transaction (`block:index`) what was held. */
  readonly before: ReadonlyMap<string, readonly Holding[]>;
  readonly closing: readonly Holding[];
  readonly warnings: readonly Warning[];
}

const NONE: Rebases = { before: new Map(), closing: [], warnings: [] };

const UNREAD: Warning = {
  code: "REBASING_UNCHECKED",
  message: "No node answers: balances that change without a transfer could not be told from those that do not.",
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

interface Asked {
  readonly wallet: Hex;
  /** From the wallet's first movement on. */
  readonly read: ReadMovements;
  readonly moves: Moves;
  /** False where `moves` are only those of the newest blocks. */
  readonly is_whole: boolean;
  /** The last second that counts. */
  readonly end: number;
}

/** Tokens of which the contract says something else than the transfers add up to. */
const movingTokens = async (scope: SnapshotContext, asked: Asked): Promise<readonly Hex[]> => {
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

/** Balances of one token before each of its movements; null when there are too many of them. */
const readBefore = async (scope: SnapshotContext, asked: Asked, token: Hex) => {
  const { moves } = asked;
  const blocks = new Map<number, number>();
  // The first movement of a block stands on the block before; later ones on the first.
  for (const i of moves.movedIn(token)) if (!blocks.has(moves.blockOf(i))) blocks.set(moves.blockOf(i), i);
  const firsts = [...blocks].slice(1);
  if (firsts.length > READS_MAX) return null;
  const amounts = await Promise.all(firsts.map(([block]) => readAt(scope, asked.wallet, { token, at: block - 1 })));
  return firsts.map(([, i], nth) => ({ key: moves.keyOf(i), amount: amounts[nth] ?? null }));
};

const read = async (scope: SnapshotContext, asked: Asked): Promise<Rebases | null> => {
  const { facts, snapshot, chain } = scope;
  if (!snapshot.coverage.complete) return NONE; // without the whole history any balance differs
  const tokens = await movingTokens(scope, asked);
  if (tokens.length === 0) return NONE;
  if (!asked.is_whole && chain.can.archive) return null;
  const [last] = await facts.ask(snapshot, "block_at_time", { time: asked.end });
  const at = last?.block_number ?? snapshot.block.number;
  const before = new Map<string, Holding[]>();
  const closing: Holding[] = [];
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
 * What rebasing tokens did to the wallet. A silent node leaves it out and says so. Null when the movements of
 * all blocks are needed for that.
 */
export const readRebases = async (scope: SnapshotContext, asked: Asked): Promise<Rebases | null> => {
  try {
    return await read(scope, asked);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return { ...NONE, warnings: [UNREAD] };
    throw error;
  }
};
