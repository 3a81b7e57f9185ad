import { createHash } from "node:crypto";
import { stakingReceipts } from "../../../labels/receipts.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { ReadMovements } from "../../address/movements/read_movements.ts";
import type { SnapshotContext } from "../../context.ts";
import { NFT, nftSubject, readPositionEvents } from "../history/position_events.ts";
import { addressLists } from "./address_lists.ts";
import type { PositionEvent } from "./position_events.ts";
import { isVoid, type TransactionMovements, transactionKey } from "./transaction_movements.ts";

type PositionRow = QueryRow<"pnl/positions">;

/** Protocol events of one transaction. */
export interface TransactionEvents {
  readonly block_number: number;
  readonly tx_index: number;
  readonly time: number;
  readonly events: readonly PositionEvent[];
}

/** Meanings of tokens, learned from events. */
export interface LoanTokens {
  /** Tokens that represent debts of the wallet. */
  readonly debts: ReadonlySet<Hex>;
  /** Receipts that represent lent tokens one to one, with those tokens. */
  readonly lent: ReadonlyMap<Hex, Hex>;
}

/** Facts about a wallet's positions beyond its movements. */
export interface PositionFacts extends LoanTokens {
  /** By `block:index`, in the order of the chain. */
  readonly told: ReadonlyMap<string, TransactionEvents>;
  /** Buckets of positions, even if the wallet never moved them. */
  readonly buckets: ReadonlySet<Hex>;
}

const bucketIn = ({ chain }: SnapshotContext, token: Hex): Hex => (token === chain.network.wrapped_native ? "" : token);

type PoolTokens = ReadonlyMap<Hex, readonly [Hex, Hex]>;

const tokensOfPools = async (scope: SnapshotContext, pools: readonly Hex[]): Promise<PoolTokens> => {
  const rows = pools.length === 0 ? [] : await scope.facts.ask(scope.snapshot, "pools_among", { pools });
  return new Map(rows.map(({ pool, token0, token1 }) => [pool, [bucketIn(scope, token0), bucketIn(scope, token1)]]));
};

const eventOf = (scope: SnapshotContext, row: PositionRow, pools: PoolTokens): PositionEvent | null => {
  const { kind } = row;
  switch (kind) {
    case "vault_deposit":
    case "vault_withdraw":
      return { kind: "vault", vault: row.contract };
    case "lend":
    case "unlend":
    case "stake":
    case "unstake":
      return { kind, asset: bucketIn(scope, row.asset), amount: row.amount0, contract: row.contract };
    case "borrow":
    case "repay":
      return { kind, asset: bucketIn(scope, row.asset), amount: row.amount0 };
    case "increase":
    case "decrease":
    case "collect": {
      const [token0, token1] = pools.get(row.pool) ?? [];
      if (token0 === undefined || token1 === undefined) return null;
      const tokens = [[token0, row.amount0] as const, [token1, row.amount1] as const];
      return { kind, position: row.subject, tokens, liquidity: row.liquidity };
    }
    default:
      return null;
  }
};

/** Which of these tokens are pool shares or staking receipts. */
export const readShares = async (scope: SnapshotContext, buckets: ReadonlySet<Hex>): Promise<ReadonlySet<Hex>> => {
  const tokens = [...buckets].filter((bucket) => bucket !== "").sort();
  const answers = await Promise.all(
    addressLists(tokens).map((pools) => scope.facts.ask(scope.snapshot, "pools_among", { pools })),
  );
  const staking = stakingReceipts(scope.chain.network.id);
  return new Set([...answers.flat().map(({ pool }) => pool), ...tokens.filter((token) => staking.has(token))]);
};

/** Inputs of the learning. */
interface LoanTokensQuery {
  readonly moves: TransactionMovements;
  /** Number of transactions to use. */
  readonly length: number;
  /** Learned from earlier blocks outside `moves`. */
  readonly before: LoanTokens | null;
}

