import type { Chain } from "../../chains/chain.ts";
import type {
  FundingSource,
  HolderBalanceChange,
  HolderGroup,
  HolderIdentity,
  HolderVolume,
} from "../../domain/token/holders/read.ts";
import { SUMS_REASON } from "../../domain/token/holders/sums.ts";
import { type SalePrice, worthOfRaw } from "../../domain/valuation/worth.ts";
import { PNL_TRANSACTIONS_MAX, type TokenPnl } from "../../domain/wallet/pnl/trader_pnl.ts";
import type { Hex } from "../../lib/bytes.ts";
import { percentOf, toAmount } from "../../lib/money.ts";
import { iso } from "../../lib/time.ts";
import { spotFields } from "../worth_fields.ts";
import type { HolderRow, HoldersOutput, MemberRow, TraderRow } from "./shape.ts";

export interface RowFacts {
  readonly chain: Chain;
  readonly decimals: number | null;
  readonly price: SalePrice | null;
  readonly total_supply: bigint | null;
  readonly identities: ReadonlyMap<Hex, HolderIdentity>;
  readonly changes: ReadonlyMap<Hex, HolderBalanceChange>;
  readonly volumes: ReadonlyMap<Hex, HolderVolume> | null;
  /** The index reaches back to the beginning, so that a first receipt is the first. */
  readonly has_beginning: boolean;
  readonly pnl: ReadonlyMap<Hex, TokenPnl>;
  readonly funders: ReadonlyMap<Hex, FundingSource>;
}

const NO_PNL = `a pool, a service or several addresses, no price, a history that the index does not hold, or more than ${PNL_TRANSACTIONS_MAX} transactions; see get_wallet_pnl`;
const BOT_TRANSACTIONS_IN_BLOCK = 3;
const HOURS_OF_DAY = 24;
const BOT_TAGS: readonly string[] = ["bot", "mev_bot"];

const NOBODY: HolderIdentity = { label: null, source: null, tags: null, entity: null, type: "eoa" };

const tradedUsd = (
  members: readonly Hex[],
  volumes: RowFacts["volumes"],
): { readonly buy_usd: number; readonly sell_usd: number } | null => {
  if (volumes === null) return null;
  const own = members.flatMap((address) => volumes.get(address) ?? []);
  const swaps = own.reduce((total, { swaps }) => total + swaps, 0);
  const unpriced = own.reduce((total, { unpriced }) => total + unpriced, 0);
  if (swaps > 0 && unpriced === swaps) return null;
  return {
    buy_usd: own.reduce((total, { buy_usd }) => total + buy_usd, 0),
    sell_usd: own.reduce((total, { sell_usd }) => total + sell_usd, 0),
  };
};

const firstOf = (members: readonly Hex[], { changes, has_beginning }: RowFacts): string | null => {
  const own = members.flatMap((address) => changes.get(address) ?? []);
  if (!has_beginning || own.some(({ is_opened }) => is_opened === 1)) return null;
  const times = own.filter(({ receipts }) => receipts > 0).map(({ first_received_at }) => first_received_at);
  return times.length === 0 ? null : iso(Math.min(...times));
};

const memberRow = (group: HolderGroup, facts: RowFacts): MemberRow => {
  const { chain, decimals, price } = facts;
  // Several addresses of an entity have no one source and no common books.
  const single = group.members.length === 1 ? group.address : undefined;
  const identity = facts.identities.get(group.address) ?? NOBODY;
  const traded = tradedUsd(group.members, facts.volumes);
  const { amount } = group;
  const worth = decimals === null || amount === null ? null : worthOfRaw(amount, decimals, price);
  const changed = (field: "change_24h" | "change_7d" | "change_30d"): number | null => {
    const sum = group.members.reduce((total, address) => total + (facts.changes.get(address)?.[field] ?? 0n), 0n);
    return decimals === null ? null : toAmount(sum, decimals);
  };
  return {
    address: chain.formatAddress(group.address),
    address_label: identity.label,
    category: identity.tags?.[0] ?? null,
    label_source: identity.source,
    ...(worth === null ? {} : { value_usd: worth.value_usd }),
    ...spotFields(worth?.spot_value_usd, worth?.limit),
    ...(decimals === null || amount === null ? {} : { token_balance: toAmount(amount, decimals) }),
    ...(traded === null ? {} : { buy_volume_usd: traded.buy_usd, sell_volume_usd: traded.sell_usd }),
    balance_raw: amount === null ? null : amount.toString(),
    tags: identity.tags,
    holder_type: identity.type,
    balance_change_24h: changed("change_24h"),
    balance_change_7d: changed("change_7d"),
    balance_change_30d: changed("change_30d"),
    first_acquired_at: firstOf(group.members, facts),
    funding_source: single === undefined ? null : (facts.funders.get(single) ?? null),
    pnl: single === undefined ? null : (facts.pnl.get(single) ?? null),
  };
};

