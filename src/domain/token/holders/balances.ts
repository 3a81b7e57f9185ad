import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { isWord } from "../../../lib/wide.ts";
import { readWhole } from "../../address/movements/read_whole.ts";
import { readTokenSums } from "../../address/movements/token_sums.ts";
import { isAlias } from "../../aliases.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { nodeStateBlock, noStateOf, RECENT_BLOCKS } from "../../node_state.ts";
import { isImpossible } from "./sums.ts";

export interface Balance {
  /** '' is the native coin. */
  readonly token: Hex;
  /** Base units; pieces of a collectible. */
  readonly amount: bigint;
  /** Block of the last indexed change; null when the index has none. */
  readonly last_block: number | null;
}

export interface Balances {
  /** Positive ones, by token. */
  readonly held: readonly Balance[];
  /** True when an unlisted token is proven not to be held. */
  readonly is_proven: boolean;
  /** Number of transfers behind them. */
  readonly transfers: number;
  readonly warnings: readonly Warning[];
}

/** Maximum number of unpriced tokens to compare with the node, besides the priced ones: those that moved last. */
const UNPRICED_READS_MAX = 200;
/** Maximum number of tokens in a warning. */
const UNKNOWN_NAMED_MAX = 20;
/** A live balance replaces the indexed one when they differ by more than this share. */
const TOLERANCE_INVERSE = 1_000_000n;

/** True when the live balance replaces the indexed one. */
export const differs = (indexed: bigint, live: bigint): boolean => {
  const gap = indexed > live ? indexed - live : live - indexed;
  const size = indexed > live ? indexed : live;
  return gap * TOLERANCE_INVERSE > (size < 0n ? -size : size);
};

/** Block whose state the node has: the snapshot's or, when that is too old for the node, the node's newest. */
export const stateBlock = async ({ chain, snapshot, signal }: Omit<SnapshotContext, "facts">): Promise<number> => {
  if (chain.can.archive) return snapshot.block.number;
  const head = await chain.head(signal);
  return head.number - snapshot.block.number <= RECENT_BLOCKS ? snapshot.block.number : head.number;
};

const readLive = async (scope: SnapshotContext, wallet: Hex, asked: { tokens: readonly Hex[]; at: number }) => {
  const { chain, signal } = scope;
  const tokens = asked.tokens.filter((token) => token !== "");
  const [natives, amounts] = await Promise.all([
    chain.nativeBalances([wallet], signal, asked.at),
    chain.tokenBalances(
      tokens.map((token) => ({ token, holder: wallet })),
      signal,
      asked.at,
    ),
  ]);
  const read = new Map<Hex, bigint>();
  for (const [i, token] of tokens.entries()) {
    const amount = amounts[i];
    if (amount !== null && amount !== undefined) read.set(token, amount);
  }
  if (natives[0] !== undefined) read.set("", natives[0]);
  return read;
};

type LiveBalances = { readonly read: ReadonlyMap<Hex, bigint>; readonly warnings: readonly Warning[] };

const UNVERIFIED: Warning = {
  code: "BALANCE_UNVERIFIED",
  message: "The node could not be queried for balances at this block; all balances come from the index alone.",
};

const readLiveBalances = async (
  scope: SnapshotContext,
  wallet: Hex,
  asked: { tokens: readonly Hex[]; is_needed: boolean },
): Promise<LiveBalances> => {
  const id = scope.chain.network.id;
  try {
    const at = await nodeStateBlock(scope);
    if (at !== scope.snapshot.block.number && !asked.is_needed) return { read: new Map(), warnings: [UNVERIFIED] };
    if (at === null) {
      const message = noStateOf(scope.snapshot, "what an address held");
      throw new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message });
    }
    const read = await readLive(scope, wallet, { tokens: asked.tokens, at });
    if (!asked.is_needed) return { read, warnings: [] };
    const message = `The index of ${id} does not reach back to its first block: balances of known tokens were read live at block ${at}, tokens without movements in the index are missing.`;
    return { read, warnings: [{ code: "BALANCES_READ_LIVE", message }] };
  } catch (error) {
    const is_away = error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE";
    if (!is_away || asked.is_needed) throw error;
    return { read: new Map(), warnings: [UNVERIFIED] };
  }
};

