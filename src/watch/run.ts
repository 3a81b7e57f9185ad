/**
 * Watching in one process: it follows each network whose lease it has, and sends webhooks while it has the lease for sending.
 * Other processes wait for these leases.
 */
import type { WatchStore } from "../accounts/watch/open.ts";
import type { Chain } from "../chains/chain.ts";
import { forEachPresent } from "../lib/each_present.ts";
import type { Lease, Leases } from "../lib/lease.ts";
import type { Log } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import { WATCH_LEASE } from "../lib/status.ts";
import { UnreachableLog } from "../lib/unreachable_log.ts";
import type { Facts } from "../store/facts.ts";
import type { Web } from "../web/web.ts";
import { Follower } from "./follow.ts";
import { SubjectFollower, type WatchedSubjects } from "./follow_subjects.ts";
import { type Judge, LevelWatcher } from "./judge.ts";
import { Sender } from "./send.ts";

export interface WatchLimits {
  readonly deliveries_per_minute: number;
  readonly retry_first_ms: number;
  readonly retry_most_ms: number;
  readonly horizon_ms: number;
  readonly keep_ms: number;
  /** Maximum assessments of one account. */
  readonly risk_per_minute: number;
  /** Maximum events of one account in one block. */
  readonly events_per_block: number;
  /** Pause between two passes of a network, and between two rounds of sending. */
  readonly look_every_ms: number;
}

export interface WatchDependencies {
  readonly book: WatchStore;
  readonly facts: Facts;
  /** Networks that are read on demand. */
  readonly subjects: WatchedSubjects;
  /** Id of the facts store. */
  readonly facts_id: string;
  readonly chains: readonly Chain[];
  readonly leases: Leases;
  /** Null when nothing is sent. */
  readonly web: Web | null;
  readonly judge: Judge;
  /** The lists and rules by which a screening is judged, as one text. */
  readonly readBasis: () => Promise<string>;
  readonly limits: WatchLimits;
  readonly now_ms: () => number;
  readonly log: Log;
}

/** Counters of this process, for the metrics. */
export interface WatchFigures {
  readonly events: Readonly<Record<string, number>>;
  readonly retracted_blocks: Readonly<Record<string, number>>;
  readonly lag_blocks: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<string, number>>;
}

export interface WatchRun {
  readonly figures: WatchFigures;
  /** Settles when all work has ended after the signal. */
  readonly ended: Promise<void>;
}

/** Maximum events of one account that one round charges and publishes. */
const RELEASE_MAX = 100;
/** Between two looks at the followed addresses of a network. */
const DEMAND_LOOK_MS = 1_000;
const RESUME_EVERY_MS = 2_000;
const PRUNE_EVERY_MS = 3_600_000;
const PRUNE_MAX = 1_000;

export const startWatching = (parts: WatchDependencies, stop: AbortSignal): WatchRun => {
  const figures = { events: {}, retracted_blocks: {}, lag_blocks: {}, attempts: {} } satisfies WatchFigures;
  const follow = (chain: Chain, own_stop: AbortSignal) => followChain(parts, { chain, figures, stop: own_stop });
  const followed = forEachPresent(parts.chains, follow, { stop });
  const sent = sendEvents(parts, figures, stop);
  return { figures, ended: Promise.all([followed, sent]).then(() => undefined) };
};

type CountsByLabel = Record<string, number>;
interface MutableWatchFigures {
  readonly events: CountsByLabel;
  readonly retracted_blocks: CountsByLabel;
  readonly lag_blocks: CountsByLabel;
  readonly attempts: CountsByLabel;
}

const add = (counts: CountsByLabel, name: string, by = 1): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

interface FollowRun {
  readonly chain: Chain;
  readonly figures: MutableWatchFigures;
  readonly stop: AbortSignal;
}

