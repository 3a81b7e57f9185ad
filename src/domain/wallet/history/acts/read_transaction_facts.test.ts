import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../../../../test/facts_store.ts";
import { fixedChain } from "../../../../../test/fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, transfersOf } from "../../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../../lib/bytes.ts";
import { atOnce } from "../../../../lib/turns.ts";
import { readHistory } from "../history.ts";
import { transactionsOf } from "../transactions.ts";
import { readActs } from "./act.ts";

const WALLET = addressOf(0xa11ce);
const [ROUTER, POOL, STRANGER] = [addressOf(0x901), addressOf(0x900), addressOf(0x5)];
const [A, B] = [hex("aa".repeat(20)), hex("bb".repeat(20))];
const HEAD = 106;

const erc20 = (token: Hex, source: Hex, destination: Hex, amount: bigint) => ({
  ...{ kind: "erc20" as const, token, source, destination, amount },
});

/** Through an unknown router: the wallet deals with the router, and the router with the pool. */
const routed = (block: number) =>
  transfersOf({ block }, WALLET, [
    erc20(A, WALLET, ROUTER, 5n),
    erc20(A, ROUTER, POOL, 5n),
    erc20(B, POOL, ROUTER, 7n),
    erc20(B, ROUTER, WALLET, 7n),
  ]);

const transaction = (block: number) => ({
  ...{ network: "demo", block_number: block, tx_index: 0, hash: blockHash(block * 1_000), time: dayOf(block) },
  ...{ sender: bytesOf(WALLET), recipient: bytesOf(ROUTER), value: 0n, fee: 0n, gas_used: 1, nonce: 0, succeeded: 1 },
  ...{ selector: bytesOf(hex("01020304")), created: "" },
});

const swap = (block: number) => ({
  ...{ network: "demo", pool: bytesOf(POOL), block_number: block, tx_index: 0, log_index: 9, time: dayOf(block) },
  ...{ tx_hash: blockHash(block * 1_000), caller: bytesOf(ROUTER), recipient: bytesOf(ROUTER) },
  ...{ trader: bytesOf(WALLET), amount0: 5n, amount1: -7n },
});

let store: TestFacts;

beforeAll(async () => {
  store = await openTestFacts();
  const bare = (block: number) =>
    transfersOf({ block }, WALLET, [erc20(A, WALLET, STRANGER, 5n), erc20(B, STRANGER, WALLET, 7n)]);
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers: [...routed(101), ...bare(103), ...routed(105)],
      transactions: [101, 103, 105].map(transaction),
      swaps: [101, 105].map(swap),
    },
  );
});
afterAll(() => store.close());

const typesAt = async (block: number, from = 0): Promise<readonly string[]> => {
  const snapshot = await store.facts.snapshot("demo", block);
  const scope = { facts: store.facts, snapshot, chain: fixedChain({}), signal: AbortSignal.timeout(60_000) };
  const history = await readHistory(scope, WALLET, { from, until: dayOf(HEAD) + 86_400 });
  return atOnce(transactionsOf(history, { acts: await readActs(history), include_spam: false })).list.map(
    ({ type }) => type,
  );
};

test("a swap through an unknown router is a trade only when a pool traded", async () => {
  expect(await typesAt(HEAD)).toEqual(["swap", "other", "swap"]);
});

test("cached facts are extended for a later start, an earlier block and an earlier start", async () => {
  expect(await typesAt(HEAD, dayOf(102))).toEqual(["other", "swap"]);
  expect(await typesAt(104)).toEqual(["swap", "other"]);
  expect(await typesAt(HEAD)).toEqual(["swap", "other", "swap"]);
});
