import type { MovementColumns } from "../src/domain/address/movements/movement_buffer.ts";
import { firstAtLeast, type MovementKind, Movements } from "../src/domain/address/movements/movements.ts";
import type { SpamReason } from "../src/domain/token/metadata/spam.ts";
import type { SaleDepth } from "../src/domain/valuation/worth.ts";
import type { ValuedHistory } from "../src/domain/wallet/history/history.ts";
import { flagMovements } from "../src/domain/wallet/history/movement_flags.ts";
import { type UnitPriceOf, valueMovements } from "../src/domain/wallet/history/movement_values.ts";
import { type Hex, hex } from "../src/lib/bytes.ts";
import { atOnce } from "../src/lib/turns.ts";
import { fixedChain } from "./fixed_chain.ts";
import { addressOf } from "./value_rows.ts";

/** One row of a wallet's ledger. Omitted parts take the plainest value. */
export interface MovementRow {
  readonly block: number;
  readonly tx?: number;
  readonly position?: number;
  readonly time: number;
  readonly direction: 1 | -1;
  readonly kind?: MovementKind;
  readonly token?: Hex;
  readonly token_id?: bigint;
  readonly peer?: Hex;
  readonly amount?: bigint;
  readonly is_own?: boolean;
}

/** Wallet of the ledger. */
export const OWNER = addressOf(0xa11ce);

const texts = <T extends string>(values: readonly T[]) => {
  const distinct = [...new Set(values)];
  return { texts: distinct, codes: Uint32Array.from(values, (value) => distinct.indexOf(value)) };
};

/** Rows, oldest first, in the store's form: newest first, in columns. */
export const columnsOf = (oldest_first: readonly MovementRow[]): MovementColumns => {
  const rows = [...oldest_first].reverse();
  return {
    length: rows.length,
    block_number: rows.map(({ block }) => block),
    tx_index: rows.map(({ tx = 0 }) => tx),
    position: rows.map(({ position = 0 }) => position),
    time: rows.map(({ time }) => time),
    direction: rows.map(({ direction }) => direction),
    kind: texts(rows.map(({ kind = "native" }) => kind)),
    token: texts(rows.map(({ token = "" }) => token)),
    token_id: texts(rows.map(({ token_id = 0n }) => token_id.toString())),
    peer: texts(rows.map(({ peer = addressOf(1) }) => peer)),
    amount: { byteLength: 0, at: (row) => rows[row]?.amount ?? 1n },
    is_own: rows.map(({ is_own = false }) => Number(is_own)),
  };
};

export const movementsOf = (rows: readonly MovementRow[]): Movements =>
  atOnce(Movements.empty().with(0, columnsOf(rows), { from: 0, to: rows.length }));

/** Each row as one text, sorted: rows of one place may come in any order. */
export const rowTexts = (movements: Movements, { first, end }: { readonly first: number; readonly end: number }) =>
  Array.from({ length: end - first }, (_, i) => {
    const row = first + i;
    const scope = [movements.block_number[row], movements.tx_index[row], movements.position[row], movements.time[row]];
    const what = [movements.direction[row], movements.kind[row], movements.is_own[row], movements.amountAt(row)];
    return [...scope, ...what, movements.tokenAt(row), movements.tokenIdAt(row), movements.peerAt(row)].join(" ");
  }).sort();

export const WRAPPED = hex("ee".repeat(20));

export interface HistoryFacts {
  /** USD of a base unit by token; a missing one has no price. `low`: without a deep market. */
  readonly prices?: Readonly<Record<string, number>>;
  /** Start of a token's market, if it has not always existed: unix seconds. */
  readonly starts?: Readonly<Record<string, number>>;
  /** Depth of the pools at a price; a token that is missing here is not limited. */
  readonly sells?: Readonly<Record<string, SaleDepth>>;
  readonly low?: readonly Hex[];
  readonly words?: Readonly<Record<string, readonly SpamReason[]>>;
  readonly receivers?: (row: number) => number;
  readonly is_contract?: boolean;
  /** A peer as it is compared; by default its hex. */
  readonly writtenAs?: (peer: Hex) => string;
  readonly from?: number;
  readonly until?: number;
}

/** The history of these rows, oldest first. Its place has a network and no store. */
export const historyOf = (rows: readonly MovementRow[], known: HistoryFacts = {}): ValuedHistory => {
  const {
    sells = {},
    prices = {},
    starts = {},
    low = [],
    words = {},
    receivers = () => 0,
    is_contract = false,
  } = known;
  const movements = movementsOf(rows);
  const window = { from: known.from ?? 0, until: known.until ?? 4_294_967_295 };
  const end = firstAtLeast(movements.time, window.until);
  const all = { first: 0, end };
  const priceOf: UnitPriceOf = (token) => {
    const price_usd = prices[token];
    const since = starts[token] ?? 0;
    return price_usd === undefined
      ? null
      : { price_usd, sells: sells[token] ?? null, decimals: 0, is_traded: !low.includes(token), since };
  };
  const values = atOnce(valueMovements(movements, all, priceOf));
  const facts = { wallet: OWNER, is_contract, values, receiversOf: receivers };
  const wordsOf = (token: Hex) => words[token] ?? [];
  const { bits: spam, imitations } = atOnce(
    flagMovements(movements, all, { ...facts, wordsOf, writtenAs: known.writtenAs ?? ((peer) => peer) }),
  );
  const chain = fixedChain({ network: { wrapped_native: WRAPPED } });
  const signal = AbortSignal.timeout(60_000);
  // It is not queried.
  const scope = { chain, signal } as unknown as ValuedHistory["scope"];
  const first = firstAtLeast(movements.time, window.from);
  return {
    scope,
    wallet: OWNER,
    window,
    movements,
    first,
    end,
    values,
    priceOf,
    is_whole: true,
    since: null,
    spam,
    imitations,
    tokens: new Map(),
    is_contract,
    warnings: [],
  };
};