const followChain = (parts: WatchDependencies, { chain, figures, stop }: FollowRun): Promise<void> => {
  const { book, facts, facts_id, subjects, now_ms, limits } = parts;
  const network = chain.network.id;
  return withLease(parts, { name: network, stop }, async (lease, signal) => {
    const how = {
      ...{ follow: book.follow, chain, newId: book.newId, now_ms, events_per_block: limits.events_per_block },
    };
    const is_on_demand = subjects.isOnDemand(network);
    const follower = is_on_demand
      ? new SubjectFollower({ ...how, subjects })
      : new Follower({ ...how, facts: facts.withSignal(signal) });
    const of = { facts: facts_id, network, epoch: lease.epoch };
    while (!signal.aborted) {
      await lease.confirm();
      const { events, retracted_blocks, lag_blocks } = await follower.pass(of, signal);
      add(figures.events, network, events);
      add(figures.retracted_blocks, network, retracted_blocks);
      figures.lag_blocks[network] = lag_blocks;
      // On demand it waits for others: the indexer, and nodes.
      if (is_on_demand) await pause(Math.max(DEMAND_LOOK_MS, limits.look_every_ms), signal);
      else if (lag_blocks === 0) await pause(limits.look_every_ms, signal);
    }
  });
};

const sendEvents = (parts: WatchDependencies, figures: MutableWatchFigures, stop: AbortSignal): Promise<void> => {
  const { book, limits, web, now_ms, log } = parts;
  return withLease(parts, { name: "", stop }, async (lease, signal) => {
    const sender = new Sender({
      ...{ deliveries: book.deliveries, web, now_ms, random: Math.random, log },
      ...{ retry_first_ms: limits.retry_first_ms, retry_most_ms: limits.retry_most_ms, horizon_ms: limits.horizon_ms },
      per_minute: limits.deliveries_per_minute,
      count: (ending) => add(figures.attempts, ending),
    });
    const judged = watchLevels(parts, signal);
    let [prune_at, resume_at] = [0, 0];
    try {
      while (!signal.aborted) {
        await lease.confirm();
        const released = await book.payments.release(RELEASE_MAX);
        const begun = await sender.round(signal);
        if (now_ms() >= resume_at) {
          await book.payments.resume();
          resume_at = now_ms() + RESUME_EVERY_MS;
        }
        if (now_ms() >= prune_at) {
          const pruned = await book.deliveries.prune(now_ms() - limits.keep_ms, PRUNE_MAX);
          prune_at = pruned === PRUNE_MAX ? 0 : now_ms() + PRUNE_EVERY_MS;
        }
        if (released + begun === 0) await pause(limits.look_every_ms, signal);
      }
    } finally {
      await sender.settled();
      await judged;
    }
  });
};

const watchLevels = async (parts: WatchDependencies, signal: AbortSignal): Promise<void> => {
  const { book, facts_id, chains, judge, readBasis, now_ms, log, limits } = parts;
  const notes = new UnreachableLog({ network: "", log, now: () => performance.now() });
  const judging = new LevelWatcher({
    ...{ levels: book.levels, facts_id, chains, judge, readBasis, newId: book.newId, now_ms, log },
    per_minute: limits.risk_per_minute,
  });
  while (!signal.aborted) {
    const began = performance.now();
    const was_due = await judging.next().catch((error: unknown) => {
      if (!signal.aborted) notes.away({ err: error }, "assessing watched subjects failed; retrying");
      return false;
    });
    // Pauses as long as the assessment took, so that assessing uses at most half of the time.
    await pause(was_due ? performance.now() - began : limits.look_every_ms, signal);
  }
};

interface LeaseRequest {
  /** A network; empty for sending. */
  readonly name: string;
  readonly stop: AbortSignal;
}

/** Runs `work` while this process has the lease, and again after each failure, until `stop`. */
const withLease = async (
  { leases, facts_id, log }: WatchDependencies,
  { name, stop }: LeaseRequest,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const notes = new UnreachableLog({ network: name, log, now: () => performance.now() });
  // Deliveries form one list for all facts stores.
  const wish = leases.wish({ facts: name === "" ? "" : facts_id, network: `${WATCH_LEASE}${name}` });
  while (!stop.aborted) {
    let lease: Lease | null = null;
    try {
      const answer = await wish.ask(0);
      if (answer.kind === "held") {
        lease = answer.lease;
        notes.back("watching goes on");
        await work(lease, AbortSignal.any([stop, lease.lost]));
      }
    } catch (error) {
      if (!stop.aborted) notes.away({ err: error }, "watching failed; retrying");
    } finally {
      await lease?.release();
    }
    await pause(leases.ask_every_ms, stop);
  }
};
