/**
 * The least work of an indexer: fetch, parse, and put the ERC-20 transfers into the embedded engine, in one process and
 * without any check. The baseline of `all.js --only p2`.
 *   node dist/bench/floor.js URL FROM TO FOLDER
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Session } from "chdb";
import { Pool } from "undici";
import type { ReferenceTotals } from "./replay/reference.ts";

const CONNECTIONS = 4;
const BLOCKS_PER_REQUEST = 5;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const COLUMNS =
  "block UInt32, tx_index UInt16, log_index UInt32, time DateTime, token FixedString(20), source FixedString(20), destination FixedString(20), tx_hash FixedString(32), amount UInt256";
const ROW_BYTES = 4 + 2 + 4 + 4 + 20 + 20 + 20 + 32 + 32;
const BUFFER_BYTES = 8 << 20;

interface FloorLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockTimestamp: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
}

type LogsResponse = readonly {
  readonly id: number;
  readonly result: readonly { readonly logs: readonly FloorLog[] }[];
}[];

class FloorTable {
  readonly #session: Session;
  readonly #folder: string;
  readonly #bytes = Buffer.allocUnsafe(BUFFER_BYTES);
  #at = 0;

  constructor(folder: string) {
    rmSync(folder, { recursive: true, force: true });
    this.#folder = folder;
    this.#session = new Session(folder);
    this.#session.query("CREATE DATABASE floor");
    this.#session.query(
      `CREATE TABLE floor.transfers (${COLUMNS}) ENGINE = MergeTree ORDER BY (token, block, log_index)`,
    );
  }

  add(block: number, log: FloorLog): void {
    if (this.#at + ROW_BYTES > BUFFER_BYTES) this.flush();
    const [bytes, at] = [this.#bytes, this.#at];
    bytes.writeUInt32LE(block, at);
    bytes.writeUInt16LE(Number(log.transactionIndex), at + 4);
    bytes.writeUInt32LE(Number(log.logIndex), at + 6);
    bytes.writeUInt32LE(Number(log.blockTimestamp), at + 10);
    bytes.write(log.address.slice(2), at + 14, 20, "hex");
    bytes.write(log.topics[1]?.slice(26) ?? "", at + 34, 20, "hex");
    bytes.write(log.topics[2]?.slice(26) ?? "", at + 54, 20, "hex");
    bytes.write(log.transactionHash.slice(2), at + 74, 32, "hex");
    bytes.write(log.data.slice(2, 66), at + 106, 32, "hex");
    bytes.subarray(at + 106, at + 138).reverse();
    this.#at += ROW_BYTES;
  }

  flush(): void {
    if (this.#at === 0) return;
    const path = join(this.#folder, "rows.bin");
    writeFileSync(path, this.#bytes.subarray(0, this.#at));
    this.#session.query(`INSERT INTO floor.transfers SELECT * FROM file('${path}', 'RowBinary', '${COLUMNS}')`);
    this.#at = 0;
  }

  totals(): Pick<ReferenceTotals, "count" | "sum"> {
    const text = this.#session.query("SELECT count(), toString(sum(amount)) FROM floor.transfers", "TSV").trim();
    const [count, sum] = text.split("\t");
    return { count: Number(count), sum: String(sum) };
  }
}

const hex = (number: number): string => `0x${number.toString(16)}`;

const run = async (url: string, range: { from: number; to: number }, folder: string): Promise<void> => {
  const table = new FloorTable(folder);
  const pool = new Pool(new URL(url).origin, { connections: CONNECTIONS, pipelining: 1 });
  let next = range.from;
  const worker = async (): Promise<void> => {
    while (next <= range.to) {
      const first = next;
      next += BLOCKS_PER_REQUEST;
      const numbers = Array.from({ length: Math.min(next, range.to + 1) - first }, (_, i) => first + i);
      const calls = numbers.flatMap((number) => [
        { jsonrpc: "2.0", id: number * 2, method: "eth_getBlockByNumber", params: [hex(number), true] },
        { jsonrpc: "2.0", id: number * 2 + 1, method: "eth_getBlockReceipts", params: [hex(number)] },
      ]);
      const headers = { "content-type": "application/json" };
      const answer = await pool.request({ path: "/", method: "POST", headers, body: JSON.stringify(calls) });
      // The replay node answers in the order of the request: odd ids are receipts.
      const parsed = JSON.parse(await answer.body.text()) as LogsResponse;
      for (const { id, result } of parsed) {
        if (id % 2 === 0) continue;
        for (const { logs } of result)
          for (const log of logs)
            if (log.topics[0] === TRANSFER && log.topics.length === 3) table.add((id - 1) / 2, log);
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  table.flush();
  process.stdout.write(`${JSON.stringify(table.totals())}\n`);
};

const [url = "", from = "", to = "", folder = ""] = process.argv.slice(2);
await run(url, { from: Number(from), to: Number(to) }, folder);
// The engine keeps threads that would keep the process alive.
process.exit(0);
