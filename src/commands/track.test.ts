import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadSettings } from "../config/settings.ts";
import { hex } from "../lib/bytes.ts";
import type { FactsStore } from "../store/open.ts";
import { writeSubject } from "../store/subjects/records.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { type CommandIo, parseArgs, UsageFault } from "./command.ts";
import { commandNamed } from "./index.ts";
import { track, untrack } from "./track.ts";

const ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const OTHER = "0x000000000000000000000000000000000000dEaD";

let folder: string;
let store: FactsStore;

const io = (out: string[]): CommandIo => ({
  out: (text) => void out.push(text),
  err: () => undefined,
  json: true,
  tty: false,
  env: {},
  checkout: folder,
  settings: () => loadSettings({ config: join(folder, "assay.config.json"), cwd: folder, home: folder, env: {} }),
  signal: new AbortController().signal,
});

const run = async (name: "track" | "untrack", ...words: string[]) => {
  const out: string[] = [];
  const command = name === "track" ? track : untrack;
  const code = await command.run(parseArgs(commandNamed(name), words), io(out));
  return { code, answer: JSON.parse(out.join("")) };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-track-"));
  const rpc = ["http://127.0.0.1:9"];
  const networks = { ethereum: { rpc, index: "on_demand" }, base: { rpc } };
  await writeFile(join(folder, "assay.config.json"), JSON.stringify({ data_dir: "data", networks }));
  const { settings, data_dir } = io([]).settings();
  store = await openFactsOnly(settings, data_dir);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

test("addresses wait until the indexer has begun", async () => {
  const { code, answer } = await run("track", ADDRESS, OTHER);
  expect(code).toBe(0);
  expect(answer.network).toBe("ethereum");
  expect(answer.addresses).toMatchObject([
    { address: OTHER, state: "waiting", blocks_found: null, to_block: null, asked_by: "operator" },
    { address: ADDRESS, state: "waiting" },
  ]);
});

test("the list shows how far each address is", async () => {
  await writeSubject(
    store.writer,
    {
      ...{
        subject: hex(ADDRESS.slice(2).toLowerCase()),
        state: "read",
        from_block: 0,
        to_block: 900,
        to_hash: hex("ab"),
      },
      ...{ to_time: 1_700_000_000, wished_ms: 1, is_plain: false, is_balanced: true, verified: "full", untraced: [] },
      ...{ found: 12, fetched: 12, requests: 340, problem: "", rewrites: 0, is_rewriting: false, head: null },
    },
    { network: "ethereum", now_ms: 2 },
  );
  const { answer } = await run("track", "--network", "ethereum");
  expect(answer.addresses[1]).toEqual({
    ...{ address: ADDRESS, state: "read", blocks_found: 12, blocks_read: 12, to_block: 900 },
    ...{ to_time: "2023-11-14T22:13:20Z", from_block: 0, search: "not proven", is_balanced: true, requests: 340 },
    ...{ asked_by: "operator", problem: "" },
  });
});

test("an address that is followed no more leaves the list", async () => {
  const { answer } = await run("untrack", ADDRESS);
  expect(answer.addresses.map(({ address }: { address: string }) => address)).toEqual([OTHER]);
});

test("a network that is indexed whole, and nothing to untrack, are refused", async () => {
  await expect(run("track", ADDRESS, "--network", "base")).rejects.toThrow(
    new UsageFault("'base' is not read on demand; these networks are: ethereum"),
  );
  await expect(run("untrack")).rejects.toThrow(new UsageFault("name the addresses"));
});
