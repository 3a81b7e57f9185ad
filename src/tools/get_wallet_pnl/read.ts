import { type Opening, PNL_CLAIM_SELECTORS, type WalletTransaction } from "../../analysis/pnl.ts";
import type { PeerKind, Quote } from "../../analysis/pnl_book.ts";
import { PRICE_RANK } from "../../analysis/pnl_trade.ts";
import { type Price, priceKey, pricesAtHours } from "../../analysis/price_now.ts";
import { faceReasons, MASS_RECEIVERS } from "../../analysis/spam.ts";
import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { hourOf } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import type { Warning } from "../metadata.ts";
import { labelsOf } from "../parties.ts";
import { faceIn, type Place, type TokenFace } from "../token_faces.ts";

/** Code of this many peers is read from a node where the index did not see them being created. */
const CODE_READS_MAX = 100;
/** Addresses of one question. */
const ADDRESSES_MAX = 1_000;

type MoveRow = Row<"get_wallet_pnl/moves">;

export interface History {
  readonly rows: readonly MoveRow[];
  /** The rows as transactions, made one at a time: of 100,000 of them none is kept. */
  readonly transactions: () => Iterable<WalletTransaction>;
  readonly openings: readonly Opening[];
  /** Everything that the wallet ever held or moved. */
  readonly buckets: ReadonlySet<Hex>;
  /** Buckets that the wallet moved in a transaction of its own. */
  readonly initiated: ReadonlySet<Hex>;
  /** Buckets of which something came in. */
  readonly received: ReadonlySet<Hex>;
}

const bucketOf = ({ chain }: Place, token: Hex): Hex => (token === chain.network.wrapped_native ? "" : token);

const placeKey = (row: { readonly block_number: number; readonly tx_index: number }): string =>
  `${row.block_number}:${row.tx_index}`;

const isOut = (amount: string | undefined): boolean => amount?.startsWith("-") ?? false;

function* transactionsOf(rows: readonly MoveRow[], claims: ReadonlySet<string>): Generator<WalletTransaction> {
  for (const row of rows) {
    yield {
      time: row.time,
      fee: BigInt(row.fee_raw),
      is_claim: claims.size > 0 && claims.has(placeKey(row)),
      moves: row.buckets.map((bucket, i) => ({
        bucket,
        peer: row.peers[i] ?? "",
        delta: BigInt(row.amounts[i] ?? "0"),
      })),
    };
  }
}

/** Everything that moved the wallet's balances before `until` (unix seconds, the first one outside). */
export const readHistory = async (place: Place, wallet: Hex, until: number): Promise<History> => {
  const { facts, snapshot, chain } = place;
  const wrapped = chain.network.wrapped_native ?? "";
  const [rows, claims, openings] = await Promise.all([
    facts.ask(snapshot, "get_wallet_pnl/moves", { wallet, wrapped, until }),
    facts.ask(snapshot, "get_wallet_pnl/claims", { wallet, selectors: PNL_CLAIM_SELECTORS }),
    facts.ask(snapshot, "get_wallet_pnl/openings", { wallet }),
  ]);
  const claimed = new Set(claims.map(placeKey));
  const buckets = new Set<Hex>(openings.map(({ token }) => bucketOf(place, token)));
  const initiated = new Set<Hex>();
  const received = new Set<Hex>();
  for (const { is_own, buckets: moved, amounts } of rows) {
    for (const [i, bucket] of moved.entries()) {
      buckets.add(bucket);
      if (is_own === 1) initiated.add(bucket);
      if (!isOut(amounts[i])) received.add(bucket);
    }
  }
  return {
    rows,
    transactions: () => transactionsOf(rows, claimed),
    openings: openings.map(({ token, amount, time }) => ({
      bucket: bucketOf(place, token),
      amount,
      time: time ?? snapshot.block.time,
    })),
    buckets,
    initiated,
    received,
  };
};

const chunked = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

