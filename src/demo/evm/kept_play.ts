/**
 * What a play of the scenario asked of its node, kept for the next start: the node does the same again and has the same
 * blocks, and nothing is read, encoded or decided a second time. The blocks themselves cannot be kept: with the states that
 * old balances and traces are asked of they are a gigabyte (docs/design/demo_worlds.md).
 */
import { createHash, type Hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isRecord } from "../../lib/record.ts";
import { sha256Text } from "../../lib/sha256.ts";
import { codePaths } from "./artifacts.ts";
import type { Placement } from "./placement.ts";
import { type HexText, type Rpc, type RpcCall, sendInOrder } from "./rpc.ts";

export interface KeptPlay {
  /** What was sent, in this order; the calls of one request stand together. */
  readonly requests: readonly (readonly RpcCall[])[];
  readonly contracts: Readonly<Record<string, HexText>>;
  /** Hash of the newest block, and thereby of all. */
  readonly head: HexText;
}

/** Which play it is. */
export interface PlayName {
  readonly placement: Placement;
  /** Unix seconds of the scenario's first midnight. */
  readonly t0: number;
}

/** What the scenario only looks at. */
const READS = ["eth_call", "eth_getTransactionCount", "eth_getTransactionReceipt"];

interface Recorder {
  readonly rpc: Rpc;
  readonly requests: readonly (readonly RpcCall[])[];
}

/** The same node, with a list of what it was asked to do. */
export const recorder = (rpc: Rpc): Recorder => {
  const requests: RpcCall[][] = [];
  const note = (calls: readonly RpcCall[]): void => {
    const doing = calls.filter(({ method }) => !READS.includes(method));
    if (doing.length > 0) requests.push(doing);
  };
  return {
    requests,
    rpc: {
      call: (method, ...params) => {
        note([{ method, params }]);
        return rpc.call(method, ...params);
      },
      batch: (calls) => {
        note(calls);
        return rpc.batch(calls);
      },
      close: rpc.close,
    },
  };
};

/** Does on a new node what was done on an earlier one. Throws where the node refuses any of it. */
export const playBack = (url: string, { requests }: KeptPlay): Promise<void> => sendInOrder(url, requests);

const addFile = (hash: Hash, path: string): void => {
  const text = readFileSync(path);
  hash.update(`${text.length} `).update(text);
};

/** Hash of all that makes the story: this folder, the code of its contracts, the node. */
const storyHash = (): string => {
  const hash = createHash("sha256");
  const folder = import.meta.dirname;
  const own = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.[jt]s$/.test(path));
  for (const path of own.sort()) addFile(hash.update(path), join(folder, path));
  for (const path of codePaths()) addFile(hash, path);
  addFile(hash, createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"));
  return hash.digest("hex");
};

/** Which story a file holds, by all that it depends on. */
const keyOf = ({ placement, t0 }: PlayName): string => `${placement} ${t0} ${storyHash()}`;

/** The play that a file holds; null where it holds another, a part of one, or none. */
export const readPlay = (path: string, name: PlayName): KeptPlay | null => {
  if (!existsSync(path)) return null;
  const [digest = "", key = "", text = "", ...more] = readFileSync(path, "utf8").split("\n");
  if (more.length > 0 || digest !== sha256Text(`${key}\n${text}`) || key !== keyOf(name)) return null;
  const value: unknown = JSON.parse(text);
  // Its digest says that `writePlay` wrote it, its key that this very version did.
  return isRecord(value) ? (value as unknown as KeptPlay) : null;
};

/** Keeps a play for whoever reads this path next; the file is whole or not there. */
export const writePlay = (path: string, name: PlayName, play: KeptPlay): void => {
  const body = `${keyOf(name)}\n${JSON.stringify(play)}`;
  const unfinished = `${path}.${process.pid}.new`;
  writeFileSync(unfinished, `${sha256Text(body)}\n${body}`, { mode: 0o600 });
  renameSync(unfinished, path);
};