export const holderRow = (group: HolderGroup, facts: RowFacts): HolderRow => {
  const { total_supply } = facts;
  const { amount } = group;
  const known = total_supply !== null && total_supply > 0n && amount !== null;
  return {
    ...memberRow(group, facts),
    ...(known ? { ownership_percentage: percentOf(amount, total_supply) } : {}),
    entity: facts.identities.get(group.address)?.entity ?? null,
    addresses_count: group.members.length,
  };
};

export const traderRow = (volume: HolderVolume, balance: bigint | null, facts: RowFacts): TraderRow => {
  const address = volume.trader;
  const member = memberRow({ address, members: [address], amount: balance }, facts);
  const traded = tradedUsd([address], facts.volumes);
  const is_labelled = (member.tags ?? []).some((tag) => BOT_TAGS.includes(tag));
  return {
    ...member,
    buy_count: volume.buys,
    sell_count: volume.sells,
    net_usd: traded === null ? null : traded.buy_usd - traded.sell_usd,
    is_bot:
      is_labelled ||
      volume.transactions_in_block_max >= BOT_TRANSACTIONS_IN_BLOCK ||
      volume.active_hours === HOURS_OF_DAY,
  };
};

export interface HolderKnowledge {
  readonly is_told: boolean;
  readonly is_doubtful: boolean;
  readonly circulating_gap: string | null;
}

export const missingOf = (
  rows: Pick<HoldersOutput, "holders" | "traders" | "traders_unavailable_reason" | "supply" | "concentration">,
  { is_told, is_doubtful, circulating_gap }: HolderKnowledge,
): HoldersOutput["unavailable"] => {
  const missing: HoldersOutput["unavailable"] = [];
  for (const list of ["holders", "traders"] as const) {
    if (rows[list].length === 0) continue;
    const say = (field: string, reason: string): number => missing.push({ field: `${list}[].${field}`, reason });
    if (rows[list].some(({ balance_raw }) => balance_raw === null)) say("balance_raw", SUMS_REASON);
    if (rows[list].some(({ token_balance, balance_raw }) => token_balance === undefined && balance_raw !== null)) {
      say("token_balance", "the token's decimals are unknown");
    }
    if (rows[list].some(({ value_usd }) => value_usd === undefined)) say("value_usd", "no price");
    if (rows[list].some(({ buy_volume_usd }) => buy_volume_usd === undefined)) {
      const reason =
        rows.traders_unavailable_reason === "native_asset"
          ? "pools trade the wrapped form: request that token instead"
          : "no price in the hours of these swaps";
      say("buy_volume_usd", reason);
      say("sell_volume_usd", reason);
    }
    if (rows[list].some(({ funding_source }) => funding_source === null)) {
      say(
        "funding_source",
        "several addresses, no funder, none since the beginning of the index, or an address that is not read on demand",
      );
    }
    if (rows[list].some(({ pnl }) => pnl === null)) say("pnl", NO_PNL);
  }
  if (rows.holders.some(({ ownership_percentage }) => ownership_percentage === undefined)) {
    const reason = rows.holders.some(({ balance_raw }) => balance_raw === null)
      ? SUMS_REASON
      : "the total supply is unknown";
    missing.push({ field: "holders[].ownership_percentage", reason });
  }
  if (rows.supply.total === null) missing.push({ field: "supply", reason: "the total supply is unknown" });
  if (circulating_gap !== null) missing.push({ field: "supply.circulating", reason: circulating_gap });
  if (rows.concentration === null) {
    const untold = is_told ? "the supply is unknown" : "tokens were issued without an event";
    const reason = is_told && is_doubtful ? SUMS_REASON : untold;
    missing.push({ field: "concentration", reason });
  }
  return missing;
};
