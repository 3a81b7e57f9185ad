import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import { addressesLabelled } from "../../address/identity/categories.ts";
import type { SnapshotContext } from "../../context.ts";
import type { SalePrice } from "../../valuation/worth.ts";
import { decimalsOf } from "../metadata/subject.ts";
import { burnAddressesOf } from "./burn_addresses.ts";
import { isImpossible, SUMS_REASON } from "./sums.ts";

/** Total and circulating supply of a token: `circulating_supply` and market caps of every answer. */

/** Supply facts of a token from its contract at a block. */
export interface IssuedSupply {
  /** '' is the native coin, whose supply no contract reports. */
  readonly token: Hex;
  readonly decimals: number | null;
  readonly total_supply: bigint | null;
  /** Base units at burn addresses; null when unknown. */
  readonly burned: bigint | null;
}

export interface Supply extends IssuedSupply {
  /** Base units: total minus burn addresses, known lockers and the token's own treasury. Null: `reason` says why. */
  readonly circulating: bigint | null;
  readonly reason: string | null;
}

const NO_CONTRACT = "a coin has no contract that reports its supply";
const NO_TOTAL = "the contract reports no total supply";
const NO_BURNED = "neither the contract nor the index shows the amount at burn addresses";
const NO_HISTORY = "the index does not cover the whole history, so the amount in lockers is not known";
const TOO_MUCH = "burn addresses and lockers hold more than the contract's total supply";

/** Maximum number of keepers in a query's parameters. */
const EXCLUSIONS_MAX = 500;

/**
 * Base units at burn addresses, by token: as the contracts report at a block (null: no node has its state), else by the sums of the index. A
 * burn address counts as empty when the contract rejects the call for it; null when the contract answers for none.
 */
export const readBurned = async (
  scope: SnapshotContext,
  tokens: readonly Hex[],
  at: number | null,
): Promise<ReadonlyMap<Hex, bigint | null>> => {
  const { facts, snapshot, chain, signal } = scope;
  const burns = burnAddressesOf(chain.network);
  const pairs = tokens.flatMap((token) => burns.map((holder) => ({ token, holder })));
  if (pairs.length === 0) return new Map();
  const live = at === null ? [] : await chain.tokenBalances(pairs, signal, at);
  const untold = pairs.filter((_, i) => (live[i] ?? null) === null);
  const is_whole = snapshot.coverage.complete && snapshot.coverage.logs;
  const indexed = is_whole && untold.length > 0 ? await facts.balanceOf(snapshot, untold) : [];
  const amounts = new Map(untold.map((pair, i) => [pair, indexed[i] ?? null]));
  const sums = new Map<Hex, bigint | null>(tokens.map((token) => [token, null]));
  for (const [i, pair] of pairs.entries()) {
    const amount = live[i] ?? amounts.get(pair) ?? null;
    if (amount !== null && !isImpossible(snapshot, amount)) sums.set(pair.token, (sums.get(pair.token) ?? 0n) + amount);
  }
  return sums;
};

/** Addresses whose holdings do not circulate. */
interface SupplyExclusions {
  readonly lockers: readonly Hex[];
  /** Treasuries with their entities. */
  readonly treasuries: readonly { readonly address: Hex; readonly entity: string }[];
  /** The entities that a token belongs to by its labels. */
  readonly entitiesOf: (token: Hex) => ReadonlySet<string>;
}

const readExclusions = async (scope: SnapshotContext, tokens: readonly Hex[]): Promise<SupplyExclusions> => {
  const { facts, snapshot, chain } = scope;
  const burns = burnAddressesOf(chain.network);
  const labelled = async (category: string): Promise<readonly Hex[]> =>
    (await addressesLabelled(scope, [category], EXCLUSIONS_MAX)).filter((address) => !burns.includes(address));
  const [lockers, treasuries] = await Promise.all([labelled("locker"), labelled("dao_treasury")]);
  const wanted = [...new Set([...treasuries, ...tokens])].sort();
  const labels = treasuries.length === 0 ? [] : await facts.ask(snapshot, "labels_among", { addresses: wanted });
  const owned = labels.filter(({ entity }) => entity !== "");
  return {
    lockers,
    treasuries: owned
      .filter(({ address, category }) => category === "dao_treasury" && treasuries.includes(address))
      .map(({ address, entity }) => ({ address, entity })),
    entitiesOf: (token) => new Set(owned.filter(({ address }) => address === token).map(({ entity }) => entity)),
  };
};

/** Keepers of one token: lockers, and the treasuries of the token's own entities. */
const exclusionsOf = ({ lockers, treasuries, entitiesOf }: SupplyExclusions, token: Hex): readonly Hex[] => {
  const entities = entitiesOf(token);
  const own = treasuries.filter(({ entity }) => entities.has(entity)).map(({ address }) => address);
  return [...new Set([...lockers, ...own])].filter((address) => address !== token);
};

/** Balances of keepers by the index; by the contracts where a network is read on demand. Null, or absent, where they are not known. */
const heldBy = (
  { facts, chain, snapshot, signal }: SnapshotContext,
  pairs: readonly { readonly token: Hex; readonly holder: Hex }[],
): Promise<readonly (bigint | null)[]> | readonly null[] => {
  const { block, coverage, followed } = snapshot;
  if (followed !== undefined) return chain.tokenBalances(pairs, signal, block.number);
  return coverage.complete && coverage.logs ? facts.balanceOf(snapshot, pairs) : [];
};

