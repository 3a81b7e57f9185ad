// @long: alone
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpointOf } from "../../src/chains/node/rpc_address.ts";
import { demoSolanaNetwork, demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { startSolanaWorld } from "../../src/demo/solana/world.ts";
import { startTronDemo } from "../../src/demo/tron/world.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { type Indexing, type LyingIndex, openLyingIndex, problemOf, until } from "./lying_index.ts";
import { T0 } from "./served_world.ts";
import { SOLANA_LIES } from "./solana_lies.ts";
import { type RelayLie, type Spoiler, startSpoiler } from "./spoiler.ts";
import { TRON_LIES } from "./tron_lies.ts";

/** The tail starts at a multiple of this. */
const BUCKET = 32;

/** The operator's message about a node without useful answers. */
const SILENCES = [
  ["http_500", /HTTP 500/],
  ["http_429", /HTTP 429/],
  ["html", /a web page/],
  ["truncated", /is not JSON/],
  ["hang", /no answer within 1000 ms/],
  ["reset", /it closed the connection/],
] as const satisfies readonly (readonly [RelayLie, RegExp])[];

interface LyingFamily {
  readonly enabled: EnabledNetwork;
  readonly head: number;
  readonly stop: () => Promise<void>;
}

const FAMILIES = [
  {
    family: "Solana",
    lies: SOLANA_LIES,
    start: async (): Promise<LyingFamily> => {
      const world = await startSolanaWorld(T0);
      return { enabled: demoSolanaNetwork(world), head: world.head.number, stop: world.stop };
    },
  },
  {
    family: "Tron",
    lies: TRON_LIES,
    start: async (): Promise<LyingFamily> => {
      const world = await startTronDemo(T0);
      return { enabled: demoTronNetwork(world), head: world.head.number, stop: world.stop };
    },
  },
] as const;

/** Machines that run many tests are slow: only a hanging node gets a short deadline. */
const deadlineOf = (lie: RelayLie): number | undefined => (lie === "hang" ? 1_000 : undefined);

describe.each(FAMILIES)("$family", ({ lies, start }) => {
  let world: LyingFamily;
  let stage: LyingIndex;
  let reference: Indexing;
  let clean: Record<string, string>;
  let final: number;
  const spoilers: Spoiler[] = [];

  const node = async (lie: RelayLie | null = null): Promise<Spoiler> => {
    const spoiler = await startSpoiler(endpointOf(world.enabled.rpc[0] ?? "").url);
    spoiler.lie = lie;
    spoilers.push(spoiler);
    return spoiler;
  };
  const expectClean = async (indexing: Indexing): Promise<void> => {
    await until(indexing, world.head);
    expect(await indexing.hash(final)).toEqual(clean);
    await indexing.stop();
  };

  beforeAll(async () => {
    world = await start();
    const { network } = world.enabled;
    final = Math.floor((world.head - network.finality_blocks + 1) / BUCKET) * BUCKET - 1;
    stage = await openLyingIndex({ network, from_block: 0 });
    reference = await stage.index(world.enabled.rpc);
    await until(reference, world.head);
    clean = await reference.hash(final);
    // Every slot has a row, skipped ones too.
    expect(clean.blocks?.split(" ")[0]).toBe(String(world.head + 1));
    await reference.stop();
  });
  afterAll(async () => {
    await stage?.close();
    for (const spoiler of spoilers) await spoiler.close();
    await world?.stop();
  });

  test.each([...SILENCES, ...lies])(
    "stores no false block, names the problem, and reads the clean facts after the node is healed: %s from the start",
    async (what, problem, lie: RelayLie = what as RelayLie) => {
      const spoiler = await node(lie);
      const indexing = await stage.index([spoiler.url], deadlineOf(lie));
      expect(await problemOf(indexing)).toMatch(problem);
      // A lie about transactions leaves blocks without any intact: those may be stored, and nothing that a clean index lacks.
      expect(await indexing.strays(reference)).toEqual([]);
      expect(await reference.strays(indexing)).toContain(`blocks: ${world.head + 1 - (await indexing.held())}`);
      if (typeof lie === "string") expect(await indexing.held()).toBe(0);
      spoiler.lie = null;
      await expectClean(indexing);
    },
    // Queries to a node that refuses everything pause for up to half a minute.
    180_000,
  );

  test.each([...SILENCES, ...lies])(
    "queries the second node and stores the clean facts: %s on the first of two nodes",
    async (what, _problem, lie: RelayLie = what as RelayLie) => {
      const [bad, good] = [await node(), await node()];
      const indexing = await stage.index([bad.url, good.url], deadlineOf(lie));
      bad.lie = lie;
      await expectClean(indexing);
    },
    60_000,
  );
});