/**
 * Tokens to compare with the node: any of them may rebase, and logs may report movements that never happened. Priced
 * tokens come first, then those whose movements add up to no balance.
 */
const tokensToCheck = (rows: readonly Balance[], priced: readonly Hex[]): readonly Hex[] => {
  const known = new Set(priced);
  const others = rows
    .filter(({ token, amount }) => amount !== 0n && !known.has(token))
    .sort(
      (a, b) =>
        Number(isWord(a.amount)) - Number(isWord(b.amount)) ||
        (b.last_block ?? 0) - (a.last_block ?? 0) ||
        (a.token < b.token ? -1 : 1),
    );
  return [...priced, ...others.slice(0, UNPRICED_READS_MAX).map(({ token }) => token)];
};

/** Tokens with an unknown balance of the wallet. */
const unknownOf = ({ chain }: SnapshotContext, tokens: readonly Hex[]): readonly Warning[] => {
  if (tokens.length === 0) return [];
  const names = tokens.map((token) => (token === "" ? "native" : chain.formatAddress(token)));
  const shown = names.slice(0, UNKNOWN_NAMED_MAX).join(", ");
  const more = names.length > UNKNOWN_NAMED_MAX ? ` and ${names.length - UNKNOWN_NAMED_MAX} more` : "";
  const message = `Events of these tokens on ${chain.network.id} add up to impossible balances, and the node was not queried for them: ${shown}${more}.`;
  return [{ code: "BALANCES_UNKNOWN", message }];
};

/**
 * The wallet's holdings at the snapshot's block. Balances come from the index; the native coin, priced tokens and the
 * unpriced ones that moved last are compared with the node. If the index does not reach back far enough, every known
 * token is read live.
 * @throws `UPSTREAM_UNAVAILABLE` when a live read is needed and no endpoint answers, `COVERAGE_INCOMPLETE` when it is needed of a past block
 * that no node has.
 */
export const readBalances = async (
  scope: SnapshotContext,
  wallet: Hex,
  pricedOf: (tokens: readonly Hex[]) => Promise<readonly Hex[]>,
): Promise<Balances> => {
  const { facts, snapshot, chain } = scope;
  const { network } = chain;
  const read = await readWhole(scope, wallet, null);
  const known_sums = read === null ? null : await readTokenSums(scope, { wallet, read });
  const stored_sums = known_sums === null ? await facts.walletBalances(snapshot, wallet) : [];
  const rows = known_sums ?? stored_sums;
  const indexed = new Map(rows.map((row) => [row.token, row]));
  const is_proven = snapshot.coverage.complete && snapshot.coverage.logs;
  const registry = [
    ...network.stablecoins.map(({ address }) => address),
    ...(network.wrapped_native === null ? [] : [network.wrapped_native]),
  ];
  const known = is_proven
    ? tokensToCheck(rows, await pricedOf([...indexed.keys()]))
    : [...new Set([...indexed.keys(), ...registry])];
  const live = await readLiveBalances(scope, wallet, { tokens: known, is_needed: !is_proven });
  const reconciled: Hex[] = [];
  const held = [...new Set([...indexed.keys(), ...live.read.keys()])].sort().map((token): Balance => {
    const row = indexed.get(token);
    const [stored, read] = [row?.amount ?? 0n, live.read.get(token)];
    const is_off = read !== undefined && differs(stored, read);
    if (is_off && is_proven) reconciled.push(token);
    return { token, amount: is_off ? read : stored, last_block: row?.last_block ?? null };
  });
  // Movements of an alias are partly those of its owner, whose balance counts.
  const unknown = held
    .filter(({ token, amount }) => isImpossible(snapshot, amount) && !isAlias(network, token))
    .map(({ token }) => token);
  const names = reconciled.map((token) => (token === "" ? "native" : chain.formatAddress(token))).join(", ");
  const mended: Warning = {
    code: "BALANCE_RECONCILED",
    message: `Live balances differ from the index on ${network.id} and are shown instead: ${names}.`,
  };
  return {
    held: held.filter(({ token, amount }) => amount > 0n && !unknown.includes(token)),
    is_proven: is_proven && unknown.length === 0,
    transfers: read?.movements.length ?? stored_sums.reduce((sum, { transfers }) => sum + transfers, 0),
    warnings: [...live.warnings, ...(reconciled.length > 0 ? [mended] : []), ...unknownOf(scope, unknown)],
  };
};
