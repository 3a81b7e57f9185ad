import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { startDemoWorld } from "../demo_world.ts";
import { T0 } from "./served_world.ts";
import { writeWorldConfig } from "./world_config.ts";

const CLI = join(import.meta.dirname, "../../dist/bundle/cli.js");
const run = promisify(execFile);

let world: EvmWorld;
let folder: string;
let config: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-operator-"));
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  config = await writeWorldConfig(world, folder);
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

const assay = async (...args: readonly string[]) =>
  (await run(process.execPath, [CLI, ...args, "--config", config])).stdout;

test("reports for each endpoint in doctor what the node can do", async () => {
  const { networks } = JSON.parse(await assay("doctor", "--seconds", "1"));
  expect(networks).toHaveLength(1);
  expect(networks[0]).toMatchObject({ network: "demo", problem: null, tools: { partial: 0, off: 0 } });
  expect(networks[0].endpoints[0]).toMatchObject({
    problem: null,
    traits: { chain_id: 31_337, head: world.head.number, receipts: "block", archive: true },
  });
  const [{ sustained }] = networks[0].endpoints;
  expect(sustained.blocks).toBeGreaterThan(0);
  expect(sustained.traced.with_traces).toBe(sustained.traced.blocks);
  expect(networks[0].tools.by_name).toHaveLength(30);
  expect(networks[0].estimate.blocks).toBe(world.head.number + 1);
});

test("shows values with their origin in config check, and hides secrets in a node's address", async () => {
  const { settings } = JSON.parse(await assay("config", "check"));
  const row = (name: string) => settings.find((setting: { name: string }) => setting.name === name);
  expect(row("listen")).toEqual({ name: "listen", value: "127.0.0.1:0", origin: config });
  expect(row("log_level").origin).toBe("default");
});

test("writes one entry with network add, and keeps the others", async () => {
  await assay("network", "add", "base", "--rpc", "http://127.0.0.1:9", "--from-block", "7", "--unasked");
  const written = JSON.parse(await readFile(config, "utf8"));
  expect(written.networks.base).toEqual({ rpc: ["http://127.0.0.1:9"], from_block: 7 });
  expect(Object.keys(written.networks)).toEqual(["demo", "base"]);
  const { networks } = JSON.parse(await assay("network", "list"));
  expect(
    networks.filter((network: { enabled: boolean }) => network.enabled).map(({ id }: { id: string }) => id),
  ).toEqual(["base", "demo"]);
});

test("writes nothing with network add for an unavailable node, and requires the id of an unknown chain without a query", async () => {
  const before = await readFile(config, "utf8");
  const add = (...more: string[]) =>
    assay("network", "add", "mychain", "--new", "--rpc", "http://127.0.0.1:2", ...more).catch((error) => error);
  const away = await add();
  expect(away).toMatchObject({ code: 1 });
  expect(away.stderr).toBe(
    "assay: http://127.0.0.1:2: nothing listens there. Nothing was written; --unasked writes the entry all the same\n",
  );
  const unasked = await add("--unasked");
  expect(unasked).toMatchObject({ code: 2 });
  expect(unasked.stderr).toContain("--chain-id");
  expect(await readFile(config, "utf8")).toBe(before);
});
