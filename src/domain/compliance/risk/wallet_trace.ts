import type { Hex } from "../../../lib/bytes.ts";
import type { TraceMethod } from "../../../lib/trace_method.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { transactionHashes } from "../../transaction_hashes.ts";
import { type FirstSeen, readFirstSeen } from "../../wallet/history/first_seen.ts";
import type { ValuedHistory } from "../../wallet/history/history.ts";
import { PEER_ROWS_MAX } from "./activity.ts";
import { type AddressRisk, addressRiskIn, type RiskScope, UNMARKED } from "./address_risks.ts";
import { type BridgeReader, traceOverBridges, unmatchedBridges } from "./bridges/cross.ts";
import { type FollowedLegs, withBeyond } from "./bridges/trails.ts";
import { type Frontier, type FrontierSplit, frontierOf } from "./frontier.ts";
import { LIMITS } from "./model.ts";
import { namedEnd } from "./named_end.ts";
import { Neighbourhood, WALLET_ROWS_MAX } from "./neighbourhood.ts";
import { type PaymentOrigin, type PaymentSelection, readPaymentOrigin, tracePayments } from "./payment_origin.ts";
import { nextLinks } from "./peel.ts";
import { type UnreadAddresses, unreadWarnings } from "./readable.ts";
import type { TracingSummary } from "./report.ts";
import type { TraceResult } from "./trace.ts";
import type { EndTrail } from "./trace_ends.ts";
import type { HashedEnd, HashedTraces } from "./traced_network.ts";
import { readSteps } from "./trail_payments.ts";
import { paymentsOf, type ValueEvent, type ValueMovement } from "./value_events.ts";
import { type LedgerTransfer, valueEventsOf } from "./value_events_of.ts";

/** An emergency stop, far beyond the time that the budgets take. A wallet that it cuts off gets no score. */
const WALK_MS_MAX = 20_000;

/** Coverage of a wallet's neighbourhood on one network. */
export interface TraceCoverage extends FrontierSplit {
  /** Addresses that value is followed through. */
  readonly followed: number;
  /** Hubs, at which tracing stops. */
  readonly hubs: number;
  /** Addresses that the budgets left out although value could have been followed through them. */
  readonly left_out: number;
  /** Movements that were read. */
  readonly transfers: number;
  /** Addresses that are not read, on a network that is read on demand. */
  readonly unread: UnreadAddresses;
  /** Nothing was left out. */
  readonly is_complete: boolean;
  /** The emergency stop cut it off: the findings are true, and a missing finding proves nothing. */
  readonly is_stopped: boolean;
}

type WithHash<T> = T & { readonly tx_hash: Hex };

interface TraceFindings {
  readonly traced: TraceResult;
  readonly ends: readonly EndTrail[];
  /** The wallet's largest transfer; null when none has a price. */
  readonly largest: LedgerTransfer | null;
}

/** Maximum number of exchange payments to show: the largest ones. */
const PAID_MAX = 10;

/** The neighbourhood of a wallet on one network, and the traces of its money. */
export interface WalletTrace {
  readonly marks: ReadonlyMap<Hex, AddressRisk>;
  /** Payments of the wallet and of the addresses on its traces, in the order of the chain. */
  readonly moves: readonly ValueMovement[];
  /** The wallet and the addresses whose movements are known. */
  readonly actors: ReadonlySet<Hex>;
  readonly traced: HashedTraces;
  /** Where the money came from and went to without a category of risk, the most value first. */
  readonly ends: readonly HashedEnd[];
  /** The largest payments of exchanges to the wallet. */
  readonly paid: readonly WithHash<ValueMovement>[];
  /** First appearance of the wallet; null when it was never seen. */
  readonly first: FirstSeen | null;
  /** The wallet's largest transfer; null when none has a price. */
  readonly largest: WithHash<LedgerTransfer> | null;
  readonly method: TraceMethod;
  /** The origin of the payments that the call names; null when it names none. */
  readonly payments: PaymentOrigin | null;
  readonly coverage: TraceCoverage;
  readonly warnings: readonly Warning[];
}

const REACH = `by asset and by value down to ${LIMITS.follow_usd} USD, the newest ${WALLET_ROWS_MAX} movements of the wallet and ${PEER_ROWS_MAX} of each other`;

