import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReplay } from "../../bench/replay/server.ts";
import { syntheticBlocks } from "../../bench/replay/synthetic.ts";
import { type Assay, NETWORK, type StaticChain, startChain, type WriterStore } from "../../bench/writers/setup.ts";
import { openStore, run, until } from "./processes.ts";

// Networks are added to and removed from a service in a separate process that answers calls all the time.
const BLOCKS = 64;
const SECOND = "second";
const FIRST_OF_SECOND = 1_024;

let chain: StaticChain;
let second: Awaited<ReturnType<typeof startReplay>>;
let store: WriterStore;
let up: Assay;
let url = "";

interface Ready {
  readonly status: string;
  readonly not_ready: readonly string[];
  readonly checks: {
    readonly facts: boolean;
    readonly networks: Readonly<Record<string, { is_ready: boolean; state: string; indexed: number | null }>>;
  };
}

const readyz = async (): Promise<Ready> => (await (await fetch(`${url}/readyz`)).json()) as Ready;
const isReady = async (id: string): Promise<boolean> => (await readyz()).checks.networks[id]?.is_ready === true;

const assay = async (...words: string[]): Promise<{ code: number | null; said: string }> => {
  const [command = "", ...rest] = words;
  const one = run(store, command, ...rest);
  const code = await one.ended;
  return { code, said: one.said() };
};

const startUp = async (): Promise<void> => {
  up = run(store, "up");
  await until(() => /address {2}(http\S+)/.test(up.said()));
  url = /address {2}(http\S+)/.exec(up.said())?.[1] ?? "";
  await until(() => isReady(NETWORK));
};

beforeAll(async () => {
  chain = await startChain({ blocks: BLOCKS });
  second = await startReplay({
    blocks: syntheticBlocks({ shape: "transfers", count: BLOCKS, from: FIRST_OF_SECOND, with_traces: true }),
    chain_id: 4_242,
    finalized_behind: 40,
    state: (method) => (method === "eth_getBalance" ? "0x0" : "0x"),
  });
  store = await openStore(chain, {});
}, 120_000);
afterAll(async () => {
  await chain?.close();
  await second?.close();
});

test("adds, resets and removes a network in a running service while calls on the others continue", async () => {
  await startUp();
  // The other network is read all the time, and must never be missing.
  let [looks, misses, watching] = [0, 0, true];
  const watched = (async () => {
    while (watching) {
      looks += 1;
      const { checks } = await readyz();
      // On a busy machine a status may exceed its time limit, and then lists no network.
      if (checks.facts && checks.networks[NETWORK]?.is_ready !== true) misses += 1;
    }
  })();

  const added = await assay(
    "network",
    "add",
    SECOND,
    "--new",
    "--rpc",
    second.url,
    "--from-block",
    `${FIRST_OF_SECOND}`,
  );
  expect(added.said).toContain(`the service at ${url} has taken the change`);
  expect(added.code).toBe(0);
  await until(() => isReady(SECOND));
  const listed = (await (await fetch(`${url}/app/networks.json`)).json()) as { networks: { id: string }[] };
  expect(listed.networks.map(({ id }) => id)).toEqual([NETWORK, SECOND]);
  const openapi = await (await fetch(`${url}/api/tools/openapi.json`)).text();
  expect(openapi).toContain(`"${SECOND}"`);

  const changed = await assay("network", "set", SECOND, "poll_ms=75", "openings=skip");
  expect(changed.code).toBe(0);
  await until(() => up.said().includes("the network runs with its new configuration"));
  await until(() => isReady(SECOND));

  const unasked = await assay("network", "reset", SECOND);
  expect(unasked).toMatchObject({ code: 2, said: expect.stringContaining("add --yes to do it") });
  const reset = await assay("network", "reset", SECOND, "--yes");
  expect(reset.said).toContain(`the facts of ${SECOND} are dropped`);
  expect(reset.code).toBe(0);
  await until(() => isReady(SECOND));

  const removed = await assay("network", "remove", SECOND, "--facts", "--yes");
  expect(removed.said).toContain(`the facts of ${SECOND} are dropped`);
  expect(removed.code).toBe(0);
  expect(Object.keys((await readyz()).checks.networks)).toEqual([NETWORK]);
  expect(await readyz()).toMatchObject({ status: "ready", not_ready: [] });
  const left = JSON.parse(await readFile(join(store.folder, "assay.config.json"), "utf8"));
  expect(Object.keys(left.networks)).toEqual([NETWORK]);

  watching = false;
  await watched;
  expect({ looks: looks > 20, misses }).toEqual({ looks: true, misses: 0 });
  expect(up.child.exitCode).toBe(null);
}, 240_000);

test("suggests a known network for a similar name, and reports in status what the service does not run", async () => {
  const typo = await assay("network", "add", "etherium", "--rpc", second.url);
  expect(typo).toMatchObject({ code: 2, said: expect.stringContaining("Did you mean ethereum?") });
  expect(await readFile(join(store.folder, "assay.config.json"), "utf8")).not.toContain("etherium");
  await startUp();
  const off = await assay("network", "set", NETWORK, "enabled=false");
  expect(off.code).toBe(0);
  expect((await readyz()).checks.networks[NETWORK]).toMatchObject({ state: "absent", is_ready: false });
  const bad = await assay("network", "set", NETWORK, "poll_ms=5");
  expect(bad).toMatchObject({ code: 1, said: expect.stringContaining("Nothing was written") });
  const on = await assay("network", "set", NETWORK, "enabled=");
  expect(on.code).toBe(0);
  await until(() => isReady(NETWORK));
}, 120_000);
