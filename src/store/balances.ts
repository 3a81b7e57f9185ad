import type { Hex } from "../lib/bytes.ts";
import type { Facts, QueryName, QueryRow, Snapshot, WalletBalance } from "./facts.ts";
import { unavailable } from "./http.ts";
import { QUERIES } from "./queries.gen.ts";

/**
 * Balance queries read precomputed sums, with the block that they reach, and the movements after it. A query has to choose the range of
 * these movements beforehand: nearly always the blocks after the snapshot's final block, since the sums of a segment enter just
 * before the segment is done. One read sees the sums and their end in one state, so the result shows whether the choice was right; if
 * not, the query is repeated with the end that it returned.
 *
 * A segment that finishes meanwhile is neither counted twice nor lost. The end of the sums and the snapshot decide which movements are
 * read, not the time of reading: up to the snapshot's final block they are final rows, which do not change, and above it they come
 * from the tail alone, which excludes concurrent writes of the segment. When the segment removes blocks from the tail, the
 * snapshot is no longer current, and the call runs again.
 */
type BalanceFacts = Pick<Facts, "ask">;

export interface HolderTokenPair {
  readonly token: Hex;
  readonly holder: Hex;
}

/** Movements of the blocks `rest_from` to `rest_to`; none when `rest_to` is smaller. */
interface RestRange {
  readonly rest_from: number;
  readonly rest_to: number;
  /** -1: the sums contain them, and they are subtracted. */
  readonly rest_sign: 1 | -1;
  /** 0: they are all there is. */
  readonly with_sums: 0 | 1;
}

/** Movements that sums up to the block `reach` (null: there are no sums) do not contain. */
const restAfter = (snapshot: Snapshot, reach: number | null): RestRange => {
  const { from_block, block } = snapshot;
  const whole = { rest_from: from_block, rest_to: block.number, rest_sign: 1, with_sums: 1 } as const;
  if (hasOwnBeginning(snapshot)) return { ...whole, with_sums: 0 };
  if (reach === null) return whole;
  return reach <= block.number ? { ...whole, rest_from: reach + 1 } : { ...whole, with_sums: 0 };
};

/**
 * A history that begins later, of a network that is read on demand, has openings of its own. Sums hold movements before them too: other
 * addresses bring older blocks, and so does a history that grows backwards.
 */
const hasOwnBeginning = ({ followed, from_block }: Snapshot): boolean => followed !== undefined && from_block > 1;

/**
 * The same for queries that may subtract movements. The movements after the block equal the excess of the sums only if all of
 * them are final and there is no gap before the end of the sums: a segment that is being written has rows before it has sums.
 */
const restAround = (snapshot: Snapshot, reach: number | null): RestRange => {
  const { from_block, block, settled_to } = snapshot;
  const is_settled =
    !hasOwnBeginning(snapshot) &&
    reach !== null &&
    reach > block.number &&
    reach <= settled_to &&
    block.number >= from_block - 1;
  return is_settled
    ? { rest_from: block.number + 1, rest_to: reach, rest_sign: -1, with_sums: 1 }
    : restAfter(snapshot, reach);
};

/** Most attempts of a query whose sums reach another block each time. */
const ASKED_MAX = 5;

/** A row of a balance query; `above`: 0, or the block after the end of the sums in a row that holds nothing else. */
interface SummedRow {
  readonly above: number;
}

const reachOf = (rows: readonly SummedRow[]): number | null => {
  const above = rows.reduce((max, row) => Math.max(max, row.above), 0);
  return above === 0 ? null : above - 1;
};

/** Whether a query reads precomputed sums and the movements after them. */
export const isSummed = (query: QueryName): boolean => "rest_from" in QUERIES[query].params;

