import type { Hex } from "../../../lib/bytes.ts";
import type { FollowedLegs } from "./bridges/trails.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import type { EndTrail } from "./trace_ends.ts";
import type { EndReason } from "./traced_network.ts";

/** The end with its reason, and the bridge in place of its leg. */
export const namedEnd = (end: EndTrail, found: Pick<Neighbourhood, "isStop" | "omissions">, followed: FollowedLegs) => {
  const leg = followed.get(end.source)?.leg;
  const named = (address: Hex): Hex => (leg !== undefined && address === leg.id ? leg.bridge : address);
  const reason = ((): EndReason => {
    if (end.is_followed) return end.direction === "in" ? "no_known_receipt" : "still_held";
    if (leg !== undefined) return "unmatched_bridge";
    if (found.isStop(end.source)) return "service";
    return found.omissions.hubs.has(end.source) ? "hub" : "call_limit";
  })();
  return { ...end, source: named(end.source), path: end.path.map(named), reason };
};
