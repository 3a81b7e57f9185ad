import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S } from "../../../lib/time.ts";
import {
  LABEL_COHORTS,
  type LabelCohort,
  SERVICE_CATEGORIES,
  SMART_TRADER,
  WHALE,
} from "../../address/cohorts/definitions.ts";
import { listedDay, listMembers } from "../../address/cohorts/lists.ts";
import { addressesLabelled } from "../../address/identity/categories.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { pricesAt } from "../../valuation/prices/price_now.ts";
import { usdOf } from "../../valuation/worth.ts";
import { burnAddressesOf } from "./burn_addresses.ts";
import { BALANCES_UNKNOWN, readHolderSums } from "./sums.ts";

/** Addresses whose movements are counted together. */
export interface AddressGroup {
  readonly members: readonly Hex[];
  readonly warnings: readonly Warning[];
}

/** Maximum number of addresses in a query's parameters. */
const LISTED_MAX = 2_000;

const cut = (addresses: readonly Hex[], what: string, max: number): AddressGroup => ({
  members: addresses.slice(0, max),
  warnings:
    addresses.length > max
      ? [{ code: "MEMBERS_CUT", message: `More than ${max} addresses are ${what}: only the first of them count.` }]
      : [],
});

/** Addresses whose labels put them into a cohort; null when no address of the network has such a label. */
export const readLabelled = async (scope: SnapshotContext, cohort: LabelCohort): Promise<AddressGroup | null> => {
  const found = await addressesLabelled(scope, LABEL_COHORTS[cohort], LISTED_MAX + 1);
  return found.length === 0 ? null : cut(found, `labelled as ${cohort}`, LISTED_MAX);
};

/**
 * Day of the smart trader list that applies to the block: the newest list of a completed day. Null when there is none,
 * or none that is recent enough.
 */
export const smartListDay = async (scope: SnapshotContext): Promise<number | null> => {
  const today = Math.floor(scope.snapshot.block.time / DAY_S);
  const day = await listedDay(scope, Math.max(0, today - 1));
  return day === null || today - day > SMART_TRADER.list_age_days_max ? null : day;
};

/** Members of the list of smart traders of a day. */
export const readSmartTraders = async (scope: SnapshotContext, day: number): Promise<AddressGroup> =>
  cut(await listMembers(scope, day, LISTED_MAX + 1), "smart traders", LISTED_MAX);

/**
 * The large holders of a token that hold for themselves, at the end of a block. `decimals` null: only the share of the
 * supply counts.
 */
export const readWhales = async (
  scope: SnapshotContext,
  token: Hex,
  at: { readonly block: number; readonly decimals: number | null },
): Promise<AddressGroup> => {
  const { facts, chain } = scope;
  const burns = burnAddressesOf(chain.network);
  // No address holds anything before the first block.
  if (at.block < scope.snapshot.from_block) return { members: [], warnings: [] };
  const snapshot = await facts.snapshot(chain.network.id, at.block);
  const [{ supply, is_doubtful }, burnt, [holders = []], prices] = await Promise.all([
    readHolderSums({ facts, snapshot }, token),
    facts.balanceOf(
      snapshot,
      burns.map((holder) => ({ token, holder })),
    ),
    facts.tokenHolders(snapshot, [token], WHALE.members_max + 1),
    pricesAt({ facts, network: chain.network, snapshot }, [token]),
  ]);
  if (is_doubtful) return { members: [], warnings: [BALANCES_UNKNOWN] };
  const adjusted = burnt.reduce((sum, amount) => sum - amount, supply);
  const price = prices.get(token);
  const isLarge = (amount: bigint): boolean =>
    amount * 100n >= adjusted * BigInt(WHALE.share_percent_min) ||
    (at.decimals !== null && (usdOf(amount, at.decimals, price) ?? 0) >= WHALE.value_usd_min);
  const large = holders.filter(({ holder, amount }) => isLarge(amount) && !burns.includes(holder));
  const addresses = large.slice(0, WHALE.members_max).map(({ holder }) => holder);
  if (addresses.length === 0) return { members: [], warnings: [] };
  const [pools, labels] = await Promise.all([
    facts.ask(snapshot, "pools_among", { pools: addresses }),
    facts.ask(snapshot, "labels_among", { addresses }),
  ]);
  const others = new Set(pools.map(({ pool }) => pool));
  for (const { address, category } of labels) if (SERVICE_CATEGORIES.includes(category)) others.add(address);
  const message = `Only the ${WHALE.members_max} largest holders were examined.`;
  return {
    members: addresses.filter((address) => !others.has(address)),
    warnings: large.length > WHALE.members_max ? [{ code: "MEMBERS_CUT", message }] : [],
  };
};