/** Base units at keepers, by token; a text says why the amount is unknown. One query for all tokens. */
const readExcludedAmounts = async (
  scope: SnapshotContext,
  tokens: readonly Hex[],
  keepers: SupplyExclusions,
): Promise<ReadonlyMap<Hex, bigint | string>> => {
  const pairs = tokens.flatMap((token) => exclusionsOf(keepers, token).map((holder) => ({ token, holder })));
  const kept = new Map<Hex, bigint | string>(tokens.map((token) => [token, 0n]));
  const { snapshot } = scope;
  const held = pairs.length === 0 ? [] : await heldBy(scope, pairs);
  for (const [i, { token }] of pairs.entries()) {
    const [amount, sum] = [held[i] ?? null, kept.get(token)];
    if (amount === null) kept.set(token, NO_HISTORY);
    else if (isImpossible(snapshot, amount)) kept.set(token, SUMS_REASON);
    else if (typeof sum === "bigint") kept.set(token, sum + amount);
  }
  return kept;
};

const supplyOf = (issued: IssuedSupply, kept: bigint | string): Supply => {
  const unknown = (reason: string): Supply => ({ ...issued, circulating: null, reason });
  const { token, total_supply, burned } = issued;
  if (token === "") return unknown(NO_CONTRACT);
  if (total_supply === null) return unknown(NO_TOTAL);
  if (burned === null) return unknown(NO_BURNED);
  if (typeof kept === "string") return unknown(kept);
  const circulating = total_supply - burned - kept;
  return circulating < 0n ? unknown(TOO_MUCH) : { ...issued, circulating, reason: null };
};

/** Supplies of tokens whose contracts were read, by token. */
export const readSupplies = async (
  scope: SnapshotContext,
  issued: readonly IssuedSupply[],
): Promise<ReadonlyMap<Hex, Supply>> => {
  const told = issued.filter(({ token, total_supply }) => token !== "" && total_supply !== null);
  const tokens = told.map(({ token }) => token);
  const kept =
    tokens.length === 0 ? null : await readExcludedAmounts(scope, tokens, await readExclusions(scope, tokens));
  return new Map(issued.map((one): [Hex, Supply] => [one.token, supplyOf(one, kept?.get(one.token) ?? 0n)]));
};

/** The supply of one token. */
export const readSupply = async (scope: SnapshotContext, issued: IssuedSupply): Promise<Supply> =>
  (await readSupplies(scope, [issued])).get(issued.token) ?? supplyOf(issued, 0n);

/** Supply facts of contracts at a block: one read of the node for all. */
export const readIssued = async (
  scope: SnapshotContext,
  tokens: readonly Hex[],
  at: number,
): Promise<readonly IssuedSupply[]> => {
  const { chain, signal } = scope;
  const contracts = tokens.filter((token) => token !== "");
  const [told, burned] = await Promise.all([
    contracts.length === 0 ? [] : chain.tokenMetadata(contracts, signal, at),
    readBurned(scope, contracts, at),
  ]);
  const known = new Map(contracts.map((token, i) => [token, told[i]]));
  return tokens.map((token) => {
    const found = known.get(token);
    return {
      token,
      decimals: found === undefined ? null : decimalsOf(found),
      total_supply: found?.total_supply ?? null,
      burned: burned.get(token) ?? null,
    };
  });
};

/** `circulating_supply` in whole tokens; null with the supply's reason, or when the token has no decimals. */
export const circulatingSupply = ({ circulating, decimals }: Supply): number | null =>
  circulating === null || decimals === null ? null : toAmount(circulating, decimals);

/**
 * Market value over the liquidity of all pools, from which it is no figure: at 1,000, all pools together could pay for
 * less than a thousandth of it, so the price speaks for a dust of the supply. Tokens with most of their market on
 * exchanges of their own books stay at some hundreds.
 */
export const DEPTH_RATIO_MAX = 1_000;

/** The circulating supply at a price. */
export interface MarketValue {
  /** Null with `gap`. */
  readonly market_cap_usd: number | null;
  /** Price times circulating supply where the pools are too thin for a market value; null where they are not. */
  readonly unrealizable_market_cap_usd: number | null;
  /** Price times circulating supply over the liquidity of all pools; null when one of them is unknown or 0. */
  readonly depth_ratio: number | null;
  /** Why the market value is null; null when it is known. */
  readonly gap: string | null;
}

/** Why a value at a price that pools do not back is null. */
export const TOO_THIN = "liquidity_too_thin";

/** True when the pools of a limited price are too thin for this value. Unknown liquidity proves nothing. */
export const isTooThin = (value_usd: number, price: SalePrice, liquidity_usd: number | null): boolean =>
  (price.sells ?? null) !== null && liquidity_usd !== null && value_usd > DEPTH_RATIO_MAX * liquidity_usd;

const marketGap = (supply: Supply, price: SalePrice | null): string | null => {
  if (supply.reason !== null) return supply.reason;
  if (supply.decimals === null) return "the token's decimals are unknown";
  return price === null ? "the token has no price" : null;
};

/** Value of the circulating supply at a price, given the liquidity of all pools. */
export const marketValueOf = (supply: Supply, price: SalePrice | null, liquidity_usd: number | null): MarketValue => {
  const circulating = circulatingSupply(supply);
  if (circulating === null || price === null) {
    const gap = marketGap(supply, price) ?? "the circulating supply is unknown";
    return { market_cap_usd: null, unrealizable_market_cap_usd: null, depth_ratio: null, gap };
  }
  const value_usd = circulating * price.price_usd;
  const depth_ratio = liquidity_usd === null || liquidity_usd === 0 ? null : value_usd / liquidity_usd;
  if (isTooThin(value_usd, price, liquidity_usd)) {
    return { market_cap_usd: null, unrealizable_market_cap_usd: value_usd, depth_ratio, gap: TOO_THIN };
  }
  return { market_cap_usd: value_usd, unrealizable_market_cap_usd: null, depth_ratio, gap: null };
};
