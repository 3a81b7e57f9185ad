import type { Network } from "../chains/chain.ts";
import { fromHex } from "../lib/bytes.ts";
import { askEngine } from "../store/ask.ts";
import type { Engine } from "../store/engine.ts";
import type { TableName, Writer } from "../store/writer.ts";
import { BLOCK_TABLES, type BlockTable } from "./encoded.ts";
import { rememberFreezeWatches } from "./freeze_watches.ts";
import type { Half, IndexStore, SegmentRow } from "./parts.ts";

const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array(0);

/** The indexer's side of the facts store, for one network. `now_ms` stamps marks (unix milliseconds). */
export const openIndexStore = (
  store: { readonly engine: Engine; readonly writer: Writer },
  network: Network,
  now_ms: () => number,
): IndexStore => {
  const { engine, writer } = store;
  const { id } = network;
  const ask = { network: id };

  // `<name>_final` and `<name>_head` are tables, with the same columns.
  const tableOf = (name: BlockTable, half: Half) => `${name}_${half}` as TableName;

  return {
    segments: () => askEngine(engine, "indexer/segments", ask) as Promise<readonly SegmentRow[]>,
    async finalBlock(number) {
      const [row] = await askEngine(engine, "indexer/final_block", { ...ask, number });
      return row ?? null;
    },
    async origin() {
      const [row] = await askEngine(engine, "indexer/origin", ask);
      return row ?? null;
    },
    async saveOrigin({ from_block, from_hash, is_opened }) {
      const row = {
        network: id,
        chain_id: network.chain_id,
        from_block,
        from_hash: bytesOf(from_hash),
        is_opened,
        written_at: now_ms() / 1000,
      };
      await writer.insert("networks", [row]);
    },
    async hasOpenings() {
      const [row] = await askEngine(engine, "indexer/has_openings", ask);
      return row?.found === 1;
    },
    rememberFreezeWatches: () => rememberFreezeWatches(store, network, now_ms()),
    async markSegment({ from_block, to_block, to_hash, state, has_traces, verified }) {
      const row = {
        network: id,
        from_block,
        to_block,
        to_hash: bytesOf(to_hash),
        state,
        has_traces: has_traces ? 1 : 0,
        verified,
        written_at: now_ms() / 1000,
      };
      await writer.insert("segments", [row]);
    },
    encode(rows) {
      // The rows of BlockRows[name] are those of its tables (rows.ts and tables.gen.ts say the same columns).
      const filled = BLOCK_TABLES.filter((name) => rows[name].length > 0);
      const pieces = filled.map(
        (name) => [name, [writer.encode(tableOf(name, "final"), rows[name] as never)]] as const,
      );
      return { pieces: new Map(pieces), count: filled.reduce((sum, name) => sum + rows[name].length, 0) };
    },
    async insertRows(half, { pieces }, token) {
      const insert = (name: BlockTable) =>
        writer.insertEncoded(tableOf(name, half), pieces.get(name) ?? [], token === null ? {} : { token });
      await Promise.all(BLOCK_TABLES.filter((name) => name !== "blocks").map(insert));
      await insert("blocks");
    },
    addBalances: (range, token) => writer.addSegmentBalances({ network: id, ...range }, token),
    async dropHead(from_block) {
      await writer.dropHead(id, from_block);
    },
    dropPromoted: (to_block) => writer.dropPromoted(id, to_block),
  };
};