/** Runs a balance query and returns its rows without those that mark the end of the sums. */
export const querySums = async <N extends QueryName>(
  query: N,
  snapshot: Snapshot,
  ask: (rest: RestRange) => Promise<readonly QueryRow<N>[]>,
): Promise<readonly QueryRow<N>[]> => {
  const restOf = "rest_sign" in QUERIES[query].params ? restAround : restAfter;
  let reach: number | null = snapshot.final_block;
  for (let asked = 0; asked < ASKED_MAX; asked += 1) {
    const rest = restOf(snapshot, reach);
    // Every balance query returns this column (test/sql.test.ts).
    const rows = (await ask(rest)) as readonly (QueryRow<N> & SummedRow)[];
    const found = reachOf(rows);
    if (rest.with_sums === 0 || found === reach) return rows.filter(({ above }) => above === 0);
    reach = found;
  }
  throw unavailable(`${query}: sums of ${snapshot.network} reach another block each time`);
};

/** From the sums alone when no movements can follow them, else with the movements. */
const readSummed = async <T extends SummedRow>(
  snapshot: Snapshot,
  sums: () => Promise<readonly T[]>,
  all: () => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  if (snapshot.block.number !== snapshot.final_block) return all();
  const rows = await sums();
  return reachOf(rows) === snapshot.final_block ? rows.filter(({ above }) => above === 0) : all();
};

/** Balances before the first block, when any were read. */
const readOpened = async <T>(
  facts: BalanceFacts,
  snapshot: Snapshot,
  ask: () => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  const [row] = await facts.ask(snapshot, "has_openings", {});
  return row?.found === 1 ? ask() : [];
};

const together = (one: WalletBalance, other: WalletBalance): WalletBalance => ({
  token: one.token,
  amount: one.amount + other.amount,
  transfers: one.transfers + other.transfers,
  first_block: Math.min(one.first_block, other.first_block),
  last_block: Math.max(one.last_block, other.last_block),
});

/** A wallet's balance of every token that it ever touched, by token. */
export const readWalletBalances = async (
  facts: BalanceFacts,
  snapshot: Snapshot,
  wallet: Hex,
): Promise<readonly WalletBalance[]> => {
  const asked = { wallet };
  const [rows, openings] = await Promise.all([
    readSummed<QueryRow<"wallet_balances">>(
      snapshot,
      () => facts.ask(snapshot, "wallet_sums", asked),
      () => facts.ask(snapshot, "wallet_balances", asked),
    ),
    readOpened(facts, snapshot, () => facts.ask(snapshot, "wallet_openings", asked)),
  ]);
  const opened = openings.map(({ token, amount, block_number }) => {
    return { token, amount, transfers: 0, first_block: block_number, last_block: block_number };
  });
  const balances = new Map<Hex, WalletBalance>();
  for (const { token, amount, transfers, first_block, last_block } of [...rows, ...opened]) {
    const part = { token, amount, transfers, first_block, last_block };
    const known = balances.get(token);
    balances.set(token, known === undefined ? part : together(known, part));
  }
  return [...balances.values()].sort((a, b) => (a.token < b.token ? -1 : 1));
};

/** Amounts of the pairs, in their order; 0 for a pair that never moved. */
export const readBalances = async (
  facts: BalanceFacts,
  snapshot: Snapshot,
  pairs: readonly HolderTokenPair[],
): Promise<readonly bigint[]> => {
  if (pairs.length === 0) return [];
  const asked = {
    tokens: pairs.map(({ token }) => token),
    holders: pairs.map(({ holder }) => holder),
  };
  const [rows, openings] = await Promise.all([
    readSummed<QueryRow<"pair_balances">>(
      snapshot,
      () => facts.ask(snapshot, "pair_sums", asked),
      () => facts.ask(snapshot, "pair_balances", asked),
    ),
    readOpened(facts, snapshot, () => facts.ask(snapshot, "pair_openings", asked)),
  ]);
  const amounts = new Map<string, bigint>();
  for (const { token, holder, amount } of [...rows, ...openings]) {
    const key = `${token}:${holder}`;
    amounts.set(key, (amounts.get(key) ?? 0n) + amount);
  }
  return pairs.map(({ token, holder }) => amounts.get(`${token}:${holder}`) ?? 0n);
};