/** Coverage of all networks, as published. */
export const tracingOf = (walks: readonly Pick<WalletTrace, "coverage" | "method">[]): TracingSummary => {
  const sum = (of: (coverage: TraceCoverage) => number): number =>
    walks.reduce((total, { coverage }) => total + of(coverage), 0);
  return {
    method: `${walks[0]?.method ?? "haircut"}@2: ${REACH}`,
    wallets_followed: sum(({ followed }) => followed),
    hubs_not_followed: sum(({ hubs }) => hubs),
    wallets_left_out: sum(({ left_out }) => left_out),
    transfers_read: sum(({ transfers }) => transfers),
    followed_usd: sum(({ followed_usd }) => followed_usd),
    stopped_at_services_usd: sum(({ stopped_at_services_usd }) => stopped_at_services_usd),
    bridge_unmatched_usd: sum(({ bridge_unmatched_usd }) => bridge_unmatched_usd),
    not_followed_usd: sum(({ not_followed_usd }) => not_followed_usd),
    is_complete: walks.every(({ coverage }) => coverage.is_complete),
  };
};

const STOPPED: Warning = {
  code: "WALK_STOPPED",
  message: `Tracing was stopped after ${WALK_MS_MAX / 1000} seconds: exposure beyond that is unknown.`,
};

const OLDER: Warning = {
  code: "WALK_PARTIAL",
  message: `Only the newest ${WALLET_ROWS_MAX} movements of the wallet were traced, and only the newest ${PEER_ROWS_MAX} of each address behind it: older exposure is missing.`,
};

const leftOut = (count: number): Warning => ({
  code: "WALK_PARTIAL",
  message: `${count} addresses behind the wallet were not followed, because they are beyond what one call reads: exposure through them is missing.`,
});

/**
 * Reads the addresses that value could be traced through: counterparties of sources, and the addresses between them and
 * the wallet.
 */
const readSources = async (found: Neighbourhood): Promise<void> => {
  const near = new Set(await found.trace(await found.nearSources()));
  await found.trace(found.between(near).filter((address) => !found.actors.has(address)));
};

/** Events of value between the read addresses, and where the wallet's value ends. */
interface WalkReach {
  readonly events: readonly ValueEvent[];
  readonly frontier: Frontier;
}

const throughOf = (found: Neighbourhood, wallet: Hex): ReadonlySet<Hex> =>
  new Set([...found.actors].filter((address) => address !== wallet));

const reachedIn = (found: Neighbourhood, wallet: Hex): WalkReach => {
  const { actors } = found;
  const flagged = found.flagged();
  const events = valueEventsOf([...found.transfers.values()], {
    actors,
    flagged,
    venueOf: (address) => found.venueOf(address),
  });
  return { events, frontier: frontierOf(events, { wallet, flagged, through: throughOf(found, wallet) }) };
};

/**
 * Two steps of addresses that the engine checks for flagged counterparties, then further addresses one after the other
 * where the wallet's value leads, the most value first.
 */
const explore = async (found: Neighbourhood, wallet: Hex): Promise<WalkReach> => {
  await found.readWallet();
  await found.followBehind(await found.followPeers());
  await readSources(found);
  for (;;) {
    const reached = reachedIn(found, wallet);
    if (await found.readFrontier(reached.frontier.ends)) continue;
    const { actors, followed } = found;
    const links = nextLinks(paymentsOf(reached.events, found.flagged()), { wallet, actors, followed });
    if (links.length === 0) return reached;
    await found.read(links);
  }
};

/** The same until `stop`, with the results so far. */
const exploreUntil = async (sight: RiskScope, life: ValuedHistory, stop: AbortSignal) => {
  const { facts, signal } = sight.scope;
  const scope = { ...sight.scope, facts: facts.withSignal(stop), signal: AbortSignal.any([signal, stop]) };
  const found = new Neighbourhood({ ...sight, scope }, life);
  try {
    return { found, is_stopped: false, ...(await explore(found, life.wallet)) };
  } catch (error) {
    if (!stop.aborted || signal.aborted) throw error;
    return { found, is_stopped: true, ...reachedIn(found, life.wallet) };
  }
};

const ownOf = (found: Neighbourhood, wallet: Hex): readonly LedgerTransfer[] =>
  [...found.transfers.values()].filter(({ source, destination }) => source === wallet || destination === wallet);

const largestOf = (transfers: readonly LedgerTransfer[]): LedgerTransfer | null =>
  transfers.reduce<LedgerTransfer | null>(
    (best, one) => (one.usd !== null && one.usd > (best?.usd ?? 0) ? one : best),
    null,
  );

