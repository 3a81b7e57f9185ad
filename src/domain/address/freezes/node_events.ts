/**
 * All events of the issuers of some coins, from nodes, on a network that is read on demand: where no view of the coin is trusted, and for
 * answers that need earlier freezes.
 */
import type { PastLog } from "../../../chains/account_history.ts";
import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { canFreeze, layoutsOf, viewsOf } from "../../../labels/issuers/index.ts";
import { readFreeze } from "../../../labels/issuers/read_freeze.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { pause } from "../../../lib/pause.ts";
import type { SnapshotContext } from "../../context.ts";
import type { FreezeEvent } from "./events.ts";

/** Blocks of one step, after which what was read stays. */
const STEP_BLOCKS = 500_000;
/** How long one reading goes on, whatever becomes of the call that began it. */
const READING_MS_MAX = 600_000;
/** How long a call waits for it. */
const PATIENCE_MS = 10_000;

interface AccountEvent extends FreezeEvent {
  readonly account: Hex;
}

/** Events of one coin up to a block. */
interface KnownEvents {
  to: number;
  readonly events: AccountEvent[];
  /** Transaction of an event that is not laid out as registered; null without one. */
  unreadable: Hex | null;
}

/** Of final blocks, so nothing changes. */
class NodeFreezeEvents {
  readonly of = new Map<string, KnownEvents>();
  /** One reading of a coin at a time. */
  readonly readings = new Map<string, Promise<void>>();
}

/** Where freezes are read. */
export interface FreezeScope extends SnapshotContext {
  /** Earlier freezes are needed too. Without it, a view of a coin suffices on a network that is read on demand. */
  readonly needs_history?: boolean;
}

/** Its issuer's events are to be read: no view of the coin is trusted without an account that events state as frozen. */
export const needsEvents = ({ needs_history = false }: FreezeScope, coin: IssuerCoin): boolean =>
  canFreeze(coin) && (needs_history || !viewsOf(coin).some(({ is_confirmed }) => is_confirmed));

const timeOf = async ({ chain, signal }: SnapshotContext, { block, time }: PastLog): Promise<number> => {
  const ref = time === null ? await chain.ref(block, signal) : null;
  if (time === null && ref === null)
    throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: `no node has block ${block}`, retryable: true });
  return time ?? ref?.time ?? 0;
};

const take = async (scope: SnapshotContext, coin: IssuerCoin, logs: readonly PastLog[]) => {
  const layouts = layoutsOf(coin);
  const events: AccountEvent[] = [];
  let unreadable: Hex | null = null;
  for (const log of logs) {
    const [topic] = log.topics;
    const said = readFreeze(layouts.get(topic === undefined ? "" : toHex(topic)) ?? [], log);
    if (said === null) unreadable ??= log.tx_hash;
    const { effect, amount, accounts } = said ?? { effect: "freeze", amount: null, accounts: [] };
    const at = { block_number: log.block, time: await timeOf(scope, log), tx_hash: log.tx_hash };
    for (const account of accounts) events.push({ account: toHex(account), effect, amount, holding: "", ...at });
  }
  return { events, unreadable };
};

const readOn = async (caller: SnapshotContext, coin: IssuerCoin, known: KnownEvents): Promise<void> => {
  const scope = { ...caller, signal: AbortSignal.timeout(READING_MS_MAX) };
  const { chain, snapshot, signal } = scope;
  const asked = { addresses: [coin.address], events: [...layoutsOf(coin).keys()] };
  while (known.to < snapshot.block.number) {
    const to = Math.min(known.to + STEP_BLOCKS, snapshot.block.number);
    const logs = (await chain.past?.logs?.({ ...asked, from: known.to + 1, to }, signal))?.logs ?? [];
    const { events, unreadable } = await take(scope, coin, logs);
    known.events.push(...events);
    known.unreadable ??= unreadable;
    known.to = to;
  }
};

/** The events of a coin up to the snapshot's block; null if no node returns all of them, or not soon. */
export const readNodeEvents = async (scope: SnapshotContext, coin: IssuerCoin): Promise<KnownEvents | null> => {
  const { chain, facts, snapshot, signal } = scope;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  if (chain.past?.logs === undefined) return null;
  const memory = facts.own(NodeFreezeEvents);
  const key = `${snapshot.network} ${coin.address}`;
  const known = memory.of.get(key) ?? { to: Math.max(0, (coin.start_block ?? 1) - 1), events: [], unreadable: null };
  memory.of.set(key, known);
  try {
    while (known.to < snapshot.block.number) {
      const reading = memory.readings.get(key) ?? readOn(scope, coin, known).finally(() => memory.readings.delete(key));
      memory.readings.set(key, reading);
      await Promise.race([reading, pause(PATIENCE_MS, patience)]);
      if (patience.aborted) {
        reading.catch(() => undefined);
        signal.throwIfAborted();
        return null;
      }
    }
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
  return { ...known, events: known.events.filter(({ block_number }) => block_number <= snapshot.block.number) };
};
