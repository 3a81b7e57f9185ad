import type { Hex } from "../../lib/bytes.ts";
import { usdOf } from "../../lib/money.ts";
import { hourOf } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext, Warning } from "../context.ts";
import type { TokenMetadata } from "../tokens/metadata.ts";
import { faceReasons, LOOKALIKE_WINDOW_S } from "../tokens/spam.ts";
import { flagged } from "./flagged.ts";
import { firstAtLeast, type Movements, type Rows } from "./movements.ts";
import { type Period, type ReadMovements, readMovements } from "./read_movements.ts";
import { readStoredPrices, unitPrices } from "./unit_prices.ts";
import { isPriced, type UnitPriceOf, type Valued, valued } from "./valued.ts";

export interface HistoryWindow {
  /** Unix seconds, the first one inside. */
  readonly from: number;
  /** Unix seconds, the first one outside. */
  readonly until: number;
  /** Of more movements than this only the newest are read; left out: `MOVEMENTS_MAX`. */
  readonly rows_max?: number;
  /** All movements up to the window's end, where the caller has them already. */
  readonly read?: ReadMovements;
}

/** All that moved one wallet in a window, valued and flagged. Every figure of the wallet is made of this. */
export interface History {
  readonly place: SnapshotContext;
  readonly wallet: Hex;
  readonly window: HistoryWindow;
  readonly movements: Movements;
  /** Rows of the window: [first, end). */
  readonly first: number;
  readonly end: number;
  readonly values: Valued;
  /** What the values were made with. */
  readonly priceOf: UnitPriceOf;
  /** Flags of each row as bits (`spamReasonsOf`). */
  readonly spam: Uint16Array;
  /** As far as the tokens are described. */
  readonly tokens: ReadonlyMap<Hex, TokenMetadata>;
  readonly is_contract: boolean;
  /** False: only the newest movements of a wallet with too many. */
  readonly is_whole: boolean;
  readonly warnings: readonly Warning[];
}

const largeWallet = (block: number): Warning => ({
  code: "LARGE_WALLET",
  message: `The wallet moved more than an answer is made of: sums and counts are made from block ${block} on. Narrow the dates.`,
});

/** Votes of the window that are kept as sums; null when there are none. */
const summedVotes = (movements: Movements, { first, end }: Rows): Warning | null => {
  let votes = 0;
  for (let row = first; row < end; row += 1) votes += movements.votesAt(row);
  const message = `${votes} votes of this validator are kept as their number and fees per block: counted among its transactions and fees, listed as one row a block, and no part of patterns.`;
  return votes === 0 ? null : { code: "VOTES_SUMMED", message };
};

const metadataOf = (row: Row<"wallet_history/moved_tokens">): TokenMetadata => ({
  ...row,
  standard: row.standard || null,
  has_hidden: row.has_hidden === 1,
});

const readTokens = async ({ facts, snapshot }: SnapshotContext, wallet: Hex, { since, until }: Period) => {
  const rows = await facts.ask(snapshot, "wallet_history/moved_tokens", { wallet, since, until });
  return new Map(rows.map((row) => [row.token, metadataOf(row)]));
};

const readMass = async ({ facts, snapshot }: SnapshotContext, wallet: Hex, { since, until }: Period) => {
  const columns = await facts.columns(snapshot, "wallet_history/mass_receipts", { wallet, since, until });
  const { block_number, tx_index, token, receivers, length } = columns;
  const found = new Map<string, number>();
  for (let row = 0; row < length; row += 1) {
    const text = token.texts[token.codes[row] ?? 0] ?? "";
    found.set(`${block_number[row]}:${tx_index[row]}:${text}`, receivers[row] ?? 0);
  }
  return (movements: Movements, row: number): number =>
    found.size === 0
      ? 0
      : (found.get(`${movements.block_number[row]}:${movements.tx_index[row]}:${movements.tokenAt(row)}`) ?? 0);
};

/** The history of one wallet on one network in a window, as of the snapshot. */
export const readHistory = async (place: SnapshotContext, wallet: Hex, window: HistoryWindow): Promise<History> => {
  const { facts, snapshot, chain } = place;
  // What was seen shortly before the window tells which peers of it only look like real ones.
  const period = { since: Math.max(0, window.from - LOOKALIKE_WINDOW_S), until: window.until };
  const limit = window.rows_max === undefined ? {} : { rows_max: window.rows_max };
  const [read, tokens, stored, receiversOf, contracts] = await Promise.all([
    window.read ?? readMovements(place, wallet, { ...period, ...limit }),
    readTokens(place, wallet, period),
    readStoredPrices(place, wallet, period),
    readMass(place, wallet, period),
    facts.ask(snapshot, "contracts_among", { addresses: [wallet] }),
  ]);
  const { movements, end } = read;
  const priceOf = await unitPrices(place, { movements, rows: read, stored, tokens });
  const values = valued(movements, read, priceOf);
  const is_contract = contracts.length > 0;
  const spam = flagged(movements, read, {
    wallet,
    is_contract,
    values,
    wordsOf: (token, is_traded) => {
      const metadata = tokens.get(token);
      return metadata === undefined ? [] : faceReasons(chain.network, metadata, is_traded ? "medium" : null);
    },
    receiversOf: (row) => receiversOf(movements, row),
  });
  const first = Math.max(read.first, Math.min(end, firstAtLeast(movements.time, window.from)));
  const votes = summedVotes(movements, { first, end });
  const warnings = [
    ...(read.whole_from_block === null ? [] : [largeWallet(read.whole_from_block)]),
    ...(votes === null ? [] : [votes]),
  ];
  const is_whole = read.whole_from_block === null;
  return {
    place,
    wallet,
    window,
    movements,
    first,
    end,
    values,
    priceOf,
    spam,
    tokens,
    is_contract,
    is_whole,
    warnings,
  };
};

/** USD of one row as near as a double tells it; sums are made of `values`. Null without a price. */
export const rowUsd = ({ movements, values, priceOf }: History, row: number): number | null => {
  if (!isPriced(values, row)) return null;
  const price = priceOf(movements.tokenAt(row), hourOf(movements.time[row] ?? 0));
  return price === null ? null : usdOf(movements.amountAt(row), price.decimals, price.price_usd);
};

/** The transactions of these rows by hash; '' where a block paid without one. */
export const hashesOf = async (
  { place: { facts, snapshot }, wallet, movements }: Pick<History, "place" | "wallet" | "movements">,
  rows: readonly number[],
): Promise<(row: number) => Hex> => {
  const placeOf = (row: number): string => `${movements.block_number[row]}:${movements.tx_index[row]}`;
  const places = [...new Map(rows.map((row) => [placeOf(row), row])).values()];
  const found =
    places.length === 0
      ? []
      : await facts.ask(snapshot, "wallet_history/hashes", {
          wallet,
          blocks: places.map((row) => movements.block_number[row] ?? 0),
          indexes: places.map((row) => movements.tx_index[row] ?? 0),
        });
  const hashes = new Map(found.map(({ block_number, tx_index, tx_hash }) => [`${block_number}:${tx_index}`, tx_hash]));
  return (row) => hashes.get(placeOf(row)) ?? "";
};

/** How many rows of the window carry a flag (a bit of `spam`). */
export const flaggedRows = ({ spam, first, end }: History, bit: number): number =>
  spam.subarray(first, end).reduce((count, bits) => count + Number((bits & bit) !== 0), 0);
