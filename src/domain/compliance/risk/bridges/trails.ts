/** Trails that go on beyond bridges. */
import type { Hex } from "../../../../lib/bytes.ts";
import type { TransactionPosition } from "../../../transaction_hashes.ts";
import { LIMITS } from "../model.ts";
import type { Trail } from "../trace.ts";
import type { HashedTrail } from "../traced_network.ts";
import type { BridgeLeg, LegOutcome } from "./legs.ts";

/** Legs by their ids, with their outcomes. */
export type FollowedLegs = ReadonlyMap<Hex, LegOutcome & { readonly leg: BridgeLeg }>;

const joined = (trail: HashedTrail, { leg, crossing }: LegOutcome & { leg: BridgeLeg }): readonly HashedTrail[] => {
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
const sourceOf = ({ beyond, source }: HashedTrail): string =>
  beyond === null ? source : `${beyond.from.scope.chain.network.id}:${sourceOf(beyond.trail)}`;

/** Ids of the legs that are followed beyond their bridges. */
export const crossedIn = (followed: FollowedLegs): readonly Hex[] =>
  [...followed].flatMap(([id, { crossing }]) => (crossing === null ? [] : [id]));

/** Trails with hashes. Those that end at legs go on beyond them, each on as many ways as the leg's value took there. */
export const withBeyond = (
  trails: readonly Trail[],
  hashOf: (tx: TransactionPosition) => Hex,
  followed: FollowedLegs,
): readonly HashedTrail[] => {
  const all = trails.flatMap((found) => {
    const trail: HashedTrail = { ...found, tx_hashes: found.txs.map(hashOf), beyond: null };
    const leg = followed.get(trail.source);
    return leg === undefined ? [trail] : joined(trail, leg);
  });
  if (followed.size === 0) return all;
  const received = new Map<string, number>();
  for (const trail of all) {
    if (trail.direction !== "in" || trail.beyond === null) continue;
    received.set(sourceOf(trail), (received.get(sourceOf(trail)) ?? 0) + trail.usd);
  }
  return all
    .map((trail) => {
      const usd = received.get(sourceOf(trail));
      return usd === undefined || trail.beyond === null ? trail : { ...trail, is_dust: usd < LIMITS.dust_usd };
    })
    .sort((a, b) => b.usd - a.usd);
};