/**
 * Parts of a walk that the answer shows with transactions: the money's paths, the largest transfer, payments of
 * exchanges.
 */
const readShown = async (
  scope: SnapshotContext,
  wallet: Hex,
  walk: Pick<WalletTrace, "moves"> & TraceFindings & { readonly found: Neighbourhood; readonly followed: FollowedLegs },
) => {
  const { found, followed } = walk;
  const { trails, totals } = walk.traced;
  const ends = walk.ends.map((end) => namedEnd(end, found, followed));
  const paid = walk.moves
    .filter(({ source, destination }) => destination === wallet && addressRiskIn(found.marks, source).is_exchange)
    .sort((a, b) => b.usd - a.usd)
    .slice(0, PAID_MAX);
  const own = walk.largest === null ? [] : [walk.largest];
  const shown = [...trails, ...ends];
  const [hashOf, stepsOf] = await Promise.all([
    transactionHashes(scope, [...shown.flatMap(({ txs }) => txs), ...paid.map(({ tx }) => tx), ...own]),
    readSteps(scope, { trails: shown, transfers: found.transfers.values() }),
  ]);
  const [largest = null] = own.map((transfer) => ({ ...transfer, tx_hash: hashOf(transfer) }));
  return {
    traced: { trails: withBeyond(trails, { hashOf, stepsOf }, followed), totals },
    ends: ends.map((end) => ({ ...end, tx_hashes: end.txs.map(hashOf), steps: stepsOf(end) })),
    paid: paid.map((move) => ({ ...move, tx_hash: hashOf(move.tx) })),
    largest,
  };
};

export interface TraceOptions {
  readonly method?: TraceMethod;
  /** Payments of the wallet in one transaction, whose origin is traced apart. */
  readonly payments?: PaymentSelection | undefined;
  /** The wallet's own mark. */
  readonly mark?: AddressRisk;
  /** The emergency stop. */
  readonly stop?: AbortSignal;
  /** Left out: no bridge is followed. */
  readonly bridges?: BridgeReader;
}

/** Reads where a wallet's money came from and went to, and traces it. `life`: its history from the beginning. */
export const traceWallet = async (
  sight: RiskScope,
  life: ValuedHistory,
  {
    method = "haircut",
    payments,
    mark = UNMARKED,
    stop = AbortSignal.timeout(WALK_MS_MAX),
    bridges,
  }: TraceOptions = {},
): Promise<WalletTrace> => {
  const { wallet } = life;
  const { found, events, frontier, ...explored } = await exploreUntil(sight, life, stop);
  const { has_older, hubs, oversized } = found.omissions;
  const through = throughOf(found, wallet);
  const reached = { found, events, frontier };
  const crossed = await traceOverBridges(reached, { sight, wallet, through, method, stop }, bridges);
  const { legs, followed, unindexed, traced, ends, split } = crossed;
  const is_stopped = explored.is_stopped || crossed.is_stopped;
  const left_out = oversized.size + crossed.left_out;
  const moves = paymentsOf(events, found.flagged());
  const behind = { wallet, mark, found, through, method, legs, followed };
  const largest = largestOf(ownOf(found, wallet));
  const unread = found.readable.unreadOf(frontier.ends);
  const is_read = unread.reading + unread.unread + unread.partial === 0;
  const [shown, first, origin] = await Promise.all([
    readShown(sight.scope, wallet, { found, moves, traced, ends, largest, followed }),
    readFirstSeen(life),
    payments === undefined
      ? null
      : readPaymentOrigin(sight.scope, tracePayments(events, payments, behind), { ...behind, selection: payments }),
  ]);
  return {
    marks: found.marks,
    moves,
    actors: found.actors,
    ...shown,
    first,
    method,
    payments: origin,
    coverage: {
      followed: found.followed.size,
      hubs: hubs.size,
      left_out,
      transfers: found.transfers.size,
      ...split,
      unread,
      is_complete: !has_older && left_out === 0 && !is_stopped && is_read,
      is_stopped,
    },
    warnings: [
      ...(is_stopped ? [STOPPED] : []),
      ...(has_older ? [OLDER] : []),
      ...(left_out > 0 ? [leftOut(left_out)] : []),
      ...unmatchedBridges(split, unindexed),
      ...unreadWarnings(sight.scope, unread),
    ],
  };
};
