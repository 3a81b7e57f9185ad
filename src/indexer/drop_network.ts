import type { Engine } from "../store/engine.ts";
import { rangesOf } from "../store/epochs.ts";
import { encodeParam } from "../store/param.ts";
import { BLOCK_TABLES, FED_BY, TABLES } from "../store/tables.gen.ts";
import { openWriter } from "../store/writer.ts";
import { INDEXED_LABEL_SOURCES } from "./enrich_labels.ts";

/** What an operator imported, who may write, and how the tail was cut: no facts that blocks tell. */
const KEPT = ["index_epochs", "labels", "listed_tokens", "parts_mended", "sanctions", "suppressed", "tail_drops"];

/** These have partitions of their own for each network. */
const IS_BY_BLOCK: ReadonlySet<string> = new Set(BLOCK_TABLES);

/** The first one leaves before all others: nothing answers from the rest. The last one tells that something may be left. */
const [FIRST, LAST] = ["networks", "segments"];

const tablesOf = (): readonly string[] => {
  const own = Object.entries(TABLES)
    .filter(
      ([name, columns]) =>
        columns.some(([column]) => column === "network") && !KEPT.includes(name) && !IS_BY_BLOCK.has(name),
    )
    .map(([name]) => name);
  // What answers from a table that a view fills is remembered as long as the view's own table stays as it is: that one goes later.
  const rank = (name: string): number => (name === FIRST ? 0 : name in FED_BY ? 1 : name === LAST ? 3 : 2);
  return own.sort((a, b) => rank(a) - rank(b));
};

/**
 * Drops all facts of a network: blocks and what follows from them, openings, prices, labels that rules gave, and what was offered of its
 * history. Labels and lists that an operator imported stay. `engine` is fenced: no other process writes the network. After a crash the next
 * indexer of the network drops what is left (origin.ts).
 */
export const dropNetwork = async (engine: Engine, network: string, signal: AbortSignal): Promise<void> => {
  const remove = async (table: string, condition: string, more: Readonly<Record<string, string>> = {}) => {
    const how = { params: { network: encodeParam(network), ...more }, signal };
    // A deletion looks at every part of the table, whoever's rows it has.
    const [row] = await engine.query(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`, how);
    if (row !== undefined) await engine.command(`DELETE FROM ${table} WHERE ${condition}`, how);
  };
  for (const table of tablesOf()) {
    if (table === LAST) {
      await openWriter(engine).dropBlocks(network);
      await remove("labels", "network = {network:String} AND source IN {sources:Array(String)}", {
        sources: encodeParam(INDEXED_LABEL_SOURCES),
      });
      await remove("index_epochs", "startsWith(network, {ranges:String})", { ranges: encodeParam(rangesOf(network)) });
    }
    await remove(table, "network = {network:String}");
  }
};
