/** The trace of a wallet's money, over bridges too. */
import type { Hex } from "../../../../lib/bytes.ts";
import type { TraceMethod } from "../../../../lib/trace_method.ts";
import type { Warning } from "../../../context.ts";
import { type AddressRisks, addressRiskIn, type RiskScope } from "../address_risks.ts";
import { type Frontier, type FrontierSplit, frontierOf, splitOf } from "../frontier.ts";
import { LIMITS } from "../model.ts";
import type { Neighbourhood } from "../neighbourhood.ts";
import { type TraceResult, trace } from "../trace.ts";
import { type EndTrail, traceEnds } from "../trace_ends.ts";
import type { ValueEvent } from "../value_events.ts";
import type { CalledBridges, CalledQuestion } from "./called.ts";
import { apart, type BridgeLeg, type BridgeLegs, legsOf, UNMATCHED } from "./legs.ts";
import { crossedIn, type FollowedLegs } from "./trails.ts";

/** Legs of one network's bridges, those with the most of the wallet's value first. */
export interface LegsQuestion {
  readonly sight: RiskScope;
  readonly marks: AddressRisks;
  readonly legs: readonly (BridgeLeg & { readonly usd: number })[];
  readonly stop: AbortSignal;
}

interface ReadLegs {
  readonly followed: FollowedLegs;
  /** Networks that may have the other side of an unmatched leg, and whose index does not hold its time. */
  readonly unindexed: readonly string[];
  /** Legs beyond the budget, or without a price on the other side. */
  readonly left_out: number;
}

/** Follows value over bridges to other networks. */
export interface BridgeReader {
  /** Movements over a bridge, as ids prove, with an address that no label names. */
  called(question: CalledQuestion & Pick<LegsQuestion, "stop">): Promise<CalledBridges>;
  follow(question: LegsQuestion): Promise<ReadLegs>;
}

interface ReachedEvents {
  readonly found: Pick<Neighbourhood, "marks" | "actors" | "flagged" | "isStop">;
  readonly events: readonly ValueEvent[];
  readonly frontier: Frontier;
}

interface CrossingQuestion extends Pick<LegsQuestion, "sight" | "stop"> {
  readonly wallet: Hex;
  /** Addresses that value is followed through. */
  readonly through: ReadonlySet<Hex>;
  readonly method: TraceMethod;
}

interface CrossedTrace extends ReadLegs {
  readonly legs: BridgeLegs;
  readonly traced: TraceResult;
  readonly ends: readonly EndTrail[];
  readonly split: FrontierSplit;
  /** The emergency stop cut off what is beyond bridges. */
  readonly is_stopped: boolean;
}

const readLegs = async (question: LegsQuestion, bridges: BridgeReader | undefined): Promise<ReadLegs> => {
  const { legs } = question;
  if (legs.length > 0 && bridges !== undefined) return bridges.follow(question);
  return { followed: new Map(legs.map((leg) => [leg.id, { leg, ...UNMATCHED }])), unindexed: [], left_out: 0 };
};

/** Follows the legs of the reached bridges, and traces the money with what is known beyond them. */
export const traceOverBridges = async (
  { found, events, frontier }: ReachedEvents,
  { wallet, through, method, sight, stop }: CrossingQuestion,
  bridges: BridgeReader | undefined,
): Promise<CrossedTrace> => {
  const { marks, actors } = found;
  const own = found.flagged();
  const isBridge = (address: Hex): boolean => !own.has(address) && addressRiskIn(marks, address).is_bridge;
  const isUnnamed = (address: Hex): boolean => !own.has(address) && !found.isStop(address);
  const called = await bridges?.called({ sight, stop, events, actors, isUnnamed });
  const legs = legsOf(events, { actors, isBridge, called: called ?? new Map() });
  const told = legs.size === 0 ? events : events.map((event) => apart(event, legs));
  const reached = legs.size === 0 ? frontier : frontierOf(told, { wallet, flagged: own, through });
  const ordered = [...legs.values()]
    .map((leg) => ({ ...leg, usd: reached.ends.get(leg.id) ?? 0 }))
    .sort((a, b) => b.usd - a.usd || (a.id < b.id ? -1 : 1));
  const read = await readLegs({ sight, stop, marks, legs: ordered }, bridges);
  const is_stopped = legs.size > 0 && stop.aborted;
  const flagged = new Set([...own, ...crossedIn(read.followed)]);
  const question = { wallet, flagged, through, method };
  const traced = trace(told, question);
  const split = splitOf(reached, {
    totals: traced.totals,
    flagged: own,
    isStop: (address) => found.isStop(address),
    legParts: (address) => read.followed.get(address)?.parts ?? null,
  });
  return { ...read, legs, traced, ends: traceEnds(told, question, reached), split, is_stopped };
};

/** The warning of value that crossed bridges without a known other side. */
export const unmatchedBridges = (
  { bridge_unmatched_usd }: FrontierSplit,
  unindexed: readonly string[],
): readonly Warning[] => {
  if (bridge_unmatched_usd < LIMITS.follow_usd) return [];
  const gap = unindexed.length === 0 ? "" : ` Movements of that time are unknown on ${unindexed.join(", ")}.`;
  const message = `The other side of ${bridge_unmatched_usd.toFixed(2)} USD over bridges is unknown.${gap}`;
  return [{ code: "BRIDGE_UNMATCHED", message }];
};
