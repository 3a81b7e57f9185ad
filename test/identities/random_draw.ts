/** State of a random chain: its family's formats, its tokens, its wallets and the rows so far. */
import type { Chain, Family, Network } from "../../src/chains/chain.ts";
import * as solana from "../../src/chains/solana/address.ts";
import * as tron from "../../src/chains/tron/address.ts";
import { type Hex, hex } from "../../src/lib/bytes.ts";
import { HOUR_S } from "../../src/lib/time.ts";
import type { TableRows } from "../../src/store/tables.gen.ts";
import type { ActDice } from "../fixtures/random_acts.ts";
import { WalletLedgers } from "./random_ledgers.ts";

type DrawnTransferRow = TableRows["transfers"];
export type DrawnKind = DrawnTransferRow["kind"];

/** Formats of a family. */
export interface FamilyForm {
  readonly family: Family;
  readonly address_bytes: number;
  readonly hash_bytes: number;
  readonly native: Network["native"];
  readonly token_kind: DrawnKind;
  /** Coins that a block issues. */
  readonly issue_kind: DrawnKind;
  readonly has_rent: boolean;
  readonly has_collectibles: boolean;
  readonly text: Pick<Chain, "parseAddress" | "formatAddress" | "parseHash" | "formatHash"> | null;
}

export const FORMS: Readonly<Record<Family, FamilyForm>> = {
  evm: {
    ...{ family: "evm", address_bytes: 20, hash_bytes: 32, native: { symbol: "ETH", decimals: 18 } },
    ...{ token_kind: "erc20", issue_kind: "withdrawal", has_rent: false, has_collectibles: true, text: null },
  },
  solana: {
    ...{ family: "solana", address_bytes: 32, hash_bytes: 64, native: { symbol: "SOL", decimals: 9 } },
    ...{ token_kind: "spl", issue_kind: "reward", has_rent: true, has_collectibles: false },
    text: {
      ...{ parseAddress: solana.parseAddress, formatAddress: solana.formatBase58 },
      ...{ parseHash: solana.parseHash, formatHash: solana.formatBase58 },
    },
  },
  tron: {
    ...{ family: "tron", address_bytes: 20, hash_bytes: 32, native: { symbol: "TRX", decimals: 6 } },
    ...{ token_kind: "trc20", issue_kind: "reward", has_rent: false, has_collectibles: false, text: tron },
  },
};

/** A token of the chain. */
export interface Coin {
  readonly token: Hex;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Amounts are multiples of it, so that each is worth whole nanodollars. */
  readonly grain: bigint;
  /** Nanodollars of a grain in an hour; null without a price. */
  readonly nanoAt: (time: number) => bigint | null;
}

const NANO_DIGITS = 9;

const coinOf = (
  named: Pick<Coin, "token" | "symbol" | "name" | "decimals">,
  usdAt: ((time: number) => bigint) | null,
): Coin => {
  const fine = BigInt(10) ** BigInt(Math.max(0, named.decimals - NANO_DIGITS));
  const whole = BigInt(10) ** BigInt(Math.max(0, NANO_DIGITS - named.decimals));
  return { ...named, grain: fine, nanoAt: (time) => (usdAt === null ? null : usdAt(time) * whole) };
};

export const T0 = Date.UTC(2026, 0, 1) / 1000;
/** Blocks are in different hours and days. */
export const BLOCK_S = 7_000;
export const timeOf = (block: number): number => T0 + block * BLOCK_S;
const hourNumber = (time: number): bigint => BigInt(Math.floor(time / HOUR_S));
export const NO_TRANSACTION = 4_294_967_295;

interface Tokens {
  readonly coin: Coin;
  readonly wrapped: Coin;
  readonly dollar: Coin;
  /** Traded in the pool against dollars. */
  readonly alpha: Coin;
  /** Without a price. */
  readonly dull: Coin;
  /** Sent around by a phisher who wants a click. */
  readonly gift: Coin;
  readonly art: Coin;
}

/** A chain during the drawing. */
export interface ChainDraw {
  readonly id: string;
  readonly form: FamilyForm;
  readonly dice: ActDice;
  readonly tokens: Tokens;
  readonly wallets: readonly Hex[];
  readonly strangers: readonly Hex[];
  readonly producer: Hex;
  readonly pool: Hex;
  readonly books: WalletLedgers;
  readonly rows: {
    readonly transfers: DrawnTransferRow[];
    readonly transactions: TableRows["transactions"][];
    readonly swaps: TableRows["swaps"][];
    readonly states: TableRows["pool_states"][];
  };
  fresh(): Hex;
}

const tokensOf = (fresh: () => Hex, native: FamilyForm["native"]): Tokens => {
  const coinAt = (time: number): bigint => 2n + (hourNumber(time) % 3n);
  const token = (symbol: string, decimals: number, name = symbol) => ({ token: fresh(), symbol, name, decimals });
  return {
    coin: coinOf({ token: "", name: native.symbol, ...native }, coinAt),
    wrapped: coinOf({ ...token(`W${native.symbol}`, native.decimals), token: fresh() }, coinAt),
    dollar: coinOf(token("USDC", 6), () => 1n),
    alpha: coinOf(token("ALPHA", 8), (time) => 1n + (hourNumber(time) % 2n)),
    dull: coinOf(token("DULL", 9), null),
    gift: coinOf(token("GIFT", 6, "claim at gift.xyz"), null),
    art: coinOf(token("ART", 0), null),
  };
};

export const openDraw = (id: string, form: FamilyForm, dice: ActDice): ChainDraw => {
  const fresh = (): Hex =>
    hex(Array.from({ length: form.address_bytes }, () => dice.roll(256).toString(16).padStart(2, "0")).join(""));
  const many = (length: number): Hex[] => Array.from({ length }, fresh);
  const tokens = tokensOf(fresh, form.native);
  return {
    ...{ id, form, dice, tokens, fresh, wallets: many(4), strangers: many(4), producer: fresh(), pool: fresh() },
    books: new WalletLedgers(),
    rows: { transfers: [], transactions: [], swaps: [], states: [] },
  };
};
