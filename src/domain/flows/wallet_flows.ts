import type { Hex } from "../../lib/bytes.ts";
import { usdOf } from "../../lib/money.ts";
import { hourOf } from "../../lib/time.ts";
import type { Params, Row } from "../../store/facts.ts";
import type { SnapshotContext, Warning } from "../context.ts";
import { airdropsAmong } from "../holdings/airdrops.ts";
import { anchorsOf } from "../prices/pools.ts";
import { priceKey, pricesAtHours, storedSpan } from "../prices/price_now.ts";
import { metadataIn, metadataOf } from "../tokens/metadata.ts";
import { faceReasons, isCanonical, isLookalike, REAL_PEER_USD, type SpamReason } from "../tokens/spam.ts";
import { readSightings } from "../wallet_history/sightings.ts";

/** Members of one list that travels with a question: a server limits how long a question may be. */
const LIST_MAX = 2_000;
/** What a wallet moved, with one group of the moved things per row. */
export type Flow = Row<"flows/wallet_flows">;

/** Parameters that say where prices come from and what is spam; the same for every question about these flows. */
export type FlowSources = Pick<
  Params<"flows/wallet_flows">,
  | "wallet"
  | "wrapped"
  | "since"
  | "until"
  | "stored_until"
  | "late_tokens"
  | "late_hours"
  | "late_units"
  | "late_is_traded"
  | "poison_blocks"
  | "poison_indexes"
  | "poison_positions"
  | "airdrops"
  | "copies"
  | "urls"
  | "claims"
  | "orders"
  | "hidden"
  | "is_contract"
>;

/** What is asked of the flows. Everything left out is not filtered, not split and not sorted specially. */
export interface FlowQuestion {
  readonly by?: "peer" | "token" | "peer_and_token" | "direction";
  /** Null: both. */
  readonly direction?: "in" | "out" | null;
  /** Null: every token. */
  readonly token?: Hex | null;
  /** Null: everybody. */
  readonly peers?: readonly Hex[] | null;
  /** Only counterparties that a label puts into one of these. */
  readonly categories?: readonly string[];
  readonly include_spam?: boolean;
  /** Also what was minted, burned or issued. */
  readonly with_void?: boolean;
  readonly min_usd?: number;
  readonly sort?: "volume" | "count" | "recent";
  /** Rows of one peer. */
  readonly limit_by?: number;
  readonly limit?: number;
  readonly offset?: number;
}

export interface FlowWindow {
  /** Unix seconds, the first one inside. */
  readonly from: number;
  /** Unix seconds, the first one outside. */
  readonly until: number;
}

/** The movements of one wallet in a window, priced and judged, ready to be asked about. */
export interface Flows {
  readonly sources: FlowSources;
  readonly warnings: readonly Warning[];
  /** Peers that only look like real ones, as far as they are flagged. */
  readonly poisoners: readonly Hex[];
  readonly ask: (question: FlowQuestion) => Promise<readonly Flow[]>;
}

const ALL = 4_294_967_295;

