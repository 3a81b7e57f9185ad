import { fromHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { type Engine, nodesOf } from "../engine.ts";
import type { QueryRow } from "../facts.ts";
import { queryRows } from "../query.ts";
import { openWriter, type Writer } from "../writer.ts";
import { type BalanceTable, type EnteredUnits, readEnteredUnits, type UnitSpan } from "./entered.ts";

const TABLES: readonly BalanceTable[] = ["balances", "balances_by_holder"];

/** Rows of the ledger that one question sums up: what it needs of memory follows from it. */
const ROWS_PER_SLICE = 2_000_000;
/** Slices are cut by the first two bytes of the holder. */
const SLICES_MAX = 65_536;
const PAIRS_PER_ANSWER = 5_000;
/** Attempts for a store that is written meanwhile. */
const LOOKS_MAX = 5;
/** Longer than a question of a tool: a slice of a large store is read whole. */
const SLICE_SECONDS = 600;

/** Pairs of token and holder whose sums are not what the ledger says. */
export interface WrongSums {
  readonly table: BalanceTable;
  readonly pairs: number;
  /** The first of them, as hex. */
  readonly example: { readonly token: string; readonly holder: string };
}

export interface BalancesFindings {
  readonly wrong: readonly WrongSums[];
  /** Segments whose marker says something else than once, per table. */
  readonly miscounted: readonly {
    readonly table: BalanceTable;
    readonly from: number;
    readonly to: number;
    readonly times: number;
  }[];
  /** Tables that say that their sums reach another block than they do. */
  readonly misreaching: readonly BalanceTable[];
  /** The network was written during every attempt, so there is no result. */
  readonly is_unsettled: boolean;
}

type BalanceRow = QueryRow<"verify_balances">;

const keyOf = (table: BalanceTable, from: number, to: number): string => `${table}:${from}-${to}`;

const sameEntered = (one: EnteredUnits, other: EnteredUnits): boolean =>
  JSON.stringify(one.markers) === JSON.stringify(other.markers) && one.units.length === other.units.length;

const slicesOf = async (engine: Engine, network: string) => {
  const [row] = await engine.query("SELECT count() FROM ledger WHERE tail = 0 AND network = {network:String}", {
    params: { network },
    settings: { max_execution_time: SLICE_SECONDS },
  });
  const wanted = Math.ceil(Number(row?.[0] ?? 0) / ROWS_PER_SLICE);
  const count = Math.max(1, Math.min(SLICES_MAX, 2 ** Math.ceil(Math.log2(Math.max(1, wanted)))));
  const edge = (at: number): string =>
    at === 0 || at === count ? "" : ((SLICES_MAX / count) * at).toString(16).padStart(4, "0");
  return Array.from({ length: count }, (_, at) => ({ low: edge(at), high: edge(at + 1) }));
};

interface Slice {
  readonly low: string;
  readonly high: string;
}

const querySlice = (
  engine: Engine,
  network: string,
  how: { slice: Slice; entered: EnteredUnits },
): Promise<readonly BalanceRow[]> =>
  queryRows(engine, "verify_balances", {
    network,
    ...how.slice,
    froms: how.entered.spans.map(({ from }) => from),
    tos: how.entered.spans.map(({ to }) => to),
    limit: PAIRS_PER_ANSWER,
  });

/** Asks until nothing was written under the question. Null when the network is written all the while. */
const readSlice = async (engine: Engine, network: string, slice: Slice): Promise<readonly BalanceRow[] | null> => {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const before = await readEnteredUnits(engine, network);
    const pairs = await querySlice(engine, network, { slice, entered: before });
    if (pairs.length === 0 || sameEntered(before, await readEnteredUnits(engine, network))) return pairs;
  }
  return null;
};

const differsIn = (table: BalanceTable, pair: BalanceRow): boolean =>
  (table === "balances" ? pair.differs : pair.differs_by_holder) === 1;

/** Compares every balance with the ledger, on every server that keeps balances. */
export const compareBalances = async (engine: Engine, network: string): Promise<BalancesFindings> => {
  const found: BalancesFindings[] = [];
  for (const node of nodesOf(engine)) found.push(await compareOwn(node, network));
  return {
    wrong: found.flatMap(({ wrong }) => wrong),
    miscounted: found.flatMap((one) => one.miscounted),
    misreaching: [...new Set(found.flatMap((one) => one.misreaching))],
    is_unsettled: found.some((one) => one.is_unsettled),
  };
};

/** The same on one of them, some of the holders at a time. */
const compareOwn = async (engine: Engine, network: string): Promise<BalancesFindings> => {
  const wrong = new Map<BalanceTable, { pairs: number; example: WrongSums["example"] }>();
  let is_unsettled = false;
  for (const slice of await slicesOf(engine, network)) {
    const pairs = await readSlice(engine, network, slice);
    if (pairs === null) is_unsettled = true;
    for (const pair of pairs ?? [])
      for (const table of TABLES.filter((one) => differsIn(one, pair))) {
        const before = wrong.get(table);
        const example = before?.example ?? { token: pair.token, holder: pair.holder };
        wrong.set(table, { pairs: (before?.pairs ?? 0) + 1, example });
      }
  }
  const entered = await readEnteredUnits(engine, network);
  return {
    wrong: [...wrong].map(([table, found]) => ({ table, ...found })),
    miscounted: miscounted(entered).filter(({ from, to }) => !isOpen(entered, { from, to })),
    misreaching: await misreaching(engine, network, entered),
    is_unsettled,
  };
};

