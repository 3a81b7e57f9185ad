import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Block } from "../../src/chains/chain.ts";
import { openChain } from "../../src/chains/families.ts";
import { digestOf } from "../../src/chains/node/digest.ts";
import { endpointOf } from "../../src/chains/node/rpc_address.ts";
import type { OpenChain } from "../../src/chains/open_chain.ts";
import { demoSolanaNetwork, demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { startSolanaWorld } from "../../src/demo/solana/world.ts";
import { startTronDemo } from "../../src/demo/tron/world.ts";
import { toHex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { eachNth } from "../long.ts";
import { ethereum, FIRST, honestBlocks, serve } from "./lying_index.ts";
import { T0 } from "./served_world.ts";
import { SOLANA_BELIEVED, SOLANA_LIES, SOLANA_TRANSACTION_LIES } from "./solana_lies.ts";
import { type RelayLie, type Spoiler, startSpoiler } from "./spoiler.ts";
import { TRON_BELIEVED, TRON_LIES, TRON_TRANSACTION_LIES } from "./tron_lies.ts";

const MODEL = readFileSync(new URL("../../docs/threat_model.md", import.meta.url), "utf8");
/** Blocks of a long read: enough for every lie to touch some. */
const READ = 40;
const signal = new AbortController().signal;

interface LyingWorld {
  readonly enabled: EnabledNetwork;
  readonly head: number;
  readonly stop: () => Promise<void>;
}

/** Name of the lie, the sentence about it, and the lie. */
type LieRow = readonly [string, RegExp, RelayLie];

const FAMILIES = [
  {
    family: "Solana",
    lies: SOLANA_LIES,
    of_transactions: SOLANA_TRANSACTION_LIES,
    believed: SOLANA_BELIEVED,
    start: async (): Promise<LyingWorld> => {
      const world = await startSolanaWorld(T0);
      return { enabled: demoSolanaNetwork(world), head: world.head.number, stop: world.stop };
    },
  },
  {
    family: "Tron",
    lies: TRON_LIES,
    of_transactions: TRON_TRANSACTION_LIES,
    believed: TRON_BELIEVED,
    start: async (): Promise<LyingWorld> => {
      const world = await startTronDemo(T0);
      return { enabled: demoTronNetwork(world), head: world.head.number, stop: world.stop };
    },
  },
] as const;

describe.concurrent.each(FAMILIES)("$family", ({ lies, of_transactions, believed, start }) => {
  let world: LyingWorld;
  let honest: readonly Block[];
  const spoilers: Spoiler[] = [];
  const chains: OpenChain[] = [];

  /** A chain of one endpoint per lie, null for an honest one; they lie once all of them are known. */
  const chainOf = async (told: readonly (RelayLie | null)[], agree = 1): Promise<OpenChain> => {
    const nodes = await Promise.all(told.map(() => startSpoiler(endpointOf(world.enabled.rpc[0] ?? "").url)));
    spoilers.push(...nodes);
    const how = { rpc: nodes.map(({ url }) => url), log: silentLog, attempts_max: told.length + 1, agree };
    const chain = await openChain(world.enabled.network, how, signal);
    chains.push(chain);
    for (const [i, lie] of told.entries()) {
      const one = nodes[i];
      if (one !== undefined) one.lie = lie;
    }
    return chain;
  };
  const all = (chain: OpenChain): Promise<readonly Block[]> => chain.blocks(world.head - READ + 1, world.head, signal);

  beforeAll(async () => {
    world = await start();
    honest = await all(await chainOf([null]));
  });
  afterAll(async () => {
    for (const chain of chains) await chain.close();
    for (const spoiler of spoilers) await spoiler.close();
    await world?.stop();
  });

  test("does not call blocks verified whose logs, fees or balances no hash commits to", () => {
    expect(new Set(honest.map(({ verified }) => verified))).toEqual(new Set(["none"]));
  });

  // A slice runs each lie once, over each way of reading.
  test.each(eachNth<LieRow>(lies, 3))(
    "%s: rejects a long read, and any affected block that is read alone",
    async (_what, problem, lie) => {
      await expect(all(await chainOf([lie]))).rejects.toMatchObject({
        code: "UPSTREAM_UNAVAILABLE",
        message: expect.stringMatching(problem),
      });
    },
  );

  test.each(eachNth<LieRow>(lies, 3, 1))(
    "%s: reads the honest last blocks one by one, or rejects them",
    async (_what, _problem, lie) => {
      const chain = await chainOf([lie, null]);
      for (const block of honest.slice(-4)) {
        const [read] = await chain.blocks(block.number, block.number, signal);
        expect(digestOf(read)).toBe(digestOf(block));
      }
    },
  );

  test.each(eachNth<LieRow>(lies, 3, 2))(
    "%s on the first of two nodes: queries the second",
    async (_what, _problem, lie) => {
      expect(digestOf(await all(await chainOf([lie, null])))).toBe(digestOf(honest));
    },
  );

  test.each(eachNth<LieRow>(of_transactions, 2))(
    "%s: reads a transaction by its hash from the second node, and rejects it from one node alone",
    async (_what, problem, lie) => {
      const hash = toHex(
        honest.findLast(({ transactions }) => transactions.length > 0)?.transactions[0]?.hash ?? new Uint8Array(0),
      );
      const told = await (await chainOf([null])).transaction(hash, signal);
      expect(told?.mined).not.toBeNull();
      const alone = (await chainOf([lie])).transaction(hash, signal);
      await expect(alone).rejects.toMatchObject({
        code: "UPSTREAM_UNAVAILABLE",
        message: expect.stringMatching(problem),
      });
      expect(digestOf(await (await chainOf([lie, null])).transaction(hash, signal))).toBe(digestOf(told));
    },
  );

  test.each(eachNth<readonly [string, RelayLie]>(believed, 3))(
    "%s: trusts one node, as the threat model says; accepts nothing from two that must agree; accepts two of three",
    async (what, lie) => {
      expect(MODEL).toContain(`- ${what}\n`);
      expect(digestOf(await all(await chainOf([lie])))).not.toBe(digestOf(honest));
      const two = await chainOf([lie, null], 2);
      await expect(all(two)).rejects.toMatchObject({
        code: "UPSTREAM_UNAVAILABLE",
        message: expect.stringMatching(/do not agree/),
      });
      expect(two.disagreements).toBeGreaterThan(0);
      const three = await chainOf([lie, null, null], 2);
      expect(digestOf(await all(three))).toBe(digestOf(honest));
      expect(three.disagreements).toBeGreaterThan(0);
    },
  );

  test("accepts nothing when one of two nodes that must agree does not answer, and names the reason", async () => {
    const chain = await chainOf(["http_500", null], 2);
    await expect(all(chain)).rejects.toThrow(/2 endpoints must agree, and only 1 answered/);
  });
});

describe("Ethereum", () => {
  /** One more payment inside the first transaction of each block. */
  const paid = { type: "CALL", from: `0x${"a1".repeat(20)}`, to: `0x${"b0".repeat(20)}`, value: "0x7", input: "0x" };
  const lie: RelayLie = ({ what }, answer) => {
    if (what !== "debug_traceBlockByNumber" || !Array.isArray(answer.result)) return undefined;
    const [first, ...rest] = answer.result as readonly { readonly result: { readonly calls?: readonly object[] } }[];
    if (first === undefined) return undefined;
    return {
      ...answer,
      result: [{ ...first, result: { ...first.result, calls: [...(first.result.calls ?? []), paid] } }, ...rest],
    };
  };

  test("traces: trusts one node, as the threat model says; accepts nothing from two that must agree; accepts two of three", async () => {
    expect(MODEL).toContain("- traces: inner calls and what they moved\n");
    const replay = await serve(honestBlocks(8));
    const nodes = await Promise.all([1, 2, 3].map(() => startSpoiler(replay.url)));
    const [liar, one, other] = nodes.map(({ url }) => url);
    const { network } = ethereum();
    const read = async (rpc: readonly (string | undefined)[], agree: number) => {
      const how = { rpc: rpc.filter((url) => url !== undefined), log: silentLog, attempts_max: 4, agree };
      const chain = await openChain(network, how, signal);
      if (nodes[0] !== undefined) nodes[0].lie = lie;
      try {
        return digestOf(await chain.blocks(FIRST, FIRST + 7, signal));
      } finally {
        await chain.close();
        if (nodes[0] !== undefined) nodes[0].lie = null;
      }
    };
    try {
      const honest = await read([one], 1);
      expect(await read([liar], 1)).not.toBe(honest);
      await expect(read([liar, one], 2)).rejects.toMatchObject({
        code: "UPSTREAM_UNAVAILABLE",
        message: expect.stringMatching(/do not agree/),
      });
      expect(await read([liar, one, other], 2)).toBe(honest);
    } finally {
      for (const node of nodes) await node.close();
      await replay.close();
    }
  });
});
