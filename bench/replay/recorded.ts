/** The recorded real blocks as replay blocks. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { ReplayBlock } from "./server.ts";

/** One row of MANIFEST.json. */
export interface RecordedEntry {
  readonly chain: string;
  readonly number: number;
  readonly transactions: number;
  readonly receipts: number;
  readonly logs: number;
  /** Transactions with a call trace. */
  readonly traces: number;
  readonly replay: ReplayBlock;
}

interface ManifestRow {
  readonly chain: string;
  readonly block: number;
  readonly src: string;
  readonly txs: number | null;
  readonly full: boolean;
  readonly receipts: number;
  readonly logs: number;
  readonly traces: number;
  readonly note: string;
}

/** Blocks with all their transactions and receipts; null if the folder does not exist. */
export const readRecorded = (folder: string): readonly RecordedEntry[] | null => {
  const manifest = join(folder, "MANIFEST.json");
  if (!existsSync(manifest)) return null;
  const rows: ManifestRow[] = JSON.parse(readFileSync(manifest, "utf8"));
  // Rows of single answers (a block without its receipts, a trace alone) and blocks cut down to one transaction.
  const whole = rows.filter((row) => row.full && row.src !== "erigon-rpc-tests" && !row.note.startsWith("partial"));
  return whole.map((row) => {
    const at = join(folder, row.chain, String(row.block));
    const traces = readList(join(at, "debug_callTracer_per_tx.json"));
    const block: ReplayBlock["block"] = JSON.parse(readText(join(at, "block.json")) ?? "null");
    const receipts: ReplayBlock["receipts"] = JSON.parse(readText(join(at, "receipts.json")) ?? "[]");
    return {
      chain: row.chain,
      number: row.block,
      transactions: row.txs ?? 0,
      receipts: row.receipts,
      logs: row.logs,
      traces: row.traces,
      replay: {
        block,
        receipts,
        ...(traces === null ? {} : { traces: traces.map((frame) => ({ result: frame })) }),
      },
    };
  });
};

/** A recorded answer of `trace_block`, or null if that block has none. */
export const readTraceBlockAnswer = (folder: string, chain: string, number: number): readonly unknown[] | null =>
  readList(join(folder, chain, String(number), "trace_block.json"));

const readList = (path: string): unknown[] | null => {
  const text = readText(path);
  return text === null ? null : JSON.parse(text);
};

const readText = (path: string): string | null => {
  if (existsSync(path)) return readFileSync(path, "utf8");
  return existsSync(`${path}.gz`) ? gunzipSync(readFileSync(`${path}.gz`)).toString("utf8") : null;
};
