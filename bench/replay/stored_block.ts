/** Blocks of a replay node as the texts of its answers. */
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";

/** One block as a node would send it. Absent `traces` and `trace_block` mean that the node has no such API. */
export interface ReplayBlock {
  readonly block: {
    readonly number: string;
    readonly hash: string;
    readonly transactions: readonly { hash: string }[];
  };
  readonly receipts: readonly { readonly transactionHash: string }[];
  /** Answer of debug_traceBlockByNumber with the call tracer. */
  readonly traces?: readonly unknown[];
  readonly trace_block?: readonly unknown[];
}

/** Stores a text and returns a function that reads it. */
export type TextStore = (text: Buffer) => () => Buffer;

export interface StoredBlock {
  readonly number: number;
  readonly hash: string;
  readonly full: () => Buffer;
  readonly light: () => Buffer;
  readonly receipts: () => Buffer;
  readonly traces: (() => Buffer) | null;
  readonly trace_block: (() => Buffer) | null;
}

export const inMemory: TextStore = (text) => () => text;

export const store = ({ block, receipts, traces, trace_block }: ReplayBlock, keep: TextStore): StoredBlock => {
  const json = (value: unknown): (() => Buffer) => keep(Buffer.from(JSON.stringify(value)));
  return {
    number: Number(block.number),
    hash: block.hash,
    full: json(block),
    light: json({ ...block, transactions: block.transactions.map((transaction) => transaction.hash) }),
    receipts: json(receipts),
    traces: traces === undefined ? null : json(traces),
    trace_block: trace_block === undefined ? null : json(trace_block),
  };
};

/** Stores texts in a file, which is removed at once and ends with the process. */
export const inFile = (path: string): TextStore => {
  const file = openSync(path, "w+", 0o600);
  rmSync(path);
  process.on("exit", () => closeSync(file));
  let end = 0;
  return (text) => {
    const [start, length] = [end, text.length];
    writeSync(file, text, 0, length, start);
    end += length;
    return () => {
      const read = Buffer.allocUnsafe(length);
      readSync(file, read, 0, read.length, start);
      return read;
    };
  };
};
