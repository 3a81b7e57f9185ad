import { pricesAt } from "../../analysis/price_now.ts";
import type { Hex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { BURN_ADDRESSES } from "../get_token_holders_traders/read.ts";
import type { Warning } from "../metadata.ts";
import type { Place } from "../token_faces.ts";
import type { Segment } from "./shape.ts";

/** Whose movements are counted. */
export interface Group {
  readonly is_all: boolean;
  /** Addresses; [] for `all`. */
  readonly members: readonly Hex[];
  readonly warnings: readonly Warning[];
}

/** Cohorts that need tables of their own (03, 3.4). */
export const UNBUILT: readonly Segment[] = ["smart_trader", "public_figure", "fund"];

const EXCHANGES: readonly string[] = ["exchange", "exchange_deposit"];
const EXCHANGES_MAX = 2_000;

const WHALES_MAX = 1_000;
const WHALE_USD = 1_000_000;
/** A whale holds one in so many of the supply: 1 %. */
const WHALE_SHARE_INVERSE = 100n;
/** Labels of addresses that keep or move coins for others (03, 3.4: exchange, pool, protocol). */
const NO_WHALES: readonly string[] = [
  ...EXCHANGES,
  "dex",
  "lending",
  "bridge",
  "locker",
  "issuer",
  "nft",
  "burn",
  "token",
  "smart_account",
  "miner_validator",
  "unknown_service",
];

export const DEFINITIONS: { readonly [S in Segment]: string } = {
  all: "Every holder. Only the void and burn addresses lie outside.",
  exchange: "Addresses with a label of the category exchange or exchange_deposit. Deposit addresses are not inferred.",
  whale:
    "Held at least 1 % of the supply without burn addresses, or at least 1,000,000 USD of the token, at the start of the window; exchanges, pools and labelled protocols left out.",
  smart_trader: "Not computed.",
  public_figure: "Not computed.",
  fund: "Not computed.",
};

const everybody: Group = { is_all: true, members: [], warnings: [] };

const readExchanges = async ({ facts, snapshot }: Place): Promise<Group | null> => {
  const found = await facts.ask(snapshot, "analysis/labelled", { categories: EXCHANGES, limit: EXCHANGES_MAX + 1 });
  if (found.length === 0) return null;
  const members = found.slice(0, EXCHANGES_MAX).map(({ address }) => address);
  const message = `More than ${EXCHANGES_MAX} addresses are labelled as exchanges: only the first of them count.`;
  return { is_all: false, members, warnings: found.length > EXCHANGES_MAX ? [{ code: "MEMBERS_CUT", message }] : [] };
};

/** The large holders that are nobody's desk. `decimals` null: only the share of the supply counts. */
const readWhales = async (
  place: Place,
  token: Hex,
  at: { readonly block: number; readonly decimals: number | null },
): Promise<Group> => {
  const { facts, chain } = place;
  // Nobody held anything before the first block.
  if (at.block < place.snapshot.from_block) return { is_all: false, members: [], warnings: [] };
  const snapshot = await facts.snapshot(chain.network.id, at.block);
  const [{ supply }, burnt, holders, prices] = await Promise.all([
    facts.holderCount(snapshot, token),
    facts.balanceOf(
      snapshot,
      BURN_ADDRESSES.map((holder) => ({ token, holder })),
    ),
    facts.tokenHolders(snapshot, token, { limit: WHALES_MAX + 1, offset: 0 }),
    pricesAt({ facts, network: chain.network, snapshot }, [token]),
  ]);
  const adjusted = burnt.reduce((sum, amount) => sum - amount, supply);
  const price_usd = prices.get(token)?.price_usd ?? null;
  const isLarge = (amount: bigint): boolean =>
    amount * WHALE_SHARE_INVERSE >= adjusted ||
    (price_usd !== null && at.decimals !== null && toAmount(amount, at.decimals) * price_usd >= WHALE_USD);
  const large = holders.filter(({ holder, amount }) => isLarge(amount) && !BURN_ADDRESSES.includes(holder));
  const addresses = large.slice(0, WHALES_MAX).map(({ holder }) => holder);
  if (addresses.length === 0) return { is_all: false, members: [], warnings: [] };
  const [pools, labels] = await Promise.all([
    facts.ask(snapshot, "pools_among", { pools: addresses }),
    facts.ask(snapshot, "labels_among", { addresses }),
  ]);
  const others = new Set(pools.map(({ pool }) => pool));
  for (const { address, category } of labels) if (NO_WHALES.includes(category)) others.add(address);
  const message = `Only the ${WHALES_MAX} largest holders were looked at.`;
  return {
    is_all: false,
    members: addresses.filter((address) => !others.has(address)),
    warnings: large.length > WHALES_MAX ? [{ code: "MEMBERS_CUT", message }] : [],
  };
};

/** The group of a segment; null when nobody is known to belong to it. `block`: the last one before the window. */
export const readGroup = async (
  place: Place,
  asked: { readonly segment: Segment; readonly token: Hex },
  at: { readonly block: number; readonly decimals: number | null },
): Promise<Group | null> => {
  if (asked.segment === "exchange") return readExchanges(place);
  return asked.segment === "whale" ? readWhales(place, asked.token, at) : everybody;
};