/** A segment that is being written has its marker in one table before the other. */
const isOpen = ({ units }: EnteredUnits, { from, to }: UnitSpan): boolean =>
  units.some((unit) => unit.from === from && unit.to === to && !unit.is_done);

/** Markers that do not say "once", or say so of no segment. */
const miscounted = ({ units, markers }: EnteredUnits) => {
  const wanted = new Map<string, { table: BalanceTable; from: number; to: number; times: number; wanted: number }>();
  for (const table of TABLES)
    for (const { from, to } of units) wanted.set(keyOf(table, from, to), { table, from, to, times: 0, wanted: 1 });
  for (const marker of markers) {
    const key = keyOf(marker.table, marker.from, marker.to);
    wanted.set(key, { ...marker, wanted: wanted.get(key)?.wanted ?? 0 });
  }
  return [...wanted.values()].filter((one) => one.times !== one.wanted);
};

const misreaching = async (
  engine: Engine,
  network: string,
  { units }: EnteredUnits,
): Promise<readonly BalanceTable[]> => {
  const [reach] = await queryRows(engine, "sums_reach", { network });
  const top = Math.max(0, ...units.map(({ to }) => to));
  return TABLES.filter((table) => (reach?.[table] ?? 0) !== top);
};

const rowOf = (
  network: string,
  { token, holder, total, total_upper, transfers, first_block, last_block }: BalanceRow,
) => ({
  network,
  token: fromHex(token) ?? new Uint8Array(0),
  holder: fromHex(holder) ?? new Uint8Array(0),
  amount: total,
  high: total_upper,
  transfers,
  first_block,
  last_block,
});

const NONE = new Uint8Array(0);

const markerToken = (from: number, to: number): Uint8Array => {
  const bytes = Buffer.alloc(17);
  bytes[0] = 1;
  bytes.writeBigUInt64BE(BigInt(from), 1);
  bytes.writeBigUInt64BE(BigInt(to), 9);
  return bytes;
};

/** Removes the wrong sums of some pairs and writes those of the ledger. */
const mendPairs = async (
  store: BalanceStore,
  table: BalanceTable,
  { network, pairs }: { network: string; pairs: readonly BalanceRow[] },
) => {
  const wrong = pairs.filter((pair) => differsIn(table, pair));
  if (wrong.length === 0) return;
  await store.writer.finals.removePairs(table, network, wrong);
  const rows = wrong.filter(({ in_ledger }) => in_ledger > 0).map((pair) => rowOf(network, pair));
  await store.writer.insert(table, rows, { network });
};

interface BalanceStore {
  readonly engine: Engine;
  readonly writer: Writer;
}

/**
 * Sets every balance to the ledger's value, and every marker to "once". No other process may write the network meanwhile. Returns the number of wrong pairs.
 */
export const mendBalances = async ({ engine }: Pick<BalanceStore, "engine">, network: string): Promise<number> => {
  let mended = 0;
  for (const node of nodesOf(engine)) mended += await mendOwn({ engine: node, writer: openWriter(node) }, network);
  return mended;
};

const mendOwn = async (store: BalanceStore, network: string): Promise<number> => {
  const { engine, writer } = store;
  let mended = 0;
  for (const slice of await slicesOf(engine, network)) {
    const entered = await readEnteredUnits(engine, network);
    let left = Number.POSITIVE_INFINITY;
    for (;;) {
      const pairs = await querySlice(engine, network, { slice, entered });
      if (pairs.length === 0) break;
      // Full answers may follow each other; any other one is the last, and then all is mended.
      if (left < PAIRS_PER_ANSWER) throw balancesDamaged(network);
      left = pairs.length;
      mended += pairs.length;
      for (const table of TABLES) await mendPairs(store, table, { network, pairs });
    }
  }
  const entered = await readEnteredUnits(engine, network);
  for (const { table, from, to, times, wanted } of miscounted(entered)) {
    const marker = {
      network,
      token: markerToken(from, to),
      holder: NONE,
      amount: 0n,
      high: 0n,
      first_block: to,
      last_block: to,
    };
    await writer.insert(table, [{ ...marker, transfers: BigInt.asUintN(64, BigInt(wanted - times)) }], { network });
  }
  const top = Math.max(0, ...entered.units.map(({ to }) => to));
  const blocks = { first_block: top, last_block: top };
  const reach = { network, token: NONE, holder: NONE, amount: 0n, high: 0n, transfers: 0, ...blocks };
  for (const table of await misreaching(engine, network, entered)) await writer.insert(table, [reach], { network });
  return mended;
};

const balancesDamaged = (network: string): AssayError =>
  new AssayError({
    code: "FACTS_DAMAGED",
    message: `${network}: balances do not stay as they are written`,
    public: "The index is not available right now.",
    retryable: true,
  });
