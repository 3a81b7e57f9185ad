import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { toAmount } from "../../../lib/money.ts";
import { DAY_S, iso } from "../../../lib/time.ts";
import type { Snapshot } from "../../../store/facts.ts";
import type { CallContext, SnapshotContext, Warning } from "../../context.ts";
import { type Flow, type Flows, openFlows } from "../../flows/wallet_flows.ts";
import { labelCategories } from "../../identity/categories.ts";
import { formatToken, metadataIn, metadataOf } from "../../tokens/metadata.ts";
import { dateWindow } from "../../window/dates.ts";
import { gapsOf } from "../../window/gaps.ts";
import { readTransactionRows, type TransactionRow } from "../transaction_rows.ts";
import { readCounts, readDeployedCount } from "./counts.ts";
import type { NetworkStats, StatsQuestion } from "./report.ts";

/** Swaps that one call adds up. */
const SWAPS_MAX = 200_000;

/** One network's part of the answer. */
export interface NetworkResult {
  readonly place: SnapshotContext;
  readonly stats: NetworkStats;
  /** Unix days with a transaction. */
  readonly days: readonly number[];
  readonly is_seen: boolean;
  readonly gaps: readonly Warning[];
  readonly warnings: readonly Warning[];
  /** Fields that are null here, and why. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** Nonce at the block: the node's where it keeps old states, else one more than the last one seen. */
const readNonce = async ({ chain, snapshot, signal }: SnapshotContext, wallet: Hex, seen: number | null) => {
  if (chain.network.has_nonces === false) return null;
  if (!chain.can.archive) return seen;
  try {
    return (await chain.account(wallet, signal, snapshot.block.number)).nonce;
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return seen;
    throw error;
  }
};

/** The transfer of the greatest known value among those of one direction. */
const largestOf = async (
  place: SnapshotContext,
  wallet: Hex,
  flow: Flow | undefined,
): Promise<NetworkStats["largest_in"]> => {
  if (flow === undefined || flow.interactions === flow.unpriced) return null;
  const { chain, facts, snapshot } = place;
  const [row] = await facts.ask(snapshot, "stats/transfer", {
    wallet,
    wrapped: chain.network.wrapped_native ?? "",
    block: flow.largest_block,
    index: flow.largest_index,
    position: flow.largest_position,
  });
  if (row === undefined) throw new AssayError({ code: "BUG", message: "the largest transfer is not in the ledger" });
  const face = metadataIn(await metadataOf(place, [row.token]), row.token);
  return {
    usd_value: flow.largest_usd,
    amount: face.decimals === null ? null : toAmount(row.amount, face.decimals),
    amount_raw: row.amount.toString(),
    token: face.symbol,
    token_address: formatToken(chain, row.token),
    peer: row.peer === "" ? null : chain.formatAddress(row.peer),
    chain: chain.network.id,
    tx_hash: row.tx_hash === "" ? null : chain.formatHash(row.tx_hash),
    timestamp: iso(row.time),
  };
};

/** Null when there were transfers and none had a price. */
const totalOf = (flow: Flow | undefined, usd: number): number | null =>
  flow !== undefined && flow.interactions === flow.unpriced ? null : usd;

/** What a swap was worth: its given side when that is fully priced, else the other one; null when neither is. */
export const swapUsd = (
  deed: Pick<TransactionRow, "in_usd" | "out_usd" | "unpriced_in" | "unpriced_out">,
): number | null => {
  if (deed.unpriced_out === 0) return deed.out_usd;
  return deed.unpriced_in === 0 ? deed.in_usd : null;
};

const swapsOf = async (place: SnapshotContext, flows: Flows) => {
  const rows = await readTransactionRows(place, flows, { type: "swap", limit: SWAPS_MAX + 1 });
  const own = rows.slice(0, SWAPS_MAX).filter(({ is_own }) => is_own === 1);
  const known = own.map(swapUsd).filter((usd) => usd !== null);
  const is_unknown = own.length > 0 && known.length === 0;
  return {
    swap_count: own.length,
    swap_volume_usd: is_unknown ? null : known.reduce((sum, usd) => sum + usd, 0),
    is_cut: rows.length > SWAPS_MAX,
  };
};

/** Null where no label of the network says which addresses are bridges. */
const bridgesOf = async (place: SnapshotContext, flows: Flows): Promise<number | null> => {
  if (!(await labelCategories(place)).has("bridge")) return null;
  const [bridged] = await flows.ask({ categories: ["bridge"], include_spam: true });
  return bridged?.transactions ?? 0;
};

/** Unix seconds of what is asked for: everything up to the block, unless dates say less. */
const windowOf = (asked: StatsQuestion, now: number) => {
  const window = dateWindow(asked, now);
  return {
    from: asked.from_date === undefined ? 0 : window.from,
    until: Math.min(window.until, now + 1),
    warnings: window.warnings,
  };
};

const readAll = async (place: SnapshotContext, wallet: Hex, window: { from: number; until: number }) => {
  const { facts, snapshot } = place;
  const bounds = { wallet, since: window.from, until: window.until };
  const flows = await openFlows(place, wallet, window);
  const [counts, calls, deployed, gas, sides, swaps, bridge_count, contracts] = await Promise.all([
    readCounts(place, { wallet, ...window }),
    facts.ask(snapshot, "stats/calls", bounds),
    readDeployedCount(place, { wallet, ...window }),
    facts.ask(snapshot, "stats/gas", flows.sources),
    flows.ask({ by: "direction", with_void: true }),
    swapsOf(place, flows),
    bridgesOf(place, flows),
    facts.ask(snapshot, "contracts_among", { addresses: [wallet] }),
  ]);
  return {
    flows,
    counts,
    calls: calls[0] ?? null,
    deployed,
    gas: gas[0] ?? null,
    in: sides.find(({ direction }) => direction === 1),
    out: sides.find(({ direction }) => direction === -1),
    swaps,
    bridge_count,
    is_contract: contracts.length > 0,
  };
};

const SWAPS_CUT: Warning = {
  code: "SWAPS_PARTIAL",
  message: `Only the newest ${SWAPS_MAX} swaps were added up. Narrow the dates.`,
};

/** What is null, with its reason. */
const unknownOf = (stats: NetworkStats, { has_nonces }: Chain["network"]): ReadonlyMap<string, string> => {
  const unknown = new Map<string, string>();
  const say = (field: keyof NetworkStats, reason: string) => {
    if (stats[field] === null) unknown.set(field, reason);
  };
  say("total_in_usd", "nothing that came in had a price");
  say("total_out_usd", "nothing that went out had a price");
  say("gas_spent_usd", "the native coin had no price when the fees were paid");
  say("swap_volume_usd", "no side of a swap had a price");
  say("bridge_count", "no source of bridge labels is loaded");
  const no_nonce = has_nonces === false ? "accounts of this network do not count their transactions" : null;
  say("nonce", no_nonce ?? "no node could tell the state of this block");
  if (stats.first_seen !== null) say("age_days", "the index does not reach back to the network's first wanted block");
  return unknown;
};

export const readNetwork = async (
  context: CallContext,
  asked: StatsQuestion,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ basis: Snapshot; value: NetworkResult }> => {
  const snapshot = await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null);
  const place: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const window = windowOf(asked, snapshot.block.time);
  const [found, gaps] = await Promise.all([readAll(place, wallet, window), gapsOf(place, window)]);
  const { counts, calls, gas } = found;
  const is_all_time = asked.from_date === undefined && asked.to_date === undefined;
  const next_nonce = is_all_time && calls !== null && calls.transactions > 0 ? Number(calls.next_nonce) : null;
  const [largest_in, largest_out, nonce] = await Promise.all([
    largestOf(place, wallet, found.in),
    largestOf(place, wallet, found.out),
    readNonce(place, wallet, next_nonce),
  ]);
  const is_moved = counts.sightings > 0;
  const stats: NetworkStats = {
    network: chain.network.id,
    tx_count: counts.tx_count,
    tx_sent: counts.tx_sent,
    tx_received: counts.tx_received,
    failed_tx: calls?.failed ?? 0,
    token_transfer_count: counts.token_transfer_count,
    unique_counterparties: counts.unique_counterparties,
    unique_contracts_called: calls?.contracts_called ?? 0,
    unique_tokens: counts.unique_tokens,
    nft_transfer_count: counts.nft_transfer_count,
    active_days: counts.days.length,
    first_seen: is_moved ? iso(counts.first_time) : null,
    last_seen: is_moved ? iso(counts.last_time) : null,
    age_days:
      is_moved && snapshot.coverage.complete ? Math.floor((snapshot.block.time - counts.first_time) / DAY_S) : null,
    total_in_usd: totalOf(found.in, found.in?.in_usd ?? 0),
    total_out_usd: totalOf(found.out, found.out?.out_usd ?? 0),
    unpriced_transfers: (found.in?.unpriced ?? 0) + (found.out?.unpriced ?? 0),
    largest_in,
    largest_out,
    gas_spent_native: toAmount(gas?.raw ?? 0n, chain.network.native.decimals),
    gas_spent_usd: gas !== null && gas.fees > 0 && gas.fees === gas.unpriced ? null : (gas?.usd ?? 0),
    swap_count: found.swaps.swap_count,
    swap_volume_usd: found.swaps.swap_volume_usd,
    bridge_count: found.bridge_count,
    contracts_deployed: found.deployed,
    nonce,
  };
  const warnings = [...window.warnings, ...gaps, ...found.flows.warnings, ...(found.swaps.is_cut ? [SWAPS_CUT] : [])];
  const is_seen = is_moved || found.deployed > 0 || found.is_contract;
  return {
    basis: snapshot,
    value: { place, stats, days: counts.days, is_seen, gaps, warnings, unknown: unknownOf(stats, chain.network) },
  };
};
