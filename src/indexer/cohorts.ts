import type { Network } from "../chains/chain.ts";
import { COHORT_RULES, SMART_TRADER } from "../domain/address/cohorts/definitions.ts";
import { COHORT, listCandidates, listedDay } from "../domain/address/cohorts/lists.ts";
import { ranked, type SmartTrader, smartTrader, type TradeRecord } from "../domain/address/cohorts/smart_trader.ts";
import { pooledSpan } from "../domain/valuation/prices/price_now.ts";
import { EMPTY, fromHex, type Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { DAY_S } from "../lib/time.ts";
import type { Facts, Snapshot } from "../store/facts.ts";
import type { FactsStore } from "../store/open.ts";
import type { CohortsDailyRow } from "../store/tables.gen.ts";

/** Candidates for one list, the busiest traders first. */
const CANDIDATES_MAX = 10_000;
/** Traders judged in one call, so that blocks do not wait for a list. */
const JUDGED_AT_ONCE = 20;

/** Judges a wallet's trades from `from` (unix seconds) to the end of the snapshot's block. */
export type JudgeTrader = (
  wallet: Hex,
  window: { readonly snapshot: Snapshot; readonly from: number },
  signal: AbortSignal,
) => Promise<TradeRecord>;

export interface CohortOptions {
  readonly network: Network;
  readonly store: Pick<FactsStore, "facts" | "writer">;
  readonly judge: JudgeTrader;
}

/** A list in progress, bound to the last block of its day, whatever is indexed meanwhile. */
interface CohortDraft {
  readonly day: number;
  readonly from: number;
  readonly snapshot: Snapshot;
  readonly waiting: Hex[];
  readonly found: SmartTrader[];
}

/**
 * Writes the list of smart traders of the newest whole day of final blocks whose prices are stored. Call it after the
 * prices, repeatedly; true: there is more to do.
 */
export const openCohortPass = (parts: CohortOptions): ((signal: AbortSignal) => Promise<boolean>) => {
  let draft: CohortDraft | null = null;
  let done_day = -1;
  return async (signal) => {
    // After a fault the draft begins again: it may lack the wallet that was being judged.
    const current = draft ?? (await begin(parts, parts.store.facts.withSignal(signal), done_day));
    draft = null;
    if (current === null) return false;
    await judgeSome(parts, current, signal);
    if (current.waiting.length > 0) {
      draft = current;
      return true;
    }
    await parts.store.writer.insert("cohorts_daily", rowsOf(parts.network, current), { signal });
    done_day = current.day;
    return false;
  };
};

const judgeSome = async (
  { judge }: CohortOptions,
  { snapshot, from, found, waiting }: CohortDraft,
  signal: AbortSignal,
): Promise<void> => {
  for (const wallet of waiting.splice(0, JUDGED_AT_ONCE)) {
    signal.throwIfAborted();
    const trader = smartTrader(wallet, await judge(wallet, { snapshot, from }, signal));
    if (trader !== null) found.push(trader);
  }
};

/** Null if no new list can be made. */
const begin = async ({ network }: CohortOptions, facts: Facts, done_day: number): Promise<CohortDraft | null> => {
  const day = await wholeDay(network, facts);
  if (day === null || day <= done_day) return null;
  const newest = await facts.snapshot(network.id, null);
  if ((await listedDay({ facts, snapshot: newest }, day)) === day) return null;
  const end = (day + 1) * DAY_S;
  const [last] = await facts.ask(newest, "block_at_time", { time: end - 1 });
  if (last === undefined) return null;
  const snapshot = await facts.snapshot(network.id, last.block_number);
  const from = end - SMART_TRADER.window_days * DAY_S;
  if (!(await isCovered(facts, snapshot, from))) return null;
  const traders = await listCandidates({ facts, snapshot }, Math.max(0, from), CANDIDATES_MAX);
  return { day, from, snapshot, waiting: [...traders], found: [] };
};

/** The window is within the indexed blocks, or the network's history begins inside it. */
const isCovered = async (facts: Facts, snapshot: Snapshot, from: number): Promise<boolean> => {
  if (snapshot.coverage.complete) return true;
  const [first] = await facts.ask(snapshot, "block_times", { blocks: [snapshot.from_block] });
  return first !== undefined && first.time <= from;
};

/** The newest day that ends before the newest final block and stored price, or null. */
const wholeDay = async (network: Network, facts: Facts): Promise<number | null> => {
  const final = await finalSnapshot(network, facts);
  if (final === null) return null;
  const { until } = await pooledSpan({ facts, network, snapshot: final });
  return until === 0 ? null : Math.floor(until / DAY_S) - 1;
};

/** A snapshot of the final blocks only; null before the first one. */
const finalSnapshot = async (network: Network, facts: Facts): Promise<Snapshot | null> => {
  try {
    const newest = await facts.snapshot(network.id, null);
    if (newest.final_block < newest.from_block) return null;
    return await facts.snapshot(network.id, Math.min(newest.final_block, newest.block.number));
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};

/** The members, and the row that marks the list as written. */
const rowsOf = ({ id }: Network, { day, snapshot, found }: CohortDraft): readonly CohortsDailyRow[] => {
  const members = ranked(found);
  const list = { network: id, cohort: COHORT, day, rules: COHORT_RULES, block_number: snapshot.block.number };
  const mark = {
    ...list,
    address: EMPTY,
    rank: members.length,
    closed_trades: 0,
    tokens: 0,
    win_rate_percent: 0,
    realized_usd: 0,
    cost_coverage_percent: 0,
  };
  const rows = members.map(({ address, ...record }, i) => ({
    ...list,
    ...record,
    address: fromHex(address) ?? EMPTY,
    rank: i + 1,
  }));
  return [mark, ...rows];
};
