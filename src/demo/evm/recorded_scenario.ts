/**
 * The requests of a scenario run to its node, kept for the next start: the node repeats them and has the same blocks,
 * without reading, encoding or deciding anything again. The blocks themselves are too large to keep: with the states
 * for old balances and traces they take a gigabyte (docs/design/demo_worlds.md).
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

export interface RecordedScenario {
  /** The requests in order; the calls of one request are together. */
  readonly requests: readonly (readonly RpcCall[])[];
  readonly contracts: Readonly<Record<string, HexText>>;
  /** Hash of the newest block, which covers all of them. */
  readonly head: HexText;
}

/** Identity of a play. */
export interface ScenarioKey {
  readonly placement: Placement;
  /** Unix seconds of the scenario's first midnight. */
  readonly t0: number;
}

/** Methods by which the scenario only reads. */
const READS = ["eth_call", "eth_getTransactionCount", "eth_getTransactionReceipt"];

interface Recorder {
  readonly rpc: Rpc;
  readonly requests: readonly (readonly RpcCall[])[];
}

/** The same node, with a record of its requests. */
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

/**
 * Repeats the requests of an earlier run on a new node.
 * @throws when the node rejects one.
 */
export const replayScenario = (url: string, { requests }: RecordedScenario): Promise<void> =>
  sendInOrder(url, requests);

const addFile = (hash: Hash, path: string): void => {
  const text = readFileSync(path);
  hash.update(`${text.length} `).update(text);
};

/** Hash of everything that makes the story: this folder, the code of its contracts, the node. */
const scenarioHash = (): string => {
  const hash = createHash("sha256");
  const folder = import.meta.dirname;
  const own = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.[jt]s$/.test(path));
  for (const path of own.sort()) addFile(hash.update(path), join(folder, path));
  for (const path of codePaths()) addFile(hash, path);
  addFile(hash, createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"));
  return hash.digest("hex");
};

/** The story of a file, by all of its inputs. */
const keyOf = ({ placement, t0 }: ScenarioKey): string => `${placement} ${t0} ${scenarioHash()}`;

/** The play in a file; null when the file has another one, a part of one, or none. */
export const readScenario = (path: string, name: ScenarioKey): RecordedScenario | null => {
  if (!existsSync(path)) return null;
  const [digest = "", key = "", text = "", ...more] = readFileSync(path, "utf8").split("\n");
  if (more.length > 0 || digest !== sha256Text(`${key}\n${text}`) || key !== keyOf(name)) return null;
  const value: unknown = JSON.parse(text);
  // Its digest proves that `writeScenario` wrote it, its key that this very version did.
  return isRecord(value) ? (value as unknown as RecordedScenario) : null;
};

/** Saves a play for the next reader of this path; the file is complete or absent. */
export const writeScenario = (path: string, name: ScenarioKey, play: RecordedScenario): void => {
  const body = `${keyOf(name)}\n${JSON.stringify(play)}`;
  const unfinished = `${path}.${process.pid}.new`;
  writeFileSync(unfinished, `${sha256Text(body)}\n${body}`, { mode: 0o600 });
  renameSync(unfinished, path);
};
