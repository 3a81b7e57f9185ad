import { INDEXED_LABEL_SOURCES } from "../labels/derived_labels.ts";
import type { Engine } from "../store/engine.ts";
import { rangesOf } from "../store/epochs.ts";
import { encodeParam } from "../store/param.ts";
import { BLOCK_TABLES, FED_BY, TABLES } from "../store/tables.gen.ts";
import { openWriter } from "../store/writer.ts";

/** Tables that do not follow from blocks: imports and wishes of an operator, the right to write, and the layout of the tail. */
const KEPT = [
  ...["index_epochs", "labels", "listed_tokens", "parts_mended", "price_wishes", "sanctions", "subject_wishes"],
  ...["suppressed", "tail_drops", "wished_blocks"],
];

/** These have partitions of their own for each network. */
const IS_BY_BLOCK: ReadonlySet<string> = new Set(BLOCK_TABLES);

/**
 * The first table goes before all others, so that no query answers from the rest. The last one marks that rows may
 * remain.
 */
const [FIRST, LAST] = ["networks", "segments"];

const tablesOf = (): readonly string[] => {
  const own = Object.entries(TABLES)
    .filter(
      ([name, columns]) =>
        columns.some(([column]) => column === "network") && !KEPT.includes(name) && !IS_BY_BLOCK.has(name),
    )
    .map(([name]) => name);
  // Readers cache answers from a table that a view fills as long as the view's own table stays unchanged: that one goes
  // later.
  const rank = (name: string): number => (name === FIRST ? 0 : name in FED_BY ? 1 : name === LAST ? 3 : 2);
  return own.sort((a, b) => rank(a) - rank(b));
};

/**
 * Drops all facts of a network: blocks and everything that follows from them, openings, prices, derived labels, and the
 * offered ranges of its history. Labels and lists that an operator imported stay. `engine` is fenced: no other process
 * writes the network. After a crash the next indexer of the network drops the rest (origin.ts).
 */
export const dropNetwork = async (engine: Engine, network: string, signal: AbortSignal): Promise<void> => {
  const remove = async (table: string, condition: string, more: Readonly<Record<string, string>> = {}) => {
    const how = { params: { network: encodeParam(network), ...more }, signal };
    // A deletion visits every part of the table, including parts without rows of the network.
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
