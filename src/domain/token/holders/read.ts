import { isGuessed } from "../../../labels/derived_labels.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S, hourOf } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { readFirstFunders } from "../../address/identity/first_funders.ts";
import { labelsOf, type ShownParty, shownParty } from "../../address/identity/parties.ts";
import { type PrimaryName, primaryNames } from "../../address/names/primary_names.ts";
import type { SnapshotContext } from "../../context.ts";
import { nodeStateBlock } from "../../node_state.ts";
import { readAmong } from "../../read_among.ts";
import { poolSidesOf } from "../../valuation/prices/pool_sides.ts";
import { priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import { burnAddressesOf } from "./burn_addresses.ts";
import type { HolderType } from "./concentration.ts";
import { byAmount, type Holder } from "./holders.ts";

/** Facts about an address besides its balance. */
export interface HolderIdentity {
  readonly label: string | null;
  /** As of a party (identity/parties.ts). */
  readonly source: string | null;
  readonly tags: string[] | null;
  readonly entity: string | null;
  readonly type: HolderType;
}

/** One row of holders: an address, or all addresses of one entity. */
export interface HolderGroup {
  /** The largest member represents the group. */
  readonly address: Hex;
  readonly members: readonly Hex[];
  /** Null when the amount of a member is unknown. */
  readonly amount: bigint | null;
}

const TYPES_BY_TAG: Readonly<Record<string, HolderType>> = {
  exchange: "exchange",
  exchange_deposit: "exchange",
  bridge: "bridge",
  // Holds the pools of an exchange with a single vault contract.
  dex: "lp_pool",
  locker: "locker",
  issuer: "issuer",
};

const typeOf = (
  tags: readonly string[],
  kinds: { is_burn: boolean; is_pool: boolean; is_contract: boolean },
): HolderType => {
  if (kinds.is_burn) return "burn";
  if (kinds.is_pool) return "lp_pool";
  const tagged = tags.map((tag) => TYPES_BY_TAG[tag]).find((type) => type !== undefined);
  return tagged ?? (kinds.is_contract ? "contract" : "eoa");
};

/**
 * Leaves out labels that a rule of the index only infers: an inferred exchange must not make coins look less
 * concentrated.
 */
const trustedTags = (rows: readonly { readonly category: string; readonly source: string }[]): readonly string[] =>
  rows.filter(({ source }) => !isGuessed(source)).map(({ category }) => category);

/** Those of `addresses` that have code; the index does not know contracts that are older than it. */
const liveContracts = async (scope: SnapshotContext, addresses: readonly Hex[]): Promise<readonly Hex[]> => {
  const { chain, signal } = scope;
  const at = addresses.length === 0 ? null : await nodeStateBlock(scope);
  if (at === null) return [];
  const states = await Promise.all(addresses.map((address) => chain.account(address, signal, at)));
  return addresses.filter((_, i) => (states[i]?.code.length ?? 0) > 0);
};

/** Items by key, both in their order. */
const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
};

/** Identities of addresses. `shown`: those whose code is worth a read of the node. */
export const readIdentities = async (
  scope: SnapshotContext,
  addresses: readonly Hex[],
  shown: ReadonlySet<Hex>,
): Promise<ReadonlyMap<Hex, HolderIdentity>> => {
  const { facts, snapshot } = scope;
  const known = [...new Set(addresses)].sort();
  if (known.length === 0) return new Map();
  const [labels, pools, contracts] = await Promise.all([
    facts.ask(snapshot, "labels_among", { addresses: known }),
    facts.ask(snapshot, "pools_among", { pools: known }),
    facts.ask(snapshot, "contracts_among", { addresses: known }),
  ]);
  const isPool = new Set(pools.map(({ pool }) => pool));
  const isContract = new Set(contracts.map(({ address }) => address));
  const unknown = known.filter((address) => shown.has(address) && !isContract.has(address) && !isPool.has(address));
  for (const address of await liveContracts(scope, unknown)) isContract.add(address);
  const byAddress = grouped(labels, ({ address }) => address);
  const burns = burnAddressesOf(scope.chain.network);
  return new Map(
    known.map((address) => {
      const own = byAddress.get(address) ?? [];
      const tags = [...new Set(own.map(({ category }) => category).filter((category) => category !== ""))];
      const is_burn = burns.includes(address);
      const kinds = { is_burn, is_pool: isPool.has(address), is_contract: isContract.has(address) };
      return [
        address,
        {
          label: own[0]?.label ?? null,
          source: own[0]?.source ?? null,
          tags: tags.length === 0 ? null : tags,
          entity: own.find(({ entity }) => entity !== "")?.entity ?? null,
          type: typeOf(trustedTags(own), kinds),
        },
      ];
    }),
  );
};

/** The same with own names of addresses that no list names. `shown`: rows of the answer. */
export const withOwnNames = async (
  scope: SnapshotContext,
  identities: ReadonlyMap<Hex, HolderIdentity>,
  shown: readonly Hex[],
): Promise<ReadonlyMap<Hex, HolderIdentity>> => {
  const open = shown.filter((address) => identities.get(address)?.label === null);
  const names = open.length === 0 ? new Map<Hex, PrimaryName>() : await primaryNames(scope, open);
  const named = [...names].flatMap(([address, { name, source }]) => {
    const known = identities.get(address);
    return known === undefined ? [] : [[address, { ...known, label: name, source }] as const];
  });
  return new Map([...identities, ...named]);
};

