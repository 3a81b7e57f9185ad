/** Trails that go on beyond bridges. */
import type { Hex } from "../../../../lib/bytes.ts";
import type { TransactionPosition } from "../../../transaction_hashes.ts";
import { LIMITS } from "../model.ts";
import type { Trail } from "../trace.ts";
import type { HashedTrail } from "../traced_network.ts";
import type { StepsOf } from "../trail_payments.ts";
import type { BridgeLeg, LegOutcome } from "./legs.ts";

/** Legs by their ids, with their outcomes. */
export type FollowedLegs = ReadonlyMap<Hex, LegOutcome & { readonly leg: BridgeLeg }>;

type UnpaidTrail = Omit<HashedTrail, "steps">;

const joined = (trail: UnpaidTrail, { leg, crossing }: LegOutcome & { leg: BridgeLeg }): readonly UnpaidTrail[] => {
  if (crossing === null || crossing.usd <= 0) return [];
  const { from, usd, confidence } = crossing;
  const named = (address: Hex): Hex => (address === leg.id ? leg.bridge : address);
  return from.walk.traced.trails
    .filter(({ direction }) => direction === trail.direction)
    .map((beyond) => ({
      ...trail,
      source: leg.bridge,
      path: trail.path.map(named),
      usd: trail.usd * Math.min(1, beyond.usd / usd),
      hops: trail.hops + beyond.hops,
      beyond: { from, trail: beyond, confidence },
    }));
};

/** The network and address where a trail begins or ends. */
const sourceOf = ({ beyond, source }: UnpaidTrail): string =>
  beyond === null ? source : `${beyond.from.scope.chain.network.id}:${sourceOf(beyond.trail)}`;

/** Ids of the legs that are followed beyond their bridges. */
export const crossedIn = (followed: FollowedLegs): readonly Hex[] =>
  [...followed].flatMap(([id, { crossing }]) => (crossing === null ? [] : [id]));

/** How the transactions of trails are shown. */
interface TransactionReading {
  readonly hashOf: (tx: TransactionPosition) => Hex;
  readonly stepsOf: StepsOf;
}

/** Trails with their transactions. Those that end at legs go on beyond them, each on as many ways as the leg's value took there. */
export const withBeyond = (
  trails: readonly Trail[],
  { hashOf, stepsOf }: TransactionReading,
  followed: FollowedLegs,
): readonly HashedTrail[] => {
  const all = trails.flatMap((found): readonly UnpaidTrail[] => {
    const trail: UnpaidTrail = { ...found, tx_hashes: found.txs.map(hashOf), beyond: null };
    const leg = followed.get(trail.source);
    return leg === undefined ? [trail] : joined(trail, leg);
  });
  const paid = (trail: UnpaidTrail): HashedTrail => ({ ...trail, steps: stepsOf(trail) });
  if (followed.size === 0) return all.map(paid);
  const received = new Map<string, number>();
  for (const trail of all) {
    if (trail.direction !== "in" || trail.beyond === null) continue;
    received.set(sourceOf(trail), (received.get(sourceOf(trail)) ?? 0) + trail.usd);
  }
  return all
    .map((trail) => {
      const usd = received.get(sourceOf(trail));
      return paid(usd === undefined || trail.beyond === null ? trail : { ...trail, is_dust: usd < LIMITS.dust_usd });
    })
    .sort((a, b) => b.usd - a.usd);
};
