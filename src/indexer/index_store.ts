import type { Network } from "../chains/chain.ts";
import { allEnded } from "../lib/all_ended.ts";
import { fromHex, type Hex } from "../lib/bytes.ts";
import { beginSegment } from "../store/begun.ts";
import type { Engine } from "../store/engine.ts";
import { readGapRecords, writeGapRecord } from "../store/gaps.ts";
import { encodeParam } from "../store/param.ts";
import { queryRows } from "../store/query.ts";
import { readSegments, untracedText } from "../store/segments.ts";
import { sumsText } from "../store/sums.ts";
import { hasLostParts, mendLostParts } from "../store/verify/lost_parts.ts";
import type { Writer } from "../store/writer.ts";
import { dropNetwork } from "./drop_network.ts";
import { type BlockTable, type EncodedRows, RECORD_TABLES } from "./encoded.ts";
import { rememberFreezeWatches } from "./freeze_watches.ts";
import type { IndexOrigin, IndexStore } from "./options.ts";

const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array(0);

type FactsAccess = { readonly engine: Engine; readonly writer: Writer };

const dropOpenings = async (
  engine: Engine,
  network: string,
  where: { readonly sql: string; readonly params: Readonly<Record<string, string>>; readonly holder?: Hex },
): Promise<void> => {
  const [row] = await queryRows(engine, "indexer/has_opening", { network, holder: where.holder ?? "" });
  if (row?.found !== 1) return;
  const params = { network: encodeParam(network), ...where.params };
  // Readers cache answers from the second table as long as the first one stays unchanged: the first goes last.
  for (const table of ["openings_by_token", "openings"])
    await engine.command(`DELETE FROM ${table} WHERE network = {network:String} AND ${where.sql}`, { params });
};

/** The network's rows in the store, and the functions that mark them. */
const marksOf = ({ engine, writer }: FactsAccess, network: Network, now_ms: () => number) => {
  const { id } = network;
  const ask = { network: id };
  return {
    async finalBlock(number: number) {
      const [row] = await queryRows(engine, "indexer/final_block", { ...ask, number });
      return row ?? null;
    },
    async untracedSegments(limit: number) {
      const rows = await queryRows(engine, "indexer/untraced_segments", { ...ask, limit });
      return rows.map((latest) => ({ from: latest.from_block, to: latest.to_block, latest, entered: latest.sums }));
    },
    gapRecords: () => readGapRecords(engine, id),
    recordGap: (gap) => writeGapRecord(writer, id, gap),
    async origin() {
      const [row] = await queryRows(engine, "indexer/origin", ask);
      return row ?? null;
    },
    async originWrittenMs() {
      const [row] = await queryRows(engine, "indexer/origin", ask);
      return row?.written_ms ?? null;
    },
    async saveOrigin({ from_block, from_hash, is_opened }: IndexOrigin) {
      const [before] = await queryRows(engine, "indexer/origin", ask);
      const row = {
        network: id,
        chain_id: network.chain_id,
        from_block,
        from_hash: bytesOf(from_hash),
        is_opened,
        // The newest row counts, whatever the clock.
        written_at: Math.max(now_ms(), (before?.written_ms ?? 0) + 1) / 1000,
      };
      await writer.insert("networks", [row]);
    },
    async markSegment(mark: Parameters<IndexStore["markSegment"]>[0]) {
      const { from_block, to_block, to_hash, state, untraced, verified, sums, after_ms = 0 } = mark;
      const row = {
        network: id,
        from_block,
        to_block,
        to_hash: bytesOf(to_hash),
        state,
        has_traces: untraced.length === 0 ? 1 : 0,
        untraced: untracedText({ from: from_block, to: to_block }, untraced),
        verified,
        sums,
        written_at: Math.max(now_ms(), after_ms + 1) / 1000,
      };
      if (state === "begun") await beginSegment(engine, writer, row);
      else await writer.insert("segments", [row]);
    },
  } satisfies Partial<IndexStore>;
};

/** Functions for openings and batches. */
const openingsOf = ({ engine }: FactsAccess, { id }: Network) =>
  ({
    async hasBatches() {
      const [row] = await queryRows(engine, "indexer/has_batches", { network: id });
      return row?.found === 1;
    },
    dropOpeningsBut: (block: number) =>
      dropOpenings(engine, id, { sql: "block_number != {block:UInt64}", params: { block: encodeParam(block) } }),
    dropOpeningsOf: (holder: Hex) =>
      dropOpenings(engine, id, {
        sql: "holder = unhex({holder:String})",
        params: { holder: encodeParam(holder) },
        holder,
      }),
  }) satisfies Partial<IndexStore>;

/** Functions that write blocks. */
const blocksOf = ({ writer }: FactsAccess, { id }: Network) => {
  const insertTail = ({ tables }: EncodedRows, name: BlockTable) =>
    writer.insertEncoded(name, tables.get(name)?.pieces ?? [], { network: id, is_tail: true });
  return {
    encode(rows) {
      // The rows of BlockRows[name] are those of its tables (rows.ts and tables.gen.ts declare the same columns).
      const filled = RECORD_TABLES.filter((name) => rows[name].length > 0);
      const tables = filled.map((name) => {
        const pieces = [writer.encode(name, rows[name] as never)];
        return [name, { pieces, rows: rows[name].length }] as const;
      });
      return { tables: new Map(tables), count: filled.reduce((sum, name) => sum + rows[name].length, 0) };
    },
    async insertHead(rows) {
      await allEnded(RECORD_TABLES.filter((name) => name !== "blocks").map((name) => insertTail(rows, name)));
    },
    showHead: (rows) => insertTail(rows, "blocks"),
    async writeFinal(range, { tables, count }, options) {
      const record = { tables: RECORD_TABLES, rows: tables };
      const how = { ...options, rows: count };
      const sums = await writer.finals.writeRecord({ network: id, ...range }, record, how);
      await writer.finals.writeLayouts({ network: id, ...range }, how);
      return sumsText(sums);
    },
    writeBalances: (range, how) => writer.finals.writeBalances({ network: id, ...range }, how),
  } satisfies Partial<IndexStore>;
};

/** The indexer's side of the facts store, for one network. `now_ms` stamps marks (unix milliseconds). */
export const openIndexStore = (store: FactsAccess, network: Network, now_ms: () => number): IndexStore => {
  const { engine, writer } = store;
  const { id } = network;
  return {
    ...marksOf(store, network, now_ms),
    ...openingsOf(store, network),
    ...blocksOf(store, network),
    open: () => writer.finals.open(id),
    drop: (signal) => dropNetwork(engine, id, signal),
    mendLostParts: (signal) => mendLostParts({ engine, writer }, id, { signal }),
    hasLostParts: () => hasLostParts(engine, id),
    segments: () => readSegments(engine, id),
    untracedStretches: (limit) => queryRows(engine, "indexer/untraced_stretches", { network: id, limit }),
    storedBlocks: (blocks) => queryRows(engine, "indexer/stored_blocks", { network: id, blocks }),
    rememberFreezeWatches: () => rememberFreezeWatches(store, network, now_ms()),
    async dropHead(from_block) {
      await writer.dropHead(id, from_block);
    },
    dropPromoted: (to_block) => writer.dropPromoted(id, to_block),
  };
};
