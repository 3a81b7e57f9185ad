// @long: alone
import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { openChain } from "../../src/chains/families.ts";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import { DEMO_CONTRACTS } from "../../src/demo/evm/characters.ts";
import { type Hex, hex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { RunningService } from "../../src/main.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { startRandomChain } from "../fixtures/random_chain.ts";
import { caughtUp, openDemoWorld, openTestService } from "./served_world.ts";

interface BalancePair {
  readonly token: Hex;
  readonly holder: Hex;
}

/** Every (token, holder) that any transfer ever named; token '' is the native coin. ERC-1155 only has balances per id. */
const pairsOf = async ({ facts }: RunningService, network: string): Promise<BalancePair[]> => {
  const rows = await facts.engine.query(
    `SELECT DISTINCT lower(hex(token)), lower(hex(address)) FROM ledger WHERE network = '${network}' AND kind != 'erc1155' ORDER BY 1, 2`,
  );
  return rows.map(([token, holder]) => ({ token: hex(String(token)), holder: hex(String(holder)) }));
};

/** Null: the contract has no `balanceOf(address)`, or does not exist yet. */
const nodeBalances = async (chain: Chain, pairs: readonly BalancePair[], at: number): Promise<(bigint | null)[]> => {
  const signal = AbortSignal.timeout(170_000);
  const native = pairs.filter(({ token }) => token === "");
  const tokens = pairs.filter(({ token }) => token !== "");
  const holders = native.map(({ holder }) => holder);
  const coins = await chain.nativeBalances(holders, signal, at);
  const balances = await chain.tokenBalances(tokens, signal, at);
  const amounts = new Map<BalancePair, bigint | null>();
  for (const [i, pair] of native.entries()) amounts.set(pair, coins[i] ?? null);
  for (const [i, pair] of tokens.entries()) amounts.set(pair, balances[i] ?? null);
  return pairs.map((pair) => amounts.get(pair) ?? null);
};

interface Difference extends BalancePair {
  readonly block: number;
  readonly ours: string;
  readonly theirs: string;
}

const differences = async (service: RunningService, chain: Chain, skip: ReadonlySet<Hex>): Promise<Difference[]> => {
  const { facts } = service.facts;
  const network = chain.network.id;
  const head = (await facts.snapshot(network, null)).block.number;
  const blocks = Array.from({ length: 11 }, (_, i) => Math.round((head * i) / 10)).reverse();
  const all = (await pairsOf(service, network)).filter(({ token }) => !skip.has(token));
  const answers = await nodeBalances(chain, all, head);
  const pairs = all.filter((_, i) => answers[i] !== null);
  expect(pairs.length).toBeGreaterThan(20);
  const found: Difference[] = [];
  for (const block of blocks) {
    const snapshot = await facts.snapshot(network, block === head ? null : block);
    const ours = await facts.balanceOf(snapshot, pairs);
    const theirs = await nodeBalances(chain, pairs, block);
    for (const [i, pair] of pairs.entries()) {
      // Before its creation a contract has no answer, and no holders.
      const expected = theirs[i] ?? 0n;
      if (ours[i] !== expected) found.push({ ...pair, block, ours: String(ours[i]), theirs: String(expected) });
    }
  }
  return found;
};

test("matches every balance at the head and at ten earlier blocks of the demo world with the node's, rebasing tokens excepted", async () => {
  const stage = await openDemoWorld();
  try {
    const network = networkFromConfig({ id: "demo", ...stage.world.network });
    const chain = await openChain(network, { rpc: [stage.world.url], log: silentLog }, AbortSignal.timeout(170_000));
    const rebasing = new Set([hex(DEMO_CONTRACTS.drift.slice(2).toLowerCase())]);
    expect(await differences(stage.service, chain, rebasing)).toEqual([]);
    await chain.close();
  } finally {
    await stage.close();
  }
});

test.each([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])(
  "matches every balance at the head and at ten earlier blocks of random chain %i with the node's",
  async (seed) => {
    const random = await startRandomChain({ seed, acts: 220 });
    const network = networkFromConfig({
      id: "random",
      chain_id: random.chain_id,
      native: { symbol: "ETH", decimals: 18 },
      wrapped_native: random.weth,
    });
    const enabled: EnabledNetwork = {
      network,
      rpc: [random.url],
      from_block: 0,
      to_block: null,
      poll_ms: 200,
      venues: [],
      openings: "read",
    };
    const stage = await openTestService({ networks: [enabled] });
    try {
      await caughtUp(stage.service);
      const chain = await openChain(network, { rpc: [random.url], log: silentLog }, AbortSignal.timeout(170_000));
      expect(await differences(stage.service, chain, new Set())).toEqual([]);
      await chain.close();
    } finally {
      await stage.close();
      await random.stop();
    }
  },
);
