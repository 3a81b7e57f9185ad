import type { EventLog } from "../src/chains/chain.ts";
import { type Operator, SILENT_OPERATOR } from "../src/domain/operator.ts";
import { type Hex, hex, toHex } from "../src/lib/bytes.ts";
import type { SourcedRule } from "../src/lib/risk_rule.ts";
import { replaceList } from "../src/store/lists.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import { analyzeTransaction } from "../src/tools/analyze_transaction/index.ts";
import { seenTransaction } from "./activity_scenario.ts";
import { blockHash, openTestFacts, type TestFacts } from "./facts_store.ts";
import { type FixedState, fixedChain } from "./fixed_chain.ts";
import { runTool } from "./fixtures/run_tool.ts";
import { logOf } from "./sample_logs.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, tokenRow, transactionsOf, transfersOf } from "./value_rows.ts";

/** Deposits and withdrawals of a service, in dollars of two coins that are worth one; blocks are a day apart. */

const who = (byte: string): Hex => hex(byte.repeat(20));
export const [USDC, DAI] = [who("50"), who("51")];
export const [MIXER, LISTED, POOL] = [who("11"), who("13"), who("15")];
const [THIEF, EXCHANGE] = [who("12"), who("14")];
/** The service that asks: where deposits arrive, and from which withdrawals leave. */
export const DEPOSIT = who("21");
const PAYOUT = who("22");
export const [DILUTED, CLEAN, SWAPPER, FRIEND] = [who("31"), who("33"), who("34"), who("35")];
const [WASHER, STRANGER] = [who("32"), who("36")];
const [MULE, PAYEE] = [who("37"), who("38")];

const IMPORTED_MS = 1_785_628_800_000;
const DOLLAR = 10n ** 6n;
type ScenarioLeg = readonly [token: Hex, source: Hex, destination: Hex, dollars: number];

/** Legs of each transaction by block and index. */
export const TRANSACTIONS: readonly (readonly [block: number, index: number, legs: readonly ScenarioLeg[]])[] = [
  [101, 0, [[USDC, EXCHANGE, DILUTED, 1_200]]],
  [101, 1, [[USDC, MIXER, DILUTED, 400]]],
  [102, 0, [[USDC, DILUTED, DEPOSIT, 800]]],
  [102, 1, [[DAI, EXCHANGE, WASHER, 90_000]]],
  [102, 2, [[USDC, THIEF, WASHER, 1_000]]],
  [103, 0, [[USDC, WASHER, DEPOSIT, 1_000]]],
  [103, 1, [[USDC, EXCHANGE, CLEAN, 500]]],
  [104, 0, [[USDC, CLEAN, DEPOSIT, 500]]],
  [104, 1, [[USDC, LISTED, DEPOSIT, 70]]],
  [104, 2, [[USDC, MIXER, SWAPPER, 1_000]]],
  [
    105,
    0,
    [
      [USDC, SWAPPER, POOL, 1_000],
      [DAI, POOL, DEPOSIT, 1_000],
    ],
  ],
  [105, 1, [[USDC, EXCHANGE, PAYOUT, 5_000]]],
  [106, 0, [[USDC, PAYOUT, LISTED, 300]]],
  [
    106,
    1,
    [
      [USDC, PAYOUT, FRIEND, 100],
      [USDC, PAYOUT, LISTED, 50],
    ],
  ],
  [106, 2, [[USDC, STRANGER, DEPOSIT, 40]]],
  // 5,000 of a pool with a tenth of the mixer's, and 45,000 clean ones.
  [101, 2, [[USDC, EXCHANGE, MULE, 9_000]]],
  [101, 3, [[USDC, MIXER, MULE, 1_000]]],
  [102, 3, [[USDC, MULE, PAYEE, 5_000]]],
  [103, 2, [[USDC, EXCHANGE, PAYEE, 45_000]]],
  // After the deposit of 102: it does not count there.
  [107, 0, [[USDC, LISTED, DILUTED, 9_000]]],
];

const transferLog = ([token, source, destination, dollars]: ScenarioLeg, index: number): EventLog => ({
  ...logOf("Transfer(address,address,uint256)", [source, destination], [BigInt(dollars) * DOLLAR]),
  address: bytesOf(token),
  index,
});

export const hashOf = (block: number, index: number): Hex => toHex(blockHash(block * 1_000 + index));