/** Null when one of them is unknown. */
const together = (members: readonly Holder[]): bigint | null =>
  members.reduce<bigint | null>((total, { amount }) => (total === null || amount === null ? null : total + amount), 0n);

/** Holders of one entity together, largest first, ties by address; holders with an unknown amount stay first. */
export const groupByEntity = (
  holders: readonly Holder[],
  entityOf: (address: Hex) => string | null,
): readonly HolderGroup[] => {
  const groups = grouped(holders, ({ holder }) => entityOf(holder) ?? `0x${holder}`);
  return [...groups.values()]
    .flatMap((members): (Holder & HolderGroup)[] => {
      const [largest] = members;
      if (largest === undefined) return [];
      const { holder } = largest;
      return [{ holder, address: holder, members: members.map((one) => one.holder), amount: together(members) }];
    })
    .sort(byAmount)
    .map(({ address, members, amount }) => ({ address, members, amount }));
};

export interface TradingWindow {
  /** Unix seconds: the first one inside, and the first one outside. */
  readonly from: number;
  readonly until: number;
}

export interface PricedToken {
  readonly token: Hex;
  readonly decimals: number;
  readonly window: TradingWindow;
  /** USD by hour, in parallel. */
  readonly hours: readonly number[];
  readonly prices: readonly number[];
}

/** Prices of every hour of the window that has one. */
export const readMarket = async (
  scope: SnapshotContext,
  { token, decimals }: { readonly token: Hex; readonly decimals: number },
  window: TradingWindow,
): Promise<PricedToken> => {
  const { facts, snapshot, chain } = scope;
  const last = Math.min(window.until - 1, snapshot.block.time);
  const count = Math.max(0, Math.floor((hourOf(last) - window.from) / HOUR_S) + 1);
  const hours = Array.from({ length: count }, (_, i) => window.from + i * HOUR_S);
  const found = await pricesAtHours(
    { facts, network: chain.network, snapshot },
    hours.map((hour) => ({ token, hour })),
  );
  const priced = hours.flatMap((hour) => {
    const price = found.get(priceKey(token, hour));
    return price === undefined ? [] : [{ hour, price_usd: price.price_usd }];
  });
  return {
    token,
    decimals,
    window,
    hours: priced.map(({ hour }) => hour),
    prices: priced.map(({ price_usd }) => price_usd),
  };
};

export type HolderVolume = QueryRow<"holders/volumes">;

/** Order of the query: the largest first. */
const bySize = (a: HolderVolume, b: HolderVolume): number =>
  b.buy_usd + b.sell_usd - (a.buy_usd + a.sell_usd) || b.swaps - a.swaps || (a.trader < b.trader ? -1 : 1);

/** Volumes of the largest traders, the largest first, and of those of these addresses that traded. */
export const readVolumes = async (
  { facts, snapshot }: SnapshotContext,
  market: PricedToken,
  { kept, limit }: { readonly kept: readonly Hex[]; readonly limit: number },
): Promise<{ readonly largest: readonly HolderVolume[]; readonly all: readonly HolderVolume[] }> => {
  // The engine's `transform` needs at least one pair; -1 means "no price", as everywhere in the query.
  const hours = market.hours.length === 0 ? [0] : market.hours;
  const prices = market.hours.length === 0 ? [-1] : market.prices;
  const { token, decimals, window } = market;
  const { from: since, until } = window;
  const rows = await facts.ask(snapshot, "holders/volumes", {
    ...(await poolSidesOf({ facts, snapshot }, token)),
    ...{ decimals, since, until: until - 1, hours, prices, kept },
    limit: limit + kept.length,
  });
  const all = [...rows].sort(bySize);
  return { largest: all.slice(0, limit), all };
};

export type HolderBalanceChange = QueryRow<"holders/changes">;

export const readChanges = async (
  { facts, snapshot }: SnapshotContext,
  token: Hex,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, HolderBalanceChange>> => {
  if (addresses.length === 0) return new Map();
  const now = snapshot.block.time;
  const rows = await facts.ask(snapshot, "holders/changes", {
    token,
    addresses,
    day_ago: Math.max(0, now - DAY_S),
    week_ago: Math.max(0, now - 7 * DAY_S),
    month_ago: Math.max(0, now - 30 * DAY_S),
  });
  return new Map(rows.map((row) => [row.address, row]));
};

export type FundingSource = ShownParty & { readonly address: string };

/** The senders of each address's first coins, from the beginning of the chain on; absent without one. */
export const readFunders = async (
  scope: SnapshotContext,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, FundingSource>> => {
  const { facts, snapshot, chain } = scope;
  const rows = [...(await readFirstFunders(scope, await readAmong(scope, addresses))).values()];
  const labels = await labelsOf(
    facts,
    snapshot,
    rows.map(({ funder }) => funder),
  );
  return new Map(
    rows.map(({ address, funder }) => [
      address,
      { address: chain.formatAddress(funder), ...shownParty(labels.get(funder)) },
    ]),
  );
};
