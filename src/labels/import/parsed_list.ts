import type { Hex } from "../../lib/bytes.ts";
import { FILE_BOUNDS, JsonFault, readJson } from "../../lib/json_bounds.ts";
import { cleanText, TEXT_BYTES_MAX } from "../../lib/text.ts";
import type { ListedLabel } from "../source.ts";
import { lineOf } from "./row_lines.ts";

/** One entry of a sanctions list. Days are `YYYY-MM-DD`, '' = unknown. */
export interface SanctionsEntry {
  /** `evm`, `tron`, `solana`, or the asset code in lower case for addresses that this project does not parse. */
  readonly family: string;
  readonly address: Hex;
  readonly asset_code: string;
  readonly entity: string;
  readonly program: string;
  readonly listed_on: string;
  readonly delisted_on: string;
}

/** One token of a token list. */
export interface ListedToken {
  readonly network: string;
  readonly token: Hex;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly logo_uri: string;
}

/** One domain of a list of phishing domains. */
export interface ListedDomain {
  readonly domain: string;
  /** 1: an exception below a listed domain. */
  readonly is_allowed: 0 | 1;
}

/** A reason for rejected rows, with their number and the first ones as in the file. */
export interface ImportRefusal {
  readonly reason: string;
  readonly count: number;
  readonly examples: readonly string[];
  /** Where the first ones are: lines of a file of lines or CSV, else numbers of entries, from 1. */
  readonly places: readonly number[];
}

interface ParsedAs<K extends string, T> {
  readonly kind: K;
  readonly entries: readonly T[];
  readonly refused: readonly ImportRefusal[];
  /** Rows that repeat an earlier one. */
  readonly duplicates: number;
  /** Version and date from the file itself; '' = none. */
  readonly version: string;
  readonly published_on: string;
}

/** Contents of a file. */
export type ParsedList =
  | ParsedAs<"labels", ListedLabel>
  | ParsedAs<"sanctions", SanctionsEntry>
  | ParsedAs<"tokens", ListedToken>
  | ParsedAs<"domains", ListedDomain>;

/** A parser's context besides the file. */
export interface ImportScope {
  /** Bytes of an address of a family (`evm`, `tron`, `solana`); null when the text is not one. */
  readonly parseAddress: (family: string, text: string) => Hex | null;
  /** Known networks: id -> family and chain id. */
  readonly networks: ReadonlyMap<string, { readonly family: string; readonly chain_id: number }>;
  /** Networks of rows that name none; `evm`: every EVM network. */
  readonly default_networks: readonly string[];
}

/** The file as a whole is rejected. The message is for the operator. */
export class ListFault extends Error {}

const ENTRIES_MAX = 2_000_000;
const EXAMPLES_MAX = 3;
const EXAMPLE_BYTES_MAX = 120;
const PLACES_MAX = 20;

/** Collects entries by key and rejected rows by reason. */
export class Collector<T extends object> {
  readonly #entries = new Map<string, T>();
  readonly #refused = new Map<string, { count: number; examples: string[]; places: number[] }>();
  readonly #keyOf: (entry: T) => string;
  #duplicates = 0;
  #rows = 0;

  constructor(keyOf: (entry: T) => string) {
    this.#keyOf = keyOf;
  }

  #add(entry: T): void {
    const key = this.#keyOf(entry);
    if (this.#entries.has(key)) this.#duplicates += 1;
    else this.#entries.set(key, entry);
    if (this.#entries.size > ENTRIES_MAX) throw new ListFault(`the file has more than ${ENTRIES_MAX} entries`);
  }

  /**
   * @param said an entry, or the reason why there is none.
   * @param row as in the file.
   * @param line of the row; left out: noted for the row, or its number.
   */
  take(said: T | string, row: unknown, line?: number): void {
    this.takeAll(typeof said === "string" ? said : [said], row, line);
  }

  /** As `take`, for a row with several entries. */
  takeAll(said: readonly T[] | string, row: unknown, line?: number): void {
    this.#rows += 1;
    if (typeof said !== "string") for (const entry of said) this.#add(entry);
    else this.#refuse(said, typeof row === "string" ? row : (JSON.stringify(row) ?? ""), line ?? lineOf(row));
  }

  #refuse(reason: string, row: string, line: number | null): void {
    const seen = this.#refused.get(reason) ?? { count: 0, examples: [], places: [] };
    seen.count += 1;
    if (seen.places.length < PLACES_MAX) seen.places.push(line ?? this.#rows);
    if (seen.examples.length < EXAMPLES_MAX) seen.examples.push(cleanText(row, EXAMPLE_BYTES_MAX));
    this.#refused.set(reason, seen);
  }

  get found() {
    return {
      entries: [...this.#entries.values()],
      duplicates: this.#duplicates,
      refused: [...this.#refused].map(([reason, seen]) => ({ reason, ...seen })),
    };
  }
}

/** Text of a list, safe to store and show; '' for any other value. */
export const cleanListText = (value: unknown, bytes_max: number = TEXT_BYTES_MAX.name): string =>
  typeof value === "string" || typeof value === "number" ? cleanText(String(value), bytes_max) : "";

/** A day as `YYYY-MM-DD`, from text that begins with one or from a date; '' without one. */
export const dayOf = (value: unknown): string => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString().slice(0, 10);
  const day = typeof value === "string" ? (/^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] ?? "") : "";
  return day !== "" && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? day : "";
};

/**
 * JSON of a file.
 * @throws ListFault when it is invalid, or beyond the limits of nesting or size.
 */
export const readListJson = (text: string): unknown => {
  try {
    return readJson(text, FILE_BOUNDS);
  } catch (error) {
    throw error instanceof JsonFault ? new ListFault(error.message.replace(/^it /, "the file ")) : error;
  }
};
