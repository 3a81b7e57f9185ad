import { toHex } from "../lib/bytes.ts";
import type { EncodedTable } from "../store/final_writer.ts";
import { isPairPool } from "./enrich_pairs.ts";
import { type BlockRows, emptyRows, type TransfersRow } from "./rows.ts";

/** Tables of a block's rows in the order of writing, `blocks` last: a block with a row there has all its facts. */
export const RECORD_TABLES = [
  "transactions",
  "transfers",
  "mass_transfers",
  "swaps",
  "pool_states",
  "liquidity_events",
  "pools",
  "approvals",
  "ownership_events",
  "freeze_events",
  "position_events",
  "contracts",
  "blocks",
] as const satisfies readonly (keyof BlockRows)[];

export type BlockTable = (typeof RECORD_TABLES)[number];

/**
 * The rows of a run of blocks in the store's format. A row is 15 objects and a kilobyte in memory and 200 bytes here:
 * rows are encoded as soon as they are decoded, and dropped.
 */
export interface EncodedRows {
  /** RowBinary, in pieces, and the number of rows; a table without rows has none. */
  readonly tables: ReadonlyMap<BlockTable, EncodedTable>;
  /** Rows of all tables together. */
  readonly count: number;
}

export const joinEncoded = (parts: readonly EncodedRows[]): EncodedRows => {
  const tables = new Map<BlockTable, { pieces: Buffer[]; rows: number }>();
  for (const part of parts) {
    for (const [table, { pieces, rows }] of part.tables) {
      const joined = tables.get(table) ?? { pieces: [], rows: 0 };
      joined.pieces.push(...pieces);
      joined.rows += rows;
      tables.set(table, joined);
    }
  }
  return { tables, count: parts.reduce((sum, { count }) => sum + count, 0) };
};

/**
 * The rows that `Enrich` needs, each kind of news once: pools, the newest state of every pool, a swap of every pair of
 * a pool with several tokens, a transfer of every token and, if openings are read, of every token and holder.
 */
export const newsOf = (rows: BlockRows, openings: "read" | "skip"): BlockRows => {
  const states = new Map(rows.pool_states.map((row) => [toHex(row.pool), row]));
  const pairs = new Map(rows.swaps.flatMap((row) => (isPairPool(row.pool) ? [[toHex(row.pool), row]] : [])));
  const news = openings === "read" ? pairNews() : tokenNews();
  return {
    ...emptyRows(),
    pools: rows.pools,
    pools_told: [...new Map(rows.pools_told.map((row) => [toHex(row.pool), row])).values()],
    pool_states: [...states.values()],
    swaps: [...pairs.values()],
    liquidity_events: [...new Map(rows.liquidity_events.map((row) => [toHex(row.pool), row])).values()],
    transfers: rows.transfers.filter(news),
    ownership_events: rows.ownership_events,
  };
};

const tokenNews = () => {
  const seen = new Set<string>();
  return ({ token }: TransfersRow): boolean => {
    if (token.length === 0) return false;
    const before = seen.size;
    return seen.add(toHex(token)).size > before;
  };
};

const pairNews = () => {
  const isNewToken = tokenNews();
  const seen = new Set<string>();
  return (row: TransfersRow): boolean => {
    const is_new_token = isNewToken(row);
    // Ids of ERC-1155 tokens have no openings.
    if (row.kind === "erc1155") return is_new_token;
    const before = seen.size;
    const token = toHex(row.token);
    seen.add(`${token}:${toHex(row.source)}`).add(`${token}:${toHex(row.destination)}`);
    return is_new_token || seen.size > before;
  };
};