/** Prices of hours that are not stored yet, per base unit. */
const readLate = async (place: SnapshotContext, wallet: Hex, window: FlowWindow) => {
  const { facts, snapshot, chain } = place;
  const context = { facts, network: chain.network, snapshot };
  const { until: stored_until } = await storedSpan(context);
  const pairs =
    anchorsOf(chain.network).size === 0 || window.until <= stored_until
      ? []
      : await facts.ask(snapshot, "flows/late_hours", {
          wallet,
          since: window.from,
          until: window.until,
          late_from: stored_until,
          limit: LIST_MAX + 1,
        });
  const wanted = pairs.slice(0, LIST_MAX);
  const [prices, faces] = await Promise.all([
    pricesAtHours(context, wanted),
    metadataOf(
      place,
      wanted.map(({ token }) => token),
    ),
  ]);
  const priced = wanted.flatMap(({ token, hour }) => {
    const price = prices.get(priceKey(token, hour));
    const { decimals } = metadataIn(faces, token);
    if (price === undefined || decimals === null) return [];
    const traded_as = token === "" ? (chain.network.wrapped_native ?? "") : token;
    return [{ token: traded_as, hour, unit: price.price_usd / 10 ** decimals, is_traded: price.confidence !== "low" }];
  });
  // The coin and its wrapped form are priced as one: where both moved there are two equal rows.
  const unique = [...new Map(priced.map((row) => [priceKey(row.token, row.hour), row])).values()];
  return {
    late: {
      stored_until,
      late_tokens: unique.map(({ token }) => token),
      late_hours: unique.map(({ hour }) => hour),
      late_units: unique.map(({ unit }) => unit),
      late_is_traded: unique.map(({ is_traded }) => (is_traded ? 1 : 0)),
    },
    is_cut: pairs.length > LIST_MAX,
  };
};

/** Movements with a peer that looks like a real one seen shortly before. */
const readPoison = async (place: SnapshotContext, wallet: Hex, { from, until }: FlowWindow) => {
  const { facts, snapshot, chain } = place;
  const rows = await readSightings(place, wallet, { from, until });
  const pairs = new Map(rows.map(({ token, time }) => [priceKey(token, hourOf(time)), { token, hour: hourOf(time) }]));
  const [prices, faces] = await Promise.all([
    pricesAtHours({ facts, network: chain.network, snapshot }, [...pairs.values()]),
    metadataOf(
      place,
      rows.map(({ token }) => token),
    ),
  ]);
  const sightings = rows.map((row) => {
    const price = prices.get(priceKey(row.token, hourOf(row.time)))?.price_usd ?? null;
    const { decimals } = metadataIn(faces, row.token);
    const usd = decimals === null ? null : usdOf(row.amount, decimals, price);
    const order = [row.block_number, row.tx_index, row.position] as const;
    return { ...row, order, is_real: row.sender === wallet || (usd !== null && usd >= REAL_PEER_USD) };
  });
  const poisoned = sightings.filter((row) => row.sender !== wallet && row.time >= from && isLookalike(row, sightings));
  const named = poisoned.slice(0, LIST_MAX);
  return {
    poison: {
      poison_blocks: named.map(({ block_number }) => block_number),
      poison_indexes: named.map(({ tx_index }) => tx_index),
      poison_positions: named.map(({ position }) => position),
    },
    poisoners: [...new Set(named.map(({ peer }) => peer))].sort(),
    is_cut: poisoned.length > LIST_MAX,
  };
};

const FACES = {
  copies: "symbol_copy",
  urls: "url_in_name",
  claims: "claim_wording",
  orders: "instruction_text",
  hidden: "hidden_characters",
} as const satisfies Readonly<Record<string, SpamReason>>;

/** Tokens by the flags that they carry as a whole. */
const readFlagged = async (place: SnapshotContext, wallet: Hex, window: FlowWindow) => {
  const { facts, snapshot, chain } = place;
  const { network } = chain;
  const rows = await facts.ask(snapshot, "flows/moved_tokens", { wallet, since: window.from, until: window.until });
  const tokens = rows.filter(({ token }) => token !== "");
  const strangers = tokens.filter(
    ({ token, is_initiated, is_received, has_price }) =>
      is_received === 1 && is_initiated === 0 && has_price === 0 && !isCanonical(network, token),
  );
  const airdrops = await airdropsAmong(
    place,
    wallet,
    strangers.map(({ token }) => token),
  );
  const reasons = tokens.map((face) => ({
    token: face.token,
    flags: faceReasons(network, { ...face, has_hidden: face.has_hidden === 1 }, null),
  }));
  const worn = (flag: SpamReason) => reasons.filter(({ flags }) => flags.includes(flag)).map(({ token }) => token);
  const lists = {
    airdrops: [...airdrops],
    copies: worn(FACES.copies),
    urls: worn(FACES.urls),
    claims: worn(FACES.claims),
    orders: worn(FACES.orders),
    hidden: worn(FACES.hidden),
  };
  return {
    flagged: {
      airdrops: lists.airdrops.slice(0, LIST_MAX),
      copies: lists.copies.slice(0, LIST_MAX),
      urls: lists.urls.slice(0, LIST_MAX),
      claims: lists.claims.slice(0, LIST_MAX),
      orders: lists.orders.slice(0, LIST_MAX),
      hidden: lists.hidden.slice(0, LIST_MAX),
    },
    is_cut: Object.values(lists).some(({ length }) => length > LIST_MAX),
  };
};

