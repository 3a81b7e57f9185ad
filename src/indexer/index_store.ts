import type { Network } from "../chains/chain.ts";
import { fromHex } from "../lib/bytes.ts";
import { askEngine } from "../store/ask.ts";
import type { Engine } from "../store/engine.ts";
import type { TableName, Writer } from "../store/writer.ts";
import type { IndexStore, SegmentRow } from "./parts.ts";
import type { BlockRows } from "./rows.ts";

/** Tables of a block's rows, `blocks` last: a block that is there has all its facts. */
const ORDER = [
  "transactions",
  "transfers",
  "swaps",
  "pool_states",
  "liquidity_events",
  "pools",
  "approvals",
  "ownership_events",
  "contracts",
] as const satisfies readonly (keyof BlockRows)[];

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

  const insert = async (
    half: "final" | "head",
    rows: BlockRows,
    part: { name: keyof BlockRows; token: string | null },
  ) => {
    const { name, token } = part;
    // `<name>_<half>` holds exactly the rows of BlockRows[name] (rows.ts and tables.gen.ts say the same columns).
    const table = `${name}_${half}` as TableName;
    await writer.insert(table, rows[name] as never, token === null ? {} : { token });
  };

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
    async saveOrigin({ from_block, from_hash }) {
      const row = {
        network: id,
        chain_id: network.chain_id,
        from_block,
        from_hash: bytesOf(from_hash),
        written_at: now_ms() / 1000,
      };
      await writer.insert("networks", [row]);
    },
    async hasOpenings() {
      const [row] = await askEngine(engine, "indexer/has_openings", ask);
      return row?.found === 1;
    },
    async markSegment({ from_block, to_block, to_hash, state, has_traces }) {
      const row = {
        network: id,
        from_block,
        to_block,
        to_hash: bytesOf(to_hash),
        state,
        has_traces: has_traces ? 1 : 0,
        written_at: now_ms() / 1000,
      };
      await writer.insert("segments", [row]);
    },
    async insertRows(half, rows, token) {
      await Promise.all(ORDER.map((name) => insert(half, rows, { name, token })));
      await insert(half, rows, { name: "blocks", token });
    },
    addBalances: (range, token) => writer.addSegmentBalances({ network: id, ...range }, token),
    async dropHead(from_block) {
      await writer.dropHead(id, from_block);
    },
    dropPromoted: (to_block) => writer.dropPromoted(id, to_block),
  };
};
