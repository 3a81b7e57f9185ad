import type { Hex } from "../../../lib/bytes.ts";
import { inShards } from "../../../lib/in_shards.ts";
import { HOUR_S, hourOf } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { burnAddressesOf } from "../../token/holders/burn_addresses.ts";
import { readHolderGrowth } from "../../token/holders/growth.ts";
import { isImpossible, readHolderSums } from "../../token/holders/sums.ts";
import { withHashes } from "../../transaction_hashes.ts";
import { poolSidesOf } from "../../valuation/prices/pool_sides.ts";
import { type Price, priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import type { BlockSpan } from "../../window/blocks.ts";
import { type IntervalFlow, intervalsOf, type PartFlow, type TokenFlow, withParties } from "./intervals.ts";
import type { FlowGroup } from "./segment.ts";

/** A group as query parameters. */
const groupParameters = ({ is_all, members }: FlowGroup) => ({ is_all: is_all ? 1 : 0, members, categories: [] });

/** Bought and sold amounts of one hour. */
export type DexHour = QueryRow<"flows/dex_hours">;

/** An interval longer than any window. */
const FOREVER_S = 4_000_000_000;

export interface TokenFlowParts {
  readonly parts: readonly PartFlow[];
  readonly hours: readonly PartFlow[];
  readonly whole: PartFlow | null;
  /** Movements after the window, up to the snapshot's block. */
  readonly after: PartFlow | null;
}

interface GroupToken {
  readonly token: Hex;
  readonly group: FlowGroup;
}

interface FlowIntervals {
  readonly span: BlockSpan;
  readonly interval_s: number;
}

/** Parameters that both queries of movements share. */
const groupTokenParameters = ({ chain }: SnapshotContext, { token, group }: GroupToken, { from }: BlockSpan) => ({
  ...{ token, since: from, burns: burnAddressesOf(chain.network) },
  ...groupParameters(group),
});

/** Movements of the window by interval, by hour and in total. */
export const readFlows = async (
  scope: SnapshotContext,
  subject: GroupToken,
  { span, interval_s }: FlowIntervals,
): Promise<TokenFlowParts> => {
  const { facts, snapshot } = scope;
  const common = groupTokenParameters(scope, subject, span);
  const { first_block, last_block } = span;
  const later = { first_block: Math.max(first_block, last_block + 1), last_block: snapshot.block.number };
  const [hours, [after]] = await Promise.all([
    facts.ask(snapshot, "flows/token_flows", { ...common, length_s: HOUR_S, first_block, last_block }),
    last_block >= snapshot.block.number
      ? []
      : facts.ask(snapshot, "flows/token_flows", { ...common, length_s: FOREVER_S, ...later }),
  ]);
  const [whole] = intervalsOf(hours, FOREVER_S);
  return { parts: intervalsOf(hours, interval_s), hours, whole: whole ?? null, after: after ?? null };
};

/** Transfers whose distinct senders and receivers fit into the memory of one query (docs/design/queries.md). */
const TRANSFERS_MAX = 5_000_000;

/** Adds senders and receivers to the intervals and to the window. */
export const readParties = async (
  scope: SnapshotContext,
  subject: GroupToken,
  { span, interval_s, flows }: FlowIntervals & { readonly flows: TokenFlowParts },
): Promise<{ readonly parts: readonly TokenFlow[]; readonly whole: TokenFlow | null }> => {
  const { facts, snapshot } = scope;
  const { first_block, last_block } = span;
  const blocks = { lengths: [interval_s, FOREVER_S], first_block, last_block };
  const common = groupTokenParameters(scope, subject, span);
  const answers = await inShards(
    (shard) => facts.ask(snapshot, "flows/parties", { ...common, ...blocks, ...shard }),
    Math.max(1, Math.ceil((flows.whole?.transfers ?? 0) / TRANSFERS_MAX)),
  );
  const [whole] = withParties(flows.whole === null ? [] : [flows.whole], FOREVER_S, answers);
  return { parts: withParties(flows.parts, interval_s, answers), whole: whole ?? null };
};

/** Trades of verified pools by hour; null when no pool can hold the token. */
export const readDex = async (
  { facts, snapshot, chain }: SnapshotContext,
  { token, group }: { readonly token: Hex; readonly group: FlowGroup },
  { from, until }: BlockSpan,
) => {
  const traded = token === "" ? chain.network.wrapped_native : token;
  if (traded === null) return null;
  const sides = await poolSidesOf({ facts, snapshot }, traded);
  return facts.ask(snapshot, "flows/dex_hours", { ...sides, since: from, until: until - 1, ...groupParameters(group) });
};

/** The largest transfers of a group in a range of blocks, largest first. */
export const readLargestTransfers = async (
  { facts, snapshot }: SnapshotContext,
  { token, group }: { readonly token: Hex; readonly group: FlowGroup },
  { first_block, last_block, limit }: Pick<BlockSpan, "first_block" | "last_block"> & { readonly limit: number },
) => {
  const rows = await facts.ask(snapshot, "flows/largest", {
    token,
    first_block,
    last_block,
    limit,
    ...groupParameters(group),
  });
  return withHashes({ facts, snapshot }, rows);
};

/** Inflow less outflow. */
const netOf = (flow: IntervalFlow | null): bigint => (flow === null ? 0n : flow.inflow - flow.outflow);

/** The events of the token do not add up to balances. */
export const DOUBTFUL = "doubtful";

/**
 * Members with a balance and their total at the end of the window, and the growth of their number; null when the index
 * does not hold the whole history.
 */
export const readEnd = async (
  scope: SnapshotContext,
  { token, group }: { readonly token: Hex; readonly group: FlowGroup },
  { span, interval_s, last, flows }: FlowIntervals & { readonly last: number; readonly flows: TokenFlowParts },
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
      movements: group.is_all ? (flows.whole?.movements ?? 0) + (flows.after?.movements ?? 0) : null,
    }),
  ]);
  if (now === null) return DOUBTFUL;
  const later = grown.filter(({ part }) => part > last).reduce((sum, { change }) => sum + change, 0);
  return { balance: now.balance - netOf(flows.after), holders: now.holders - later, grown };
};

/** The token's price in the hours of the window. */
export const readPrices = async (
  { facts, snapshot, chain }: SnapshotContext,
  token: Hex,
  { from, until }: BlockSpan,
) => {
  const last = hourOf(Math.min(until - 1, snapshot.block.time));
  const count = Math.max(0, Math.floor((last - from) / HOUR_S) + 1);
  const hours = Array.from({ length: count }, (_, i) => from + i * HOUR_S);
  const prices = await pricesAtHours(
    { facts, network: chain.network, snapshot },
    hours.map((hour) => ({ token, hour })),
  );
  return (time: number): Price | null => prices.get(priceKey(token, hourOf(time))) ?? null;
};