/** Debt tokens and lending receipts are recognised when minted: for the wallet, in the transaction of the event. */
export const findLoanTokens = (
  told: ReadonlyMap<string, TransactionEvents>,
  { moves, before, length }: LoanTokensQuery,
): LoanTokens => {
  const debts = new Set<Hex>(before?.debts);
  const lent = new Map<Hex, Hex>(before?.lent);
  for (let i = 0; told.size > 0 && i < length; i += 1) {
    const events = told.get(moves.keyOf(i))?.events ?? [];
    const assets = events.flatMap((event) => ("asset" in event ? [event.asset] : []));
    if (assets.length === 0) continue;
    const owes = events.some(({ kind }) => kind === "borrow" || kind === "repay");
    const lends = events.some(({ kind }) => kind === "lend" || kind === "unlend");
    // A transaction with both does not reveal the meaning of each token.
    if (owes === lends) continue;
    for (const { bucket: token, peer } of moves.movesOf(i)) {
      if (peer !== "" || token === "" || assets.includes(token)) continue;
      if (owes) debts.add(token);
      else if (new Set(assets).size === 1) lent.set(token, assets[0] ?? "");
    }
  }
  return { debts, lent };
};

const group = (
  scope: SnapshotContext,
  rows: readonly PositionRow[],
  pools: PoolTokens,
): Map<string, TransactionEvents> => {
  const told = new Map<string, TransactionEvents & { events: PositionEvent[] }>();
  for (const row of rows) {
    const event = eventOf(scope, row, pools);
    if (event === null) continue;
    const { block_number, tx_index, time } = row;
    const known = told.get(transactionKey(row)) ?? { block_number, tx_index, time, events: [] };
    known.events.push(event);
    told.set(transactionKey(row), known);
  }
  return told;
};

/** Rows behind the positions. */
export interface PositionRows {
  readonly events: readonly PositionRow[];
  readonly given: readonly NftGift[];
}

/**
 * An NFT that the wallet transferred to another account; `subject` is its contract and decimal id in bytes, as in
 * events.
 */
interface NftGift {
  readonly block_number: number;
  readonly tx_index: number;
  readonly time: number;
  readonly subject: Hex;
  /** The account that received it. */
  readonly to: Hex;
}

/** NFTs that one wallet gave away, oldest first. */
export const nftGifts = ({ movements, first, end }: ReadMovements): readonly NftGift[] => {
  const { kind, direction, block_number, tx_index, time } = movements;
  const given: NftGift[] = [];
  for (let row = first; row < end; row += 1) {
    const to = movements.peerAt(row);
    if (kind[row] !== NFT || direction[row] !== -1 || isVoid(to)) continue;
    const subject = nftSubject(movements.tokenAt(row), movements.tokenIdAt(row));
    given.push({
      ...{ block_number: block_number[row] ?? 0, tx_index: tx_index[row] ?? 0, time: time[row] ?? 0 },
      ...{ subject, to },
    });
  }
  return given;
};

/** Reads the protocol events about the wallet before `until` (unix seconds). */
export const readPositionRows = async (
  { facts, snapshot }: SnapshotContext,
  { wallet, read, until }: { readonly wallet: Hex; readonly read: ReadMovements; readonly until: number },
): Promise<readonly PositionRow[]> => {
  const rows = await readPositionEvents({ facts, snapshot }, wallet, read);
  if (rows === null) return facts.ask(snapshot, "pnl/positions", { wallet, until });
  return rows.filter(({ time }) => time < until);
};

/** Derives the positions from these rows. */
export const readPositions = async (
  scope: SnapshotContext,
  { events, given }: PositionRows,
  { moves, before }: Omit<LoanTokensQuery, "length">,
): Promise<PositionFacts> => {
  const pools = [...new Set(events.map(({ pool }) => pool))].filter((pool) => pool !== "").sort();
  const tokens = await tokensOfPools(scope, pools);
  const told = group(scope, events, tokens);
  const positions = new Set(events.map(({ subject }) => subject));
  for (const { subject, to, ...at } of given.filter((row) => positions.has(row.subject))) {
    const known = told.get(transactionKey(at))?.events ?? [];
    told.set(transactionKey(at), { ...at, events: [...known, { kind: "handed_over", position: subject, to }] });
  }
  return {
    told,
    ...findLoanTokens(told, { moves, before, length: moves.length }),
    buckets: new Set([...tokens.values()].flat()),
  };
};

/** A text that changes with any event of blocks up to `to_block`. */
export const eventsDigest = (told: ReadonlyMap<string, TransactionEvents>, to_block: number): string => {
  const hash = createHash("sha256");
  const earlier = [...told].filter(([, { block_number }]) => block_number <= to_block);
  for (const one of earlier) {
    hash.update(JSON.stringify(one, (_, value) => (typeof value === "bigint" ? value.toString() : value)));
  }
  return `${earlier.length}:${hash.digest("hex")}`;
};