export const seenOf = ([block, index, legs]: (typeof TRANSACTIONS)[number], change = {}) =>
  seenTransaction({
    block: { number: block, hash: toHex(blockHash(block)), time: dayOf(block) },
    transaction: {
      index,
      hash: bytesOf(hashOf(block, index)),
      sender: bytesOf(legs[0]?.[1] ?? STRANGER),
      recipient: bytesOf(legs[0]?.[0] ?? USDC),
      logs: legs.map(transferLog),
      ...change,
    },
  });

const label = (address: Hex, category: string): TableRows["labels"] => ({
  ...{ network: "demo", address: bytesOf(address), source: "operator", label: `A ${category}`, category, entity: "" },
  ...{ confidence: 0.95, evidence: "", written_at: 1, valid_from: 0, licence: "", published_on: "" },
});

/** The story in a store of its own, to be closed. */
export const openScreeningStory = async (): Promise<TestFacts> => {
  const store = await openTestFacts();
  const transfers = TRANSACTIONS.flatMap(([block, tx_index, legs]) =>
    transfersOf(
      { block, tx_index },
      legs[0]?.[1] ?? STRANGER,
      legs.map(([token, source, destination, dollars]) => ({
        ...{ kind: "erc20" as const, token, source, destination, amount: BigInt(dollars) * DOLLAR },
      })),
    ),
  );
  const rows = {
    blocks: dailyBlocks(110),
    transfers,
    transactions: transactionsOf(transfers),
    tokens: [tokenRow(USDC, "USDC", 6), tokenRow(DAI, "DAI", 6)],
  };
  const labels = [label(MIXER, "mixer"), label(THIEF, "theft"), label(EXCHANGE, "exchange"), label(POOL, "dex")];
  await store.seed({ network: "demo", from: 0, to: 110 }, { ...rows, labels });
  const late = <T extends object>(all: readonly T[]) => all.map((row) => ({ ...row, network: "late" }));
  await store.seed(
    { network: "late", from: 100, to: 110, first: 1 },
    {
      ...rows,
      blocks: late(rows.blocks),
      transfers: late(transfers),
      transactions: late(rows.transactions),
      tokens: late(rows.tokens),
      labels: late(labels),
    },
  );
  const entry = { family: "evm", address: LISTED, asset_code: "ETH", entity: "A listed person", program: "P" };
  await replaceList(
    store,
    {
      ...{ list: "authority", kind: "sanctions", version: "v7", format: "sanctions-json" },
      ...{ origin: "test", licence: "CC0-1.0", published_on: "2026-08-01" },
    },
    { kind: "sanctions", entries: [{ ...entry, listed_on: "2024-01-02", delisted_on: "" }], now_ms: IMPORTED_MS },
  );
  return store;
};

export interface ScreeningCase {
  readonly at: readonly [block: number, index: number];
  readonly asset?: string;
  readonly direction?: "in" | "out";
  readonly method?: "haircut" | "fifo" | "poison";
  readonly network?: string;
  readonly rules?: readonly SourcedRule[];
  readonly age_hours?: number;
  readonly state?: FixedState;
}

const stablecoins = [
  { symbol: "USDC", address: USDC, peg: "USD" },
  { symbol: "DAI", address: DAI, peg: "USD" },
] as const;

/** The chain of the story. */
export const storyChain = (network: string, state?: FixedState) => {
  const transactions = Object.fromEntries(TRANSACTIONS.map((one) => [hashOf(one[0], one[1]), seenOf(one)]));
  const blocks = Array.from({ length: 121 }, (_, number) => {
    const [hash, parent_hash] = [toHex(blockHash(number)), toHex(blockHash(Math.max(0, number - 1)))];
    return { number, hash, parent_hash, time: dayOf(number) };
  });
  return fixedChain({
    ...{ blocks, transactions },
    ...state,
    network: { id: network, stablecoins: [...stablecoins], wrapped_native: addressOf(0xe) },
  });
};

/** Sanctions lists of an age, at the time of the story. */
export const listsOfAge = (hours: number): Operator["sanctions"] => ({
  max_age_hours: 168,
  now_ms: () => IMPORTED_MS + hours * 3_600_000,
});

/** Runs the tool on a transaction of the story. */
export const analyzeStory = (
  store: TestFacts,
  { at: [block, index], network = "demo", rules = [], age_hours = 1, state, ...asked }: ScreeningCase,
) => {
  const chain = storyChain(network, state);
  const context = {
    facts: store.facts,
    chain: () => chain,
    networks: [network],
    operator: { ...SILENT_OPERATOR, readRiskRules: async () => rules, sanctions: listsOfAge(age_hours) },
    signal: AbortSignal.timeout(30_000),
  };
  return runTool(analyzeTransaction, { tx_hash: `0x${hashOf(block, index)}`, network, ...asked }, context);
};
