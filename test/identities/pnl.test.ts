import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import { demoSolanaNetwork } from "../../src/commands/demo_chains.ts";
import { type SolanaWorld, startSolanaWorld } from "../../src/demo/solana/world.ts";
import { caughtUp, openStage, openWorldStage, type Stage, T0, type WorldStage } from "../e2e/stage.ts";
import { type Answer, contradictions, type HeldAnswers } from "./pnl_figures.ts";

/**
 * Every wallet that holds something in a demo world: its PnL ends with the balances that its holdings show, also where the
 * index has not read what was there before its first block.
 */

let evm: WorldStage;
let others: Stage;
let solana: SolanaWorld;
const found: Record<string, HeldAnswers[]> = {};

const WRAPPED_SOL = "So11111111111111111111111111111111111111112";

interface Where {
  readonly stage: Stage;
  readonly network: string;
  readonly wallets: readonly string[];
  readonly wrapped: string | null;
}

const AT_ONCE = 4;

const askAbout = async ({ stage, network, wrapped }: Where, name: string): Promise<HeldAnswers> => {
  const [pnl, holdings] = await Promise.all([
    stage.ask("get_wallet_pnl", { address: name, network, include_spam: true, records_per_page: 100 }),
    stage.ask("get_wallet_token_holdings", { wallet_address: name, network, include_spam: true, limit: 500 }),
  ]);
  return { name, pnl: pnl.body, holdings: holdings.body, wrapped };
};

const askAll = async (where: Where): Promise<HeldAnswers[]> => {
  const left = [...where.wallets];
  const all: HeldAnswers[] = [];
  const askRest = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) all.push(await askAbout(where, name));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askRest));
  return all;
};

/** Services on the demo world that do not read what was there before their first block: its genesis, or half of its history. */
const FIRST_BLOCKS = { without_genesis: 0, from_the_middle: 150 } as const;
/** Those of them that are asked about; the bank has all coins of the genesis. */
const SOME = ["bank", "alice", "bob", "carol", "dave", "erin", "frank", "heidi", "validator"] as const;

beforeAll(async () => {
  evm = await openWorldStage();
  const { characters, contracts } = evm.world;
  const on = { network: "demo", wrapped: contracts.weth ?? null };
  const wallets = [...Object.values(characters), ...Object.values(contracts)];
  found.evm = await askAll({ ...on, stage: evm, wallets });
  for (const [name, from_block] of Object.entries(FIRST_BLOCKS)) {
    const network = { ...demoNetwork(evm.world), poll_ms: 50, openings: "skip", from_block } as const;
    const stage = await openStage({ networks: [network], listed: [network.network] });
    await caughtUp(stage.service);
    found[name] = await askAll({ ...on, stage, wallets: SOME.map((character) => characters[character]) });
    await stage.close();
  }
  solana = await startSolanaWorld(T0);
  const network = { ...demoSolanaNetwork(solana), poll_ms: 50 };
  others = await openStage({ networks: [network], listed: [network.network] });
  await caughtUp(others.service);
  const of_solana = Object.values(solana.characters);
  found.solana = await askAll({ stage: others, network: "demo-solana", wallets: of_solana, wrapped: WRAPPED_SOL });
});
afterAll(async () => {
  await others?.close();
  await solana?.stop();
  await evm?.close();
});

/** Fewer would mean that a world, or how its wallets are found, has lost some. */
const FEWEST = { evm: 150, without_genesis: 9, from_the_middle: 9, solana: 15 } as const;

test.each(["evm", "without_genesis", "from_the_middle", "solana"] as const)(
  "books end with the balances that are held: %s",
  (world) => {
    const all = found[world] ?? [];
    expect(all.length).toBeGreaterThanOrEqual(FEWEST[world]);
    expect(all.flatMap(contradictions)).toEqual([]);
  },
);

test("balances are compared, and not only their absence", () => {
  for (const all of Object.values(found)) {
    expect(
      all.filter(({ pnl }) => pnl.data?.some(({ holdings }: Answer) => holdings.current_amount > 0)).length,
    ).toBeGreaterThan(6);
  }
});

test("a balance that is one unit off is found", () => {
  const answers = structuredClone((found.evm ?? []).find(({ pnl }) => pnl.data?.length > 1));
  if (answers === undefined) throw new Error("no wallet has two tokens");
  expect(contradictions(answers)).toEqual([]);
  const { holdings } = answers.pnl.data[0];
  holdings.current_amount_raw = (BigInt(holdings.current_amount_raw) + 1n).toString();
  expect(contradictions(answers)).toHaveLength(1);
});

test("a row that is missing is found", () => {
  const answers = structuredClone((found.evm ?? []).find(({ holdings }) => holdings.holdings?.length > 0));
  if (answers === undefined) throw new Error("no wallet holds anything");
  expect(contradictions({ ...answers, pnl: { ...answers.pnl, data: [] } }).length).toBeGreaterThan(0);
});

test("an outcome that one tool does not tell is found", () => {
  const answers = structuredClone(
    (found.evm ?? []).find(({ holdings }) =>
      holdings.holdings?.some(({ outcome }: Answer) => outcome === "unsellable"),
    ),
  );
  if (answers === undefined) throw new Error("nobody holds what cannot be sold");
  expect(contradictions(answers)).toEqual([]);
  for (const row of answers.holdings.holdings) row.outcome = null;
  expect(contradictions(answers).length).toBeGreaterThan(0);
});
