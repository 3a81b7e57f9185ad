import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import { inTurns } from "../../../lib/turns.ts";
import type { QueryRow, Snapshot } from "../../../store/facts.ts";
import { firstAtLeast, type MovementRange, type Movements } from "../../address/movements/movements.ts";
import { type MovementPeriod, type ReadMovements, readMovements } from "../../address/movements/read_movements.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { comparedOn, type Imitation, POISON_WINDOW_S } from "../../poisoning.ts";
import { standardIn, storedFaces, type TokenMetadata } from "../../token/metadata/metadata.ts";
import { registryOf } from "../../token/metadata/registry.ts";
import { faceReasons } from "../../token/metadata/spam.ts";
import { type TransactionPosition, transactionHashes } from "../../transaction_hashes.ts";
import { usdOf } from "../../valuation/worth.ts";
import { readMassReceipts } from "./mass_receipts.ts";
import { flagMovements } from "./movement_flags.ts";
import type { MovementSelection } from "./movement_selection.ts";
import { isPriced, type MovementValues, type UnitPriceOf, valueMovements } from "./movement_values.ts";
import { readHourPrices, unitPrices } from "./unit_prices.ts";

export interface HistoryWindow {
  /** Unix seconds, inclusive. */
  readonly from: number;
  /** Unix seconds, exclusive. */
  readonly until: number;
  /** Limit of movements to read, the newest ones; `MOVEMENTS_MAX` by default. */
  readonly rows_max?: number;
  /** All movements up to the window's end, when the caller has already read them. */
  readonly read?: ReadMovements;
}

/** All movements of one wallet in a window, valued and flagged. Every figure of the wallet derives from it. */
export interface ValuedHistory {
  readonly scope: SnapshotContext;
  readonly wallet: Hex;
  readonly window: HistoryWindow;
  readonly movements: Movements;
  /** Rows of the window: [first, end). */
  readonly first: number;
  readonly end: number;
  readonly values: MovementValues;
  /** The prices behind `values`. */
  readonly priceOf: UnitPriceOf;
  /** Flags of each row as bits (`spamReasonsOf`). */
  readonly spam: Uint16Array;
  /** Peers that imitate a real counterparty. */
  readonly imitations: ReadonlyMap<Hex, Imitation>;
  /** Metadata of the tokens that the index describes. */
  readonly tokens: ReadonlyMap<Hex, TokenMetadata>;
  readonly is_contract: boolean;
  /** False when only the newest movements of a too large wallet were read. */
  readonly is_whole: boolean;
  /** As in `ReadMovements`. */
  readonly since: number | null;
  readonly warnings: readonly Warning[];
}

/** Warning about a wallet with too many movements: the extent of the sums, and the number of movements left out. */
const largeWallet = async (
  { facts, snapshot }: SnapshotContext,
  { wallet, rows, from_block }: MovementSelection,
  { since, until }: MovementPeriod,
): Promise<Warning> => {
  const [row] = await facts.ask(snapshot, "history/movement_count", { wallet, since, until });
  const summed = rows.end - rows.first;
  const message = `The wallet has too many movements for one answer: sums and counts cover its newest ${summed} movements, from block ${from_block} on, and not of the ${(row?.movements ?? summed) - summed} before. Narrow the dates.`;
  return { code: "LARGE_WALLET", message };
};

/** Warning about the window's votes that are stored as sums; null without any. */
const summedVotes = (movements: Movements, { first, end }: MovementRange): Warning | null => {
  let votes = 0;
  for (let row = first; row < end; row += 1) votes += movements.votesAt(row);
  const message = `${votes} votes of this validator are stored as a number and fees per block: they count as transactions and fees, are listed as one row per block, and are left out of patterns.`;
  return votes === 0 ? null : { code: "VOTES_SUMMED", message };
};

const metadataOf = ({
  token,
  standard,
  name,
  symbol,
  decimals,
  has_hidden,
}: QueryRow<"tokens_among">): TokenMetadata => ({
  token,
  name,
  symbol,
  decimals,
  standard: standardIn(standard),
  has_hidden: has_hidden === 1,
});

/** Metadata from the index of the tokens that moved in these rows. */
const readTokens = async (scope: SnapshotContext, movements: Movements, rows: MovementRange) => {
  const tokens = [...new Set(movements.token.subarray(rows.first, rows.end))]
    .map((code) => movements.tokens.textOf(code))
    .filter((token) => token !== "")
    .sort();
  const known = await storedFaces(scope, tokens);
  return new Map(known.map((row) => [row.token, metadataOf(row)]));
};

