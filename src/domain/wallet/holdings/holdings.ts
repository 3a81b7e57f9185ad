import type { Chain } from "../../../chains/chain.ts";
import { stakingReceipts } from "../../../labels/receipts.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { PinnedBlock } from "../../../lib/parsed.ts";
import { DAY_S, hourOf } from "../../../lib/time.ts";
import type { Snapshot } from "../../../store/facts.ts";
import { countedOnce, type SharedBalance } from "../../aliases.ts";
import type { CallContext, SnapshotContext, Warning } from "../../context.ts";
import { type Balance, readBalances } from "../../token/holders/balances.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../../token/metadata/metadata.ts";
import { isCanonical, registryOf } from "../../token/metadata/registry.ts";
import { faceReasons, type SpamReason } from "../../token/metadata/spam.ts";
import { pegWarnings } from "../../valuation/prices/peg_warnings.ts";
import { type Price, preparePrices, priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import { type WorthLimit, worthOfRaw } from "../../valuation/worth.ts";
import { airdropsAmong } from "./airdrops.ts";
import type { HoldingCategory } from "./composition.ts";
import { warnOfAliases } from "./possible_aliases.ts";

export interface ValuedHolding {
  readonly chain: Chain;
  readonly face: TokenMetadata;
  readonly balance: bigint;
  /** 0 for collectibles; null when the contract does not report them. */
  readonly decimals: number | null;
  readonly price: Price | null;
  /** USD that the pools pay for the whole holding. */
  readonly usd_value: number | null;
  /** Price times balance. */
  readonly spot_value_usd: number | null;
  readonly value_limit: WorthLimit | null;
  readonly price_change_24h_percent: number | null;
  readonly category: HoldingCategory;
  readonly is_collectible: boolean;
  readonly spam_reasons: readonly SpamReason[];
  /** Unix seconds of the last indexed change. */
  readonly last_change: number | null;
  /** Other contracts that report this balance; omitted or empty without any. */
  readonly aliases?: readonly Hex[];
}

export interface WalletHoldings {
  readonly holdings: readonly ValuedHolding[];
  /** True when the index proves that the wallet holds no unlisted token. */
  readonly is_proven: boolean;
  readonly warnings: readonly Warning[];
}

const categoryOf = ({ network }: Chain, token: Hex): HoldingCategory => {
  if (token === "" || token === network.wrapped_native) return "native";
  if (network.stablecoins.some(({ address }) => address === token)) return "stablecoin";
  return stakingReceipts(network.id).has(token) ? "lst" : "other";
};

const timesOf = async (
  { facts, snapshot }: SnapshotContext,
  held: readonly Balance[],
): Promise<ReadonlyMap<number, number>> => {
  const blocks = [...new Set(held.flatMap(({ last_block }) => (last_block === null ? [] : [last_block])))];
  if (blocks.length === 0) return new Map();
  const rows = await facts.ask(snapshot, "block_times", { blocks });
  return new Map(rows.map(({ block_number, time }) => [block_number, time]));
};

/** Current prices and those of a day ago; each token is queried once. */
interface TwoPrices {
  readonly read: (tokens: readonly Hex[]) => Promise<void>;
  readonly now: (token: Hex) => Price | null;
  readonly yesterday: (token: Hex) => Price | null;
}

const twoPrices = ({ chain, facts, snapshot }: SnapshotContext, has_changes: boolean): TwoPrices => {
  const context = { facts, network: chain.network, snapshot };
  const [now, yesterday] = [hourOf(snapshot.block.time), hourOf(snapshot.block.time - DAY_S)];
  const hours = has_changes ? [now, yesterday] : [now];
  const asked = new Set<Hex>();
  const found = new Map<string, Price>();
  preparePrices(context);
  return {
    async read(tokens) {
      const fresh = tokens.filter((token) => !asked.has(token));
      for (const token of fresh) asked.add(token);
      const pairs = fresh.flatMap((token) => hours.map((hour) => ({ token, hour })));
      for (const [key, price] of await pricesAtHours(context, pairs)) found.set(key, price);
    },
    now: (token) => found.get(priceKey(token, now)) ?? null,
    yesterday: (token) => found.get(priceKey(token, yesterday)) ?? null,
  };
};

interface HeldTokens {
  readonly held: readonly SharedBalance<Balance>[];
  /** Number of transfers behind them. */
  readonly transfers: number;
  readonly prices: TwoPrices;
}

const describe = async (
  scope: SnapshotContext,
  wallet: Hex,
  { held, transfers, prices }: HeldTokens,
): Promise<readonly ValuedHolding[]> => {
  const { chain } = scope;
  const { network } = chain;
  const tokens = held.map(({ token }) => token);
  const strangers = async (): Promise<readonly Hex[]> => {
    await prices.read(tokens);
    return tokens.filter((token) => token !== "" && prices.now(token) === null && !isCanonical(network, token));
  };
  const [registry, faces, times, airdrops] = await Promise.all([
    registryOf(scope),
    metadataOf(scope, tokens),
    timesOf(scope, held),
    strangers().then((found) => airdropsAmong(scope, { wallet, transfers }, found)),
  ]);
  return held.map(({ token, amount, last_block, aliases }): ValuedHolding => {
    const face = metadataIn(faces, token);
    const is_collectible = face.standard === "erc721" || face.standard === "erc1155";
    const decimals = is_collectible ? 0 : face.decimals;
    const price = is_collectible ? null : prices.now(token);
    const old = prices.yesterday(token)?.price_usd ?? null;
    const confidence = price?.confidence ?? null;
    const worth = decimals === null ? null : worthOfRaw(amount, decimals, price);
    return {
      chain,
      face,
      balance: amount,
      decimals,
      price,
      usd_value: worth?.value_usd ?? null,
      spot_value_usd: worth?.spot_value_usd ?? null,
      value_limit: worth?.limit ?? null,
      price_change_24h_percent: price === null || old === null || old === 0 ? null : 100 * (price.price_usd / old - 1),
      category: categoryOf(chain, token),
      is_collectible,
      spam_reasons: [
        ...(token === "" ? [] : faceReasons(registry, face, confidence)),
        ...(airdrops.has(token) ? (["mass_airdrop"] as const) : []),
      ],
      last_change: last_block === null ? null : (times.get(last_block) ?? null),
      aliases,
    };
  });
};

/** Holdings of one network at its snapshot, in no particular order. */
export const readHoldings = async (
  context: CallContext,
  of: { readonly chain: Chain; readonly wallet: Hex; readonly as_of_block: PinnedBlock | null },
): Promise<{ basis: Snapshot; value: WalletHoldings }> => {
  const { chain, wallet } = of;
  const snapshot = await context.facts.snapshot(chain.network.id, of.as_of_block);
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  return { basis: snapshot, value: await readHoldingsAt(scope, wallet, { has_changes: true }) };
};

/** The same at a snapshot. `has_changes`: with `price_change_24h_percent`, which is null otherwise. */
export const readHoldingsAt = async (
  scope: SnapshotContext,
  wallet: Hex,
  { has_changes = false } = {},
): Promise<WalletHoldings> => {
  const { chain } = scope;
  const prices = twoPrices(scope, has_changes);
  const {
    held: rows,
    is_proven,
    transfers,
    warnings,
  } = await readBalances(scope, wallet, async (tokens) => {
    await prices.read(tokens);
    return tokens.filter((token) => prices.now(token) !== null);
  });
  const held = countedOnce(chain.network, rows);
  const [holdings, doubts] = await Promise.all([
    describe(scope, wallet, { held, transfers, prices }),
    warnOfAliases(
      scope,
      wallet,
      held.filter(({ token }) => prices.now(token) !== null),
    ),
  ]);
  const priced = holdings.map(({ face, price }) => ({ token: face.token, price_usd: price?.price_usd ?? null }));
  const pegs = pegWarnings(chain.network, priced);
  return { holdings, is_proven, warnings: [...warnings, ...doubts, ...pegs] };
};

const text = (holding: ValuedHolding) => `${holding.chain.network.id}:${holding.face.token}`;

/** Total order: largest value first, then unpriced holdings by balance, then network and token. */
export const byValue = (a: ValuedHolding, b: ValuedHolding): number => {
  if (a.usd_value !== null && b.usd_value !== null && a.usd_value !== b.usd_value) return b.usd_value - a.usd_value;
  if ((a.usd_value === null) !== (b.usd_value === null)) return a.usd_value === null ? 1 : -1;
  if (a.balance !== b.balance) return a.balance < b.balance ? 1 : -1;
  return text(a) < text(b) ? -1 : 1;
};
