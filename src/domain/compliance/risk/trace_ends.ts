/** Ends of a wallet's money without a category of risk: where following it stopped, and who still holds it. */
import type { Hex } from "../../../lib/bytes.ts";
import type { Frontier } from "./frontier.ts";
import { LIMITS } from "./model.ts";
import type { Taint } from "./taint_pools.ts";
import { pathOf, Trace, type TraceQuery, type Trail } from "./trace.ts";
import type { ValueEvent } from "./value_events.ts";

export interface EndTrail extends Pick<Trail, "direction" | "source" | "path" | "txs" | "hops" | "usd"> {
  /** Followed money that the address still holds, or had without a known receipt; false: following stopped there. */
  readonly is_followed: boolean;
}

/** Ends to trace at most, those with the most of the wallet's value first. */
const ENDS_MAX = 20;

/** Addresses to trace the wallet's value to. */
interface ChosenEnds {
  readonly stops: ReadonlySet<Hex>;
  readonly unexplained: ReadonlySet<Hex>;
}

const largest = (of: ReadonlyMap<Hex, number>, isEnd: (address: Hex) => boolean): ReadonlySet<Hex> =>
  new Set(
    [...of]
      .filter(([address, usd]) => address !== "" && usd >= LIMITS.follow_usd && isEnd(address))
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, ENDS_MAX)
      .map(([address]) => address),
  );

/** The ends with the most value. Flagged addresses and crossed bridges are traced as sources of risk instead. */
const chosenEnds = ({ ends, unexplained }: Frontier, { flagged }: TraceQuery): ChosenEnds => ({
  stops: largest(ends, (address) => !flagged.has(address)),
  unexplained: largest(unexplained, () => true),
});

interface FoundEnd extends Pick<Taint, "route" | "hops" | "usd"> {
  readonly source: Hex;
  readonly is_followed: boolean;
}

/** One trail for each end and neighbour of the wallet, with the path of its largest sum. */
const trailsOf = (direction: Trail["direction"], found: readonly FoundEnd[]): readonly EndTrail[] => {
  const trails = new Map<string, EndTrail & { largest_usd: number }>();
  for (const { source, is_followed, route, hops, usd } of found) {
    const steps = pathOf(route);
    const key = `${source}:${is_followed}:${direction === "in" ? steps.path.at(-2) : steps.path[1]}`;
    const known = trails.get(key);
    trails.set(key, {
      ...{ direction, source, is_followed },
      ...(known === undefined || usd > known.largest_usd ? steps : { path: known.path, txs: known.txs }),
      largest_usd: Math.max(usd, known?.largest_usd ?? 0),
      hops: Math.min(hops, known?.hops ?? hops),
      usd: usd + (known?.usd ?? 0),
    });
  }
  return [...trails.values()]
    .filter(({ usd }) => usd >= LIMITS.follow_usd)
    .sort((a, b) => b.usd - a.usd || (a.path.join(">") < b.path.join(">") ? -1 : 1))
    .slice(0, ENDS_MAX)
    .map(({ largest_usd: _, ...trail }) => trail);
};

/** The ends of a wallet's receipts and payments, each direction by value. `events` in the order of the chain. */
export const traceEnds = (
  events: readonly ValueEvent[],
  question: TraceQuery,
  frontier: Frontier,
): readonly EndTrail[] => {
  const { wallet } = question;
  const { stops, unexplained } = chosenEnds(frontier, question);
  const isWallet = (address: Hex): boolean => address === wallet;
  const isStop = (address: Hex): boolean => stops.has(address);
  const received = new Trace(question, {
    ...{ direction: "in", isOrigin: isStop, isEnd: isWallet },
    isUnexplained: (address) => unexplained.has(address),
  });
  const paid = new Trace(question, { direction: "out", isOrigin: isWallet, isEnd: isStop });
  received.run(events);
  paid.run(events);
  const arrived = [...paid.arrived.values()].map((one) => ({ ...one, is_followed: false }));
  const held = [...paid.left()].map(([source, taint]) => ({ ...taint, source, is_followed: true }));
  return [
    ...trailsOf(
      "in",
      [...received.arrived.values()].map((one) => ({ ...one, is_followed: !stops.has(one.source) })),
    ),
    ...trailsOf("out", [...arrived, ...held]),
  ];
};
