/** Ends of a trace at bridges: what came from one, and what was paid to one. */
import { type Hex, hex } from "../../../../lib/bytes.ts";
import type { FrontierSplit } from "../frontier.ts";
import type { TracedNetwork } from "../traced_network.ts";
import { type AssetMovement, isTrade, type ValueEvent } from "../value_events.ts";
import type { CalledBridges } from "./called.ts";

/** A movement between a followed address and a bridge. */
export interface BridgeLeg {
  /** Replaces the bridge in the trace, so that each leg ends apart. */
  readonly id: Hex;
  /** Value came from the bridge. */
  readonly is_arrival: boolean;
  readonly event: AssetMovement;
  /** The address that received from the bridge or paid it. */
  readonly holder: Hex;
  readonly bridge: Hex;
}

/** The other side of a leg, followed on its network. */
export interface BridgeCrossing {
  readonly from: TracedNetwork;
  /** USD of the movement there. */
  readonly usd: number;
  /** 0..1: that both sides belong together. */
  readonly confidence: number;
}

/** Where the value of a leg ends: parts of the whole, and the crossing; null without one. */
export interface LegOutcome {
  readonly parts: FrontierSplit;
  readonly crossing: BridgeCrossing | null;
}

const NOWHERE: FrontierSplit = {
  followed_usd: 0,
  stopped_at_services_usd: 0,
  bridge_unmatched_usd: 0,
  not_followed_usd: 0,
};

/** The other side is unknown, or there are several. */
export const UNMATCHED: LegOutcome = { parts: { ...NOWHERE, bridge_unmatched_usd: 1 }, crossing: null };
/** Beyond the budget, or below the value that is followed. */
export const LEFT_OUT: LegOutcome = { parts: { ...NOWHERE, not_followed_usd: 1 }, crossing: null };

/** Legs by event. */
export type BridgeLegs = ReadonlyMap<ValueEvent, BridgeLeg>;

/** No address has four bytes. */
const idOf = (nth: number): Hex => hex(nth.toString(16).padStart(8, "0"));

interface LegSources {
  readonly actors: ReadonlySet<Hex>;
  /** A bridge that has no category of risk itself. */
  readonly isBridge: (address: Hex) => boolean;
  readonly called: CalledBridges;
}

/** All legs of the actors, in the order of the chain. */
export const legsOf = (events: readonly ValueEvent[], { actors, isBridge, called }: LegSources): BridgeLegs => {
  const legs = new Map<ValueEvent, BridgeLeg>();
  for (const event of events) {
    if (isTrade(event) || event.amount <= 0) continue;
    const { source, destination } = event;
    const id = idOf(legs.size);
    if (actors.has(destination) && isBridge(source))
      legs.set(event, { id, is_arrival: true, event, holder: destination, bridge: source });
    else if (actors.has(source) && isBridge(destination))
      legs.set(event, { id, is_arrival: false, event, holder: source, bridge: destination });
    const over = called.get(event);
    if (over !== undefined) legs.set(event, { id, event, holder: over.is_arrival ? destination : source, ...over });
  }
  return legs;
};

/** An event with the leg's id in place of its bridge. */
export const apart = (event: ValueEvent, legs: BridgeLegs): ValueEvent => {
  const leg = legs.get(event);
  if (leg === undefined) return event;
  return leg.is_arrival ? { ...leg.event, source: leg.id } : { ...leg.event, destination: leg.id };
};
