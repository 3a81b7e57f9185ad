import type { Chain } from "../../../../chains/chain.ts";
import type { Hex } from "../../../../lib/bytes.ts";
import { AssayError } from "../../../../lib/errors.ts";
import { toAmount } from "../../../../lib/money.ts";
import { DAY_S, iso, isoDay } from "../../../../lib/time.ts";
import { labelCategories } from "../../../address/identity/categories.ts";
import type { Basis, CallContext, SnapshotContext, Warning } from "../../../context.ts";
import { formatToken, metadataIn, metadataOf } from "../../../token/metadata/metadata.ts";
import { type DayBounds, dateWindow } from "../../../window/dates.ts";
import { basisIn, gapsOf } from "../../../window/gaps.ts";
import { holdsWholeChain } from "../../../window/whole_chain.ts";
import { type CounterpartyFlow, counterpartyCount, type WalletFlows } from "../flows.ts";
import { hashesOf, readHistory, rowUsd, type ValuedHistory } from "../history.ts";
import type { WalletTransaction } from "../transactions.ts";
import { knownUsd, volumesOf } from "../volumes.ts";
import { readWalletActivity } from "../wallet_activity.ts";
import { countsOf, gasOf, readDeployedCount } from "./counts.ts";
import type { NetworkStats, StatsQuery } from "./report.ts";

/** One network's statistics. */
export interface NetworkResult {
  readonly scope: SnapshotContext;
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
  history: ValuedHistory,
  flow: CounterpartyFlow | undefined,
): Promise<NetworkStats["largest_in"]> => {
  const row = flow?.largest_row ?? -1;
  if (row < 0) return null;
  const { scope, movements } = history;
  const { chain } = scope;
  const token = movements.tokenAt(row);
  const [hashOf, described] = await Promise.all([hashesOf(history, [row]), metadataOf(scope, [token])]);
  const { symbol, decimals } = metadataIn(described, token);
  const amount = movements.amountAt(row);
  const is_wrapping = token === chain.network.wrapped_native && movements.peerAt(row) === "";
  const peer = is_wrapping ? token : movements.peerAt(row);
  const tx_hash = hashOf(row);
  return {
    usd_value: rowUsd(history, row) ?? 0,
    amount: decimals === null ? null : toAmount(amount, decimals),
    amount_raw: amount.toString(),
    token: symbol,
    token_address: formatToken(chain, token),
    peer: peer === "" ? null : chain.formatAddress(peer),
    chain: chain.network.id,
    tx_hash: tx_hash === "" ? null : chain.formatHash(tx_hash),
    timestamp: iso(movements.time[row] ?? 0),
  };
};

/** Value of a swap: its sold side when fully priced, else its bought side, or null when neither is. */
export const swapUsd = ({ in_usd, out_usd }: Pick<WalletTransaction, "in_usd" | "out_usd">): number | null =>
  out_usd ?? in_usd;

const swapsOf = (transactions: readonly WalletTransaction[]) => {
  const own = transactions.filter(({ is_own, type }) => is_own && type === "swap");
  const known = own.map(swapUsd).filter((usd) => usd !== null);
  const is_unknown = own.length > 0 && known.length === 0;
  return {
    swap_count: own.length,
    swap_volume_usd: is_unknown ? null : known.reduce((sum, usd) => sum + usd, 0),
  };
};

/** Null where no label of the network says which addresses are bridges. */
const bridgesOf = async (scope: SnapshotContext, flows: WalletFlows): Promise<number | null> => {
  if (!(await labelCategories(scope)).has("bridge")) return null;
  const { rows } = await flows.ask({ categories: ["bridge"], include_spam: true });
  return rows[0]?.transactions ?? 0;
};

/** Time range of the query in Unix seconds: all history up to the block unless dates narrow it. */
const windowOf = (asked: Pick<StatsQuery, "from_date" | "to_date">, now: number) => {
  const window = dateWindow(asked, now);
  return {
    from: asked.from_date === undefined ? 0 : window.from,
    until: Math.min(window.until, now + 1),
    warnings: window.warnings,
  };
};