const indexedContracts = async ({ facts, snapshot }: Place, addresses: readonly Hex[]): Promise<Set<Hex>> => {
  const answers = await Promise.all(
    chunked(addresses, ADDRESSES_MAX).map((part) => facts.ask(snapshot, "contracts_among", { addresses: part })),
  );
  return new Set(answers.flat().map(({ address }) => address));
};

export interface Peers {
  readonly kindOf: (address: Hex) => PeerKind;
  readonly is_wallet_contract: boolean;
  readonly warnings: readonly Warning[];
}

/** Kinds by label; a label of any other kind makes an address a plain counterparty. */
const KIND_OF_TAG: Readonly<Record<string, PeerKind>> = { exchange: "exchange", distributor: "distributor" };

/** Peers of a history, and those of them that received something. */
const peersOf = ({ rows }: History): { readonly all: Set<Hex>; readonly paid: Set<Hex> } => {
  const all = new Set<Hex>();
  const paid = new Set<Hex>();
  for (const { peers, amounts } of rows) {
    for (const [i, peer] of peers.entries()) {
      if (peer === "") continue;
      all.add(peer);
      if (isOut(amounts[i])) paid.add(peer);
    }
  }
  return { all, paid };
};

/** Those of the first `CODE_READS_MAX` addresses that have code; null when no node answers. */
const liveContracts = async ({ chain, snapshot, signal }: Place, addresses: readonly Hex[]): Promise<Hex[] | null> => {
  const asked = addresses.slice(0, CODE_READS_MAX);
  // Without old states the newest block has to do: code hardly ever changes.
  const at = chain.can.archive ? snapshot.block.number : undefined;
  try {
    const states = await Promise.all(asked.map((address) => chain.account(address, signal, at)));
    return asked.filter((_, i) => (states[i]?.code.length ?? 0) > 0);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

const unknownPeers = (count: number): readonly Warning[] =>
  count === 0
    ? []
    : [
        {
          code: "PEER_KIND_UNKNOWN",
          message: `${count} counterparties that the index did not see being created were taken for plain accounts; what was sent to a contract among them left with its cost.`,
        },
      ];

/**
 * Who the wallet dealt with. Contracts are those that the index saw being created and, for what is older than the index,
 * those that have code; only what the wallet paid, and the wallet itself, need to be told apart.
 */
export const readPeers = async (place: Place, wallet: Hex, history: History): Promise<Peers> => {
  const { facts, snapshot } = place;
  const { all, paid } = peersOf(history);
  const payees = [wallet, ...[...paid].filter((peer) => peer !== wallet).sort()];
  const [labelled, indexed] = await Promise.all([
    Promise.all(chunked([...all].sort(), ADDRESSES_MAX).map((part) => labelsOf(facts, snapshot, part))),
    indexedContracts(place, payees),
  ]);
  const kinds = new Map<Hex, PeerKind>();
  for (const [address, { tags }] of labelled.flatMap((part) => [...part])) {
    kinds.set(address, (tags ?? []).map((tag) => KIND_OF_TAG[tag]).find((kind) => kind !== undefined) ?? "other");
  }
  const unknown = payees.filter((address) => !kinds.has(address) && !indexed.has(address));
  const live = await liveContracts(place, unknown);
  const contracts = new Set([...indexed, ...(live ?? [])]);
  return {
    kindOf: (address) => kinds.get(address) ?? (contracts.has(address) ? "contract" : "other"),
    is_wallet_contract: contracts.has(wallet),
    warnings: unknownPeers(live === null ? unknown.length : Math.max(0, unknown.length - CODE_READS_MAX)),
  };
};

export interface Prices {
  readonly quote: (bucket: Hex, time: number) => Quote | null;
  readonly priceAt: (bucket: Hex, time: number) => Price | null;
}

/**
 * The bucket that alone sets the value of a plain trade: a dollar coin ranks above everything. Null when both sides
 * have to be looked at.
 */
const valuedBy = ({ buckets, amounts }: MoveRow, anchors: ReadonlySet<Hex>): Hex | null => {
  const [a, b] = buckets;
  if (buckets.length !== 2 || a === undefined || b === undefined || isOut(amounts[0]) === isOut(amounts[1]))
    return null;
  if (anchors.has(a) === anchors.has(b)) return null;
  return anchors.has(a) ? a : b;
};

/** Prices of every hour in which a bucket moved or a fee was paid, and of all buckets at the window's end. */
export const readPrices = async (place: Place, history: History, end: number): Promise<Prices> => {
  const { facts, snapshot, chain } = place;
  const { network } = chain;
  const anchors = new Set(network.stablecoins.filter(({ peg }) => peg === "USD").map(({ address }) => address));
  const hours = new Map<Hex, Set<number>>();
  const want = (bucket: Hex, time: number): void => {
    const known = hours.get(bucket);
    if (known === undefined) hours.set(bucket, new Set([hourOf(time), hourOf(end)]));
    else known.add(hourOf(time));
  };
  want("", end);
  for (const bucket of history.buckets) want(bucket, end);
  for (const { bucket, time } of history.openings) want(bucket, time);
  for (const row of history.rows) {
    if (row.fee_raw !== "0") want("", row.time);
    const valued = valuedBy(row, anchors);
    if (valued !== null) want(valued, row.time);
    else for (const bucket of row.buckets) want(bucket, row.time);
  }
  const wanted = [...hours].flatMap(([token, set]) => [...set].map((hour) => ({ token, hour })));
  const found = await pricesAtHours({ facts, network, snapshot }, wanted);
  const rankOf = (bucket: Hex, price: Price): number => {
    if (anchors.has(bucket)) return PRICE_RANK.stablecoin;
    return bucket === "" ? PRICE_RANK.native : PRICE_RANK[price.confidence];
  };
  const quotes = new Map<Hex, Map<number, Quote>>();
  for (const { token, hour } of wanted) {
    const price = found.get(priceKey(token, hour));
    if (price === undefined) continue;
    const ofToken = quotes.get(token) ?? new Map<number, Quote>();
    ofToken.set(hour, { usd: price.price_usd, rank: rankOf(token, price) });
    quotes.set(token, ofToken);
  }
  return {
    quote: (bucket, time) => quotes.get(bucket)?.get(hourOf(time)) ?? null,
    priceAt: (bucket, time) => found.get(priceKey(bucket, hourOf(time))) ?? null,
  };
};

export interface SpamContext {
  readonly place: Place;
  readonly wallet: Hex;
  readonly history: History;
  readonly faces: ReadonlyMap<Hex, TokenFace>;
  readonly priceOf: (bucket: Hex) => Price | null;
  readonly is_wallet_contract: boolean;
}

/** Why tokens that the wallet never moved itself look like spam, by bucket. */
export const readSpam = async (context: SpamContext, buckets: readonly Hex[]): Promise<ReadonlyMap<Hex, string[]>> => {
  const { place, wallet, history, faces, priceOf } = context;
  const suspects = buckets.filter((bucket) => bucket !== "" && !history.initiated.has(bucket));
  const unpriced = suspects.filter((bucket) => priceOf(bucket) === null);
  const drops = await Promise.all(
    chunked(unpriced, ADDRESSES_MAX).map((tokens) =>
      place.facts.ask(place.snapshot, "get_wallet_token_holdings/airdrops", { wallet, tokens }),
    ),
  );
  const mass = new Set(drops.flat().flatMap(({ token, receivers }) => (receivers > MASS_RECEIVERS ? [token] : [])));
  const reasons = new Map<Hex, string[]>();
  for (const bucket of suspects) {
    const confidence = priceOf(bucket)?.confidence ?? null;
    const found: string[] = [...faceReasons(place.chain.network, faceIn(faces, bucket), confidence)];
    if (mass.has(bucket)) found.push("mass_airdrop");
    const is_taken = !history.received.has(bucket) && confidence === null && !context.is_wallet_contract;
    if (is_taken) found.push("unrequested_outflow");
    if (found.length > 0) reasons.set(bucket, found);
  }
  return reasons;
};