/**
 * Query of the rows. For a wallet with too many movements it starts at the first row read, because millions may precede
 * it.
 */
const selectionOf = (
  snapshot: Snapshot,
  wallet: Hex,
  [period, read]: readonly [MovementPeriod, ReadMovements],
): MovementSelection => {
  const { movements, first, whole_from_block } = read;
  const moved = { wallet, movements, rows: read };
  if (whole_from_block === null) return { ...moved, period, from_block: snapshot.from_block };
  return {
    ...moved,
    period: { ...period, since: movements.time[first] ?? period.since },
    from_block: whole_from_block,
  };
};

/** The history of one wallet on one network in a window, as of the snapshot. */
export const readHistory = async (
  scope: SnapshotContext,
  wallet: Hex,
  window: HistoryWindow,
): Promise<ValuedHistory> => {
  const { facts, snapshot } = scope;
  // The time shortly before the window establishes which peers in it are look-alikes.
  const period = { since: Math.max(0, window.from - POISON_WINDOW_S), until: window.until };
  const limit = window.rows_max === undefined ? {} : { rows_max: window.rows_max };
  const read = window.read ?? (await readMovements(scope, wallet, { ...period, ...limit }));
  const { movements, end } = read;
  const moved = selectionOf(snapshot, wallet, [period, read]);
  const [tokens, prices, receiversOf, contracts, registry] = await Promise.all([
    readTokens(scope, movements, read),
    readHourPrices(scope, moved),
    readMassReceipts(scope, moved),
    facts.ask(snapshot, "contracts_among", { addresses: [wallet] }),
    registryOf(scope),
  ]);
  const priceOf = await unitPrices(scope, { movements, prices, tokens });
  const values = await inTurns(valueMovements(movements, read, priceOf), scope.signal);
  const is_contract = contracts.length > 0;
  const wordsOf = (token: Hex, is_traded: boolean) => {
    const metadata = tokens.get(token);
    return metadata === undefined ? [] : faceReasons(registry, metadata, is_traded ? "medium" : null);
  };
  const { textOf: writtenAs } = comparedOn(scope.chain, wallet);
  const { bits: spam, imitations } = await inTurns(
    flagMovements(movements, read, { wallet, is_contract, values, wordsOf, writtenAs, receiversOf }),
    scope.signal,
  );
  const first = Math.max(read.first, Math.min(end, firstAtLeast(movements.time, window.from)));
  const votes = summedVotes(movements, { first, end });
  const warnings = [
    ...(read.whole_from_block === null ? [] : [await largeWallet(scope, moved, period)]),
    ...(votes === null ? [] : [votes]),
  ];
  const is_whole = read.whole_from_block === null;
  return {
    scope,
    wallet,
    window,
    movements,
    first,
    end,
    values,
    priceOf,
    spam,
    imitations,
    tokens,
    is_contract,
    is_whole,
    since: read.since,
    warnings,
  };
};

/** USD of one row, with the precision of a double where pools take it at its price. Null without a price. */
export const rowUsd = ({ movements, values, priceOf }: ValuedHistory, row: number): number | null => {
  if (!isPriced(values, row)) return null;
  if (values.is_limited[row] === 1) return (values.nano_usd[row] ?? 0) / 1e9;
  const price = priceOf(movements.tokenAt(row), hourOf(movements.time[row] ?? 0));
  return price === null ? null : usdOf(movements.amountAt(row), price.decimals, price);
};

/** Transaction hashes of these rows; '' when a block paid without a transaction. */
export const hashesOf = async (
  { scope, movements }: Pick<ValuedHistory, "scope" | "movements">,
  rows: readonly number[],
): Promise<(row: number) => Hex> => {
  const placeOf = (row: number): TransactionPosition => ({
    block_number: movements.block_number[row] ?? 0,
    tx_index: movements.tx_index[row] ?? 0,
  });
  const hashOf = await transactionHashes(scope, rows.map(placeOf));
  return (row) => hashOf(placeOf(row));
};

/** Number of rows of the window with a flag (a bit of `spam`). */
export const flaggedRows = ({ spam, first, end }: ValuedHistory, bit: number): number =>
  spam.subarray(first, end).reduce((count, bits) => count + Number((bits & bit) !== 0), 0);