const PRICES_CUT: Warning = {
  code: "PRICES_PARTIAL",
  message: `More than ${LIST_MAX} pairs of token and hour have no stored price yet: the oldest of them count as unpriced.`,
};
const SPAM_CUT: Warning = {
  code: "SPAM_FILTER_PARTIAL",
  message: `More than ${LIST_MAX} things of one kind look like spam: the others are not flagged. Narrow the dates.`,
};

/** Reads what the questions about a wallet's movements in a window have in common. */
export const openFlows = async (place: SnapshotContext, wallet: Hex, window: FlowWindow): Promise<Flows> => {
  const { facts, snapshot, chain } = place;
  const [{ late, ...prices }, { poison, ...sightings }, { flagged, ...tokens }, contracts] = await Promise.all([
    readLate(place, wallet, window),
    readPoison(place, wallet, window),
    readFlagged(place, wallet, window),
    facts.ask(snapshot, "contracts_among", { addresses: [wallet] }),
  ]);
  const sources: FlowSources = {
    wallet,
    wrapped: chain.network.wrapped_native ?? "",
    since: window.from,
    until: window.until,
    ...late,
    ...poison,
    ...flagged,
    is_contract: contracts.length > 0 ? 1 : 0,
  };
  const ask = ({ by, direction = null, token = null, peers = null, ...wanted }: FlowQuestion) =>
    facts.ask(snapshot, "flows/wallet_flows", {
      ...sources,
      by_peer: by === "peer" || by === "peer_and_token" ? 1 : 0,
      by_token: by === "token" || by === "peer_and_token" ? 1 : 0,
      by_direction: by === "direction" ? 1 : 0,
      direction: direction === null ? 0 : direction === "in" ? 1 : -1,
      any_token: token === null ? 1 : 0,
      token: token ?? "",
      peers: peers ?? [],
      categories: wanted.categories ?? [],
      include_spam: wanted.include_spam === true ? 1 : 0,
      with_void: wanted.with_void === true ? 1 : 0,
      min_usd: wanted.min_usd ?? 0,
      sort: wanted.sort ?? "volume",
      limit_by: wanted.limit_by ?? ALL,
      limit: wanted.limit ?? ALL,
      offset: wanted.offset ?? 0,
    });
  return {
    sources,
    poisoners: sightings.poisoners,
    warnings: [...(prices.is_cut ? [PRICES_CUT] : []), ...(sightings.is_cut || tokens.is_cut ? [SPAM_CUT] : [])],
    ask,
  };
};

/** Bits of `spam_reasons` in `flows/wallet_flows`. */
const REASON_BITS: readonly (readonly [number, SpamReason])[] = [
  [1, "zero_value_transfer"],
  [2, "lookalike_peer"],
  [4, "mass_airdrop"],
  [8, "unrequested_outflow"],
  [16, "symbol_copy"],
  [32, "url_in_name"],
  [64, "claim_wording"],
  [128, "instruction_text"],
  [256, "hidden_characters"],
];

/** The reasons of a row of flows, by name. */
export const spamReasonsOf = (bits: number): SpamReason[] =>
  REASON_BITS.filter(([bit]) => (bits & bit) !== 0).map(([, reason]) => reason);