const readAll = async (scope: SnapshotContext, wallet: Hex, window: { from: number; until: number }) => {
  const { facts, snapshot } = scope;
  const [history, calls, deployed] = await Promise.all([
    readHistory(scope, wallet, window),
    facts.ask(snapshot, "stats/calls", {
      ...{ wallet, since: window.from, until: window.until },
      vote_program: scope.chain.can.vote_program ?? "",
    }),
    readDeployedCount(scope, { wallet, ...window }),
  ]);
  const { flows, transactions } = await readWalletActivity(history);
  const { rows: sides } = await flows.ask({ by: "direction", with_void: true });
  return {
    history,
    calls: calls[0] ?? null,
    deployed,
    in: sides.find(({ direction }) => direction === 1),
    out: sides.find(({ direction }) => direction === -1),
    counterparties: await counterpartyCount(flows),
    swaps: swapsOf(transactions),
    bridge_count: await bridgesOf(scope, flows),
  };
};

/** Reasons of the fields that are null. */
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
  say("nonce", no_nonce ?? "no node could provide the state of this block");
  if (stats.first_seen !== null) say("age_days", "the index does not reach back to the first block of the chain");
  return unknown;
};

const ofWhich = ({ in: incoming, out }: ReturnType<typeof volumesOf>): NetworkStats["of_which"] => ({
  in: { mints_usd: incoming.voided_usd, wraps_usd: incoming.wraps_usd, rewards_usd: incoming.rewards_usd },
  out: { burns_usd: out.voided_usd, wraps_usd: out.wraps_usd },
});

export const readNetwork = async (
  context: CallContext,
  asked: StatsQuery,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ basis: Basis; value: NetworkResult }> => {
  const snapshot = await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null);
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const value = await readStatsAt(scope, wallet, asked);
  return { basis: await basisIn(scope, windowOf(asked, snapshot.block.time)), value };
};

/** The same at a snapshot. */
export const readStatsAt = async (
  scope: SnapshotContext,
  wallet: Hex,
  asked: Pick<StatsQuery, "from_date" | "to_date">,
): Promise<NetworkResult> => {
  const { chain, snapshot } = scope;
  const window = windowOf(asked, snapshot.block.time);
  const [found, gaps] = await Promise.all([readAll(scope, wallet, window), gapsOf(scope, window)]);
  const { history, calls } = found;
  const { sightings, days, first_time, last_time, ...counted } = countsOf(history);
  const [gas, volumes] = [gasOf(history), volumesOf(history)];
  const is_all_time = asked.from_date === undefined && asked.to_date === undefined;
  const next_nonce = is_all_time && calls !== null && calls.transactions > 0 ? Number(calls.next_nonce) : null;
  const [largest_in, largest_out, nonce] = await Promise.all([
    largestOf(history, found.in),
    largestOf(history, found.out),
    readNonce(scope, wallet, next_nonce),
  ]);
  const stats: NetworkStats = {
    network: chain.network.id,
    ...counted,
    failed_tx: calls?.failed ?? 0,
    unique_counterparties: found.counterparties,
    unique_contracts_called: (calls?.contracts_called ?? 0) + Number(counted.votes > 0 || (calls?.vote_calls ?? 0) > 0),
    active_days: days.length,
    first_seen: first_time === null ? null : iso(first_time),
    last_seen: last_time === null ? null : iso(last_time),
    age_days:
      first_time !== null && holdsWholeChain(snapshot.coverage)
        ? Math.floor((snapshot.block.time - first_time) / DAY_S)
        : null,
    total_in_usd: knownUsd(volumes.in),
    total_out_usd: knownUsd(volumes.out),
    of_which: ofWhich(volumes),
    unpriced_transfers: volumes.in.unpriced + volumes.out.unpriced,
    largest_in,
    largest_out,
    gas_spent_native: toAmount(gas.raw, chain.network.native.decimals),
    gas_spent_usd: gas.fees > 0 && gas.fees === gas.unpriced ? null : gas.usd,
    ...found.swaps,
    bridge_count: found.bridge_count,
    contracts_deployed: found.deployed,
    nonce,
  };
  const warnings = [...window.warnings, ...gaps, ...history.warnings];
  const is_seen = sightings > 0 || found.deployed > 0 || history.is_contract;
  return { scope, stats, days, is_seen, gaps, warnings, unknown: unknownOf(stats, chain.network) };
};

/** The counted days, up to the newest block of any network; `from` is null when all history counts. */
export const daysOf = ({ from_date, to_date }: DayBounds, found: readonly NetworkResult[]) => ({
  from: from_date === undefined ? null : isoDay(from_date),
  to:
    found
      .map(({ scope }) => isoDay(Math.min(to_date ?? Number.POSITIVE_INFINITY, scope.snapshot.block.time)))
      .sort()
      .at(-1) ?? null,
});
