import type { Hex } from "../../lib/bytes.ts";
import { HOUR_S, hourOf } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { burnAddressesOf } from "../holders/burn_addresses.ts";
import { readHolderGrowth } from "../holders/growth.ts";
import { isImpossible, readHolderSums } from "../holders/sums.ts";
import { poolSidesOf } from "../market/pool_sides.ts";
import { priceKey, pricesAtHours } from "../prices/price_now.ts";
import { withHashes } from "../transaction_hashes.ts";
import type { Span } from "../window/blocks.ts";
import type { Group } from "./segment.ts";

/** A group in the words of the questions. */
const asked = ({ is_all, members }: Group) => ({ is_all: is_all ? 1 : 0, members, categories: [] });

/** What moved in one interval, in base units. */
export type TokenFlow = Row<"flows/token_flows">;
/** What was bought and sold in one hour. */
export type DexHour = Row<"flows/dex_hours">;

/** One interval that holds any window. */
const FOREVER_S = 4_000_000_000;

export interface Flows {
  readonly parts: readonly TokenFlow[];
  readonly hours: readonly TokenFlow[];
  readonly whole: TokenFlow | null;
  /** What moved after the window, up to the snapshot's block. */
  readonly after: TokenFlow | null;
}

/** Movements of the window by interval, by hour and in one. */
export const readFlows = async (
  { facts, snapshot, chain }: SnapshotContext,
  subject: { readonly token: Hex; readonly group: Group },
  { span, interval_s }: { readonly span: Span; readonly interval_s: number },
): Promise<Flows> => {
  const { token, group } = subject;
  const common = { token, since: span.from, burns: burnAddressesOf(chain.network), ...asked(group) };
  const { first_block, last_block } = span;
  const counted = [interval_s, FOREVER_S];
  const lengths = [...new Set([...counted, HOUR_S])];
  const later = { first_block: Math.max(first_block, last_block + 1), last_block: snapshot.block.number };
  const [flows, [after]] = await Promise.all([
    facts.ask(snapshot, "flows/token_flows", { ...common, lengths, counted, first_block, last_block }),
    last_block >= snapshot.block.number
      ? []
      : facts.ask(snapshot, "flows/token_flows", { ...common, lengths: [FOREVER_S], counted: [], ...later }),
  ]);
  const every = (seconds: number): readonly TokenFlow[] => flows.filter(({ length_s }) => length_s === seconds);
  return {
    parts: every(interval_s),
    hours: every(HOUR_S),
    whole: every(FOREVER_S)[0] ?? null,
    after: after ?? null,
  };
};

/** What verified pools traded by hour; null when no pool can hold the token. */
export const readDex = async (
  { facts, snapshot, chain }: SnapshotContext,
  { token, group }: { readonly token: Hex; readonly group: Group },
  { from, until }: Span,
) => {
  const traded = token === "" ? chain.network.wrapped_native : token;
  if (traded === null) return null;
  const sides = await poolSidesOf({ facts, snapshot }, traded);
  return facts.ask(snapshot, "flows/dex_hours", { ...sides, since: from, until, ...asked(group) });
};

/** The largest transfers of a group in a span of blocks, the largest first. */
export const readLargestTransfers = async (
  { facts, snapshot }: SnapshotContext,
  { token, group }: { readonly token: Hex; readonly group: Group },
  { first_block, last_block, limit }: Pick<Span, "first_block" | "last_block"> & { readonly limit: number },
) => {
  const rows = await facts.ask(snapshot, "flows/largest", { token, first_block, last_block, limit, ...asked(group) });
  return withHashes({ facts, snapshot }, rows);
};

/** What came less what went. */
const netOf = (flow: TokenFlow | null): bigint => (flow === null ? 0n : flow.inflow - flow.outflow);

/** In how many intervals each address moved the token since the window began, at most. */
const moversOf = ({ parts, after }: Flows): number =>
  parts.reduce(
    // What is no transfer, a fee, has two sides too.
    (sum, { senders, receivers, movements, transfers }) => sum + senders + receivers + 2 * (movements - transfers),
    2 * (after?.movements ?? 0),
  );

/** The token's events do not tell what anybody has. */
export const DOUBTFUL = "doubtful";

/**
 * Members with a balance and what they hold at the end of the window, and how they grew; null when the index does not hold
 * the whole history.
 */
export const readEnd = async (
  scope: SnapshotContext,
  { token, group }: { readonly token: Hex; readonly group: Group },
  { span, interval_s, last, flows }: { readonly span: Span; interval_s: number; last: number; flows: Flows },
) => {
  const { facts, snapshot, chain } = scope;
  const { complete, logs, traces } = snapshot.coverage;
  if (!complete || !logs || (token === "" && !traces)) return null;
  const pairsOf = (holders: readonly Hex[]) => holders.map((holder) => ({ token, holder }));
  const held = async (): Promise<{ balance: bigint; holders: number } | null> => {
    if (!group.is_all) {
      const amounts = await facts.balanceOf(snapshot, pairsOf(group.members));
      if (token !== "" && amounts.some((amount) => isImpossible(snapshot, amount))) return null;
      const balance = amounts.reduce((sum, amount) => sum + amount, 0n);
      return { balance, holders: amounts.filter((amount) => amount > 0n).length };
    }
    const [{ holders, supply, is_doubtful }, burnt] = await Promise.all([
      readHolderSums({ facts, snapshot }, token),
      facts.balanceOf(snapshot, pairsOf(burnAddressesOf(chain.network))),
    ]);
    return is_doubtful ? null : { balance: burnt.reduce((sum, amount) => sum - amount, supply), holders };
  };
  const [now, grown] = await Promise.all([
    held(),
    readHolderGrowth(scope, token, {
      since: span.from,
      since_block: span.first_block,
      interval_s,
      members: group.is_all ? null : group.members,
      movers: group.is_all ? moversOf(flows) : 0,
    }),
  ]);
  if (now === null) return DOUBTFUL;
  const later = grown.filter(({ part }) => part > last).reduce((sum, { change }) => sum + change, 0);
  return { balance: now.balance - netOf(flows.after), holders: now.holders - later, grown };
};

/** The token's price in the hours of the window. */
export const readPrices = async ({ facts, snapshot, chain }: SnapshotContext, token: Hex, { from, until }: Span) => {
  const last = hourOf(Math.min(until - 1, snapshot.block.time));
  const count = Math.max(0, Math.floor((last - from) / HOUR_S) + 1);
  const hours = Array.from({ length: count }, (_, i) => from + i * HOUR_S);
  const prices = await pricesAtHours(
    { facts, network: chain.network, snapshot },
    hours.map((hour) => ({ token, hour })),
  );
  return (time: number): number | null => prices.get(priceKey(token, hourOf(time)))?.price_usd ?? null;
};
