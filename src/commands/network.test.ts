import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ListingNode, startListingNode } from "../../test/tron/listing_node.ts";
import { loadSettings } from "../config/settings.ts";
import { startTronNode, type TronNode } from "../demo/tron/node.ts";
import { type CommandIo, parseArgs } from "./command.ts";
import { commandNamed } from "./index.ts";
import { run } from "./network.ts";

const KEY = "a-key-of-this-test";

let folder: string;
let node: TronNode;
let lists: ListingNode;

const io = (): CommandIo => ({
  out: () => undefined,
  err: () => undefined,
  json: true,
  tty: false,
  env: {},
  checkout: folder,
  settings: () => loadSettings({ config: null, cwd: folder, home: folder, env: {} }),
  signal: new AbortController().signal,
});

const add = (...words: string[]) =>
  run(parseArgs(commandNamed("network"), ["add", "demo-tron", "--on-demand", ...words]), io());

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-network-"));
  node = await startTronNode();
  lists = await startListingNode(node.facade.url, { page_max: 200, requests_per_second: 1_000, key: KEY });
});
afterAll(async () => {
  await lists?.close();
  await node?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

test("a full node of Tron alone is refused on demand, and nothing is written", async () => {
  await expect(add("--rpc", node.facade.url)).rejects.toThrow(
    /needs a node that lists an account's transactions: none of these serves \/v1\/accounts, as TronGrid does/,
  );
  await expect(readFile(join(folder, "assay.config.json"))).rejects.toThrow(/ENOENT/);
});

test("a node that lists accounts is added on demand, and histories begin with the first block", async () => {
  const served = ["--rpc", lists.url, "--header", `TRON-PRO-API-KEY: ${KEY}`];
  await expect(add(...served, "--from-block", "7")).rejects.toThrow(/histories begin with the first one/);
  expect(await add(...served)).toBe(0);
  const { networks } = JSON.parse(await readFile(join(folder, "assay.config.json"), "utf8"));
  expect(networks["demo-tron"]).toMatchObject({ index: "on_demand", from_block: 0 });
});
