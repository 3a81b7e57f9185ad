import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { readGaps } from "../../src/store/gaps.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { startDemoWorld } from "../demo_world.ts";
import { factsHash } from "../facts_hash.ts";
import { type Hook, type HookedNode, hookedNode, rpcError } from "../hooked_node.ts";
import { sized } from "../long.ts";
import { type RentedNode, rentNode } from "./rented_node.ts";
import { caughtUp, openTestService, T0, type TestService } from "./served_world.ts";
import { SMALL_PLAN } from "./whole_and_demand.ts";

/**
 * A whole index through the smallest plan of a provider that loses traces: it catches up with gaps, and a later start fills them. Then
 * every table is that of an index through a plain node.
 */

/** The provider cannot trace one of so many blocks until it recovers. */
const LOST_EVERY = sized({ slice: 40, long: 25 });
let has_recovered = false;
const RATE = sized({ slice: 200, long: 20 });

/** As geth states a block whose state it has pruned. */
const losing: Hook = ({ method, params: [block] }) => {
  if (has_recovered || !/^(?:debug|trace)_/.test(method)) return undefined;
  return typeof block === "string" && Number(block) % LOST_EVERY !== 0
    ? undefined
    : rpcError("required historical state unavailable (reexec=128)");
};

let world: EvmWorld;
let losses: HookedNode;
let node: RentedNode;
let plain: TestService;
let data_dir: string;
beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  // Everything in the story becomes final.
  await world.rpc.call("anvil_mine", "0x60");
  losses = await hookedNode(world.url, losing);
  node = await rentNode(losses.url, { ...SMALL_PLAN, traces: true, requests_per_second: RATE });
  plain = await openTestService({ networks: [networkAt(world.url)], listed: [demoNetwork(world).network] });
  await caughtUp(plain.service);
});
afterAll(async () => {
  await plain?.close();
  await node?.close();
  await losses?.close();
  await world?.stop();
  await rm(data_dir, { recursive: true, force: true });
});

const networkAt = (url: string, headers: Readonly<Record<string, string>> = {}): EnabledNetwork => {
  const { project: _, ...demo } = demoNetwork(world);
  return { ...demo, rpc: [{ url, headers }], poll_ms: 100 };
};

/** The index through the rented node, when it has caught up. Its lists were imported by the first start. */
const openRented = async (): Promise<TestService> => {
  const networks = [networkAt(node.url, { "x-api-key": SMALL_PLAN.key })];
  const stage = await openTestService({ networks, listed: [demoNetwork(world).network], data_dir });
  await caughtUp(stage.service);
  return stage;
};

const coverageOf = async ({ service }: TestService) => (await service.facts.facts.snapshot("demo", null)).coverage;
const factsOf = async ({ service }: TestService) => {
  const { final_block } = await service.facts.facts.snapshot("demo", null);
  return { final_block, hashes: await factsHash(service.facts.engine, "demo", final_block) };
};

test("catches up, and names the blocks whose traces the node lost", async () => {
  const stage = await openRented();
  try {
    const { trace_gaps = [], complete, traces } = await coverageOf(stage);
    expect([complete, traces]).toEqual([true, false]);
    // A refused request may lose the blocks beside the refused one too.
    expect(trace_gaps.some(([from, to]) => Math.floor(to / LOST_EVERY) > Math.floor((from - 1) / LOST_EVERY))).toBe(
      true,
    );
    expect((await factsOf(stage)).hashes).not.toEqual((await factsOf(plain)).hashes);
  } finally {
    await stage.close();
  }
});

test("reads the lost traces after the node has recovered, and ends with the facts of a plain node", async () => {
  has_recovered = true;
  const stage = await openRented();
  try {
    // While a segment is written again, coverage is not complete.
    const healed = expect.objectContaining({ complete: true, traces: true });
    await expect.poll(() => coverageOf(stage), { timeout: 400_000 }).toEqual(healed);
    expect((await coverageOf(stage)).trace_gaps ?? []).toEqual([]);
    expect(await readGaps(stage.service.facts.engine, "demo")).toEqual([]);
    await expect.poll(async () => await factsOf(stage), { timeout: 60_000 }).toEqual(await factsOf(plain));
  } finally {
    await stage.close();
  }
});
