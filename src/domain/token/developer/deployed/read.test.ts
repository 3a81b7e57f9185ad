import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../../test/facts_store.ts";
import { diceOf } from "../../../../../test/random.ts";
import { toHex } from "../../../../lib/bytes.ts";
import { readDeployed, readDeployedTotals, totalsOf } from "./read.ts";

// Contracts of an account, on random creations, compared with a plain loop.

const network = "demo";
const BLOCKS = 40;
const NOTHING = new Uint8Array();
const [OWNER, OTHER, FACTORY] = [testAddress(0xb0b), testAddress(0xb0c), testAddress(0xfac)];
/** Of these addresses the first half are tokens, every fourth is a pool. */
const ADDRESSES = Array.from({ length: 40 }, (_, number) => testAddress(0xc00 + number));
const TOKENS = ADDRESSES.slice(0, 20);
const POOLS = ADDRESSES.filter((_, number) => number % 4 === 0);

const drawnCreation = (dice: (below: number) => number, position: number) => {
  const block_number = dice(BLOCKS);
  return {
    ...{ network, block_number, tx_index: dice(2), position, time: 1_700_000_000 + block_number * 12 },
    ...{ tx_hash: testAddress(block_number), address: ADDRESSES[dice(ADDRESSES.length)] ?? OTHER, init_hash: NOTHING },
    ...{ event: dice(9) === 0 ? ("destroyed" as const) : ("created" as const), method: "create2" as const },
    ...{ creator: dice(3) === 0 ? OTHER : OWNER, factory: dice(3) === 0 ? FACTORY : NOTHING },
    code_hash: dice(4) === 0 ? NOTHING : testAddress(dice(3)),
  };
};

const tokenRow = (token: Uint8Array, read_at_block: number, symbol: string) => ({
  ...{ network, token, standard: "erc20", name: null, symbol, decimals: 6, total_supply: null, has_hidden: 0 },
  read_at_block,
});

const poolRow = (pool: Uint8Array, log_index: number) => ({
  ...{ network, block_number: 1, tx_index: 0, log_index, time: 1_700_000_012, tx_hash: testAddress(1), pool },
  ...{ family: "uniswap_v2", venue: "", factory: FACTORY, creator: FACTORY, token0: OWNER, token1: OTHER },
  ...{ fee_ppm: 3_000, tick_spacing: 0, hooks: NOTHING },
});

let store: TestFacts;
let creations: readonly ReturnType<typeof drawnCreation>[] = [];
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(13);
  creations = Array.from({ length: 120 }, (_, position) => drawnCreation(dice, position));
  const read = TOKENS.flatMap((token) => [tokenRow(token, 5, "OLD"), tokenRow(token, 9, "NEW")]);
  await store.writer.insert("tokens", read);
  // Known from the contract alone: no factory announced a pool.
  const told = {
    ...{ network, pool: TOKENS[1] ?? OTHER, family: "uniswap_v2", venue: "", factory: FACTORY, token0: OWNER },
    ...{ token1: OTHER, fee_ppm: 3_000, tick_spacing: 0 },
  };
  await store.writer.insert("pools_read", [told]);
  await store.seed({ network, from: 0, to: BLOCKS - 1 }, { contracts: creations, pools: POOLS.map(poolRow) });
});
afterAll(() => store.close());

const created = () =>
  creations
    .filter(({ event }) => event === "created")
    .sort((a, b) => b.block_number - a.block_number || b.tx_index - a.tx_index || b.position - a.position);

const expectedOf = (with_children: boolean, kind: string) => {
  const own = created()
    .filter(({ creator, factory }) => creator === OWNER && (with_children || factory === NOTHING))
    .filter(({ address }) => kind === "all" || TOKENS.includes(address) === (kind === "token"));
  return own.map((row) => ({
    ...{ address: toHex(row.address), block_number: row.block_number, tx_index: row.tx_index, position: row.position },
    ...{ time: row.time, tx_hash: toHex(row.tx_hash), factory: toHex(row.factory), code_hash: toHex(row.code_hash) },
    same_code: own.filter(({ code_hash }) => toHex(code_hash) === toHex(row.code_hash)).length,
    standard: TOKENS.includes(row.address) ? "erc20" : "",
    ...{ name: null, symbol: TOKENS.includes(row.address) ? "NEW" : null },
    is_pool: POOLS.includes(row.address),
    is_replaced: created().find(({ address }) => address === row.address) !== row,
  }));
};

const CASES = [true, false].flatMap((with_children) =>
  ["all", "token", "contract"].map((kind) => ({ with_children, kind })),
);

test.each(CASES)("contracts with $with_children children of kind $kind", async ({ with_children, kind }) => {
  const scope = { facts: store.facts, snapshot: await store.facts.snapshot(network, null) };
  const filter = { creator: toHex(OWNER), with_children, kind };
  const expected = expectedOf(with_children, kind);
  expect(expected.some(({ is_replaced }) => is_replaced)).toBe(true);
  expect(await readDeployed(scope, filter, { limit: 1_000, offset: 0 })).toEqual(expected);
  expect(await readDeployed(scope, filter, { limit: 4, offset: 3 })).toEqual(expected.slice(3, 7));
  const hashes = expected.map(({ code_hash }) => code_hash);
  const times = expected.map(({ time }) => time);
  const totals = {
    total: expected.length,
    tokens: expected.filter(({ standard }) => standard !== "").length,
    distinct_code: new Set(hashes.filter((hash) => hash !== "")).size,
    without_code_hash: hashes.filter((hash) => hash === "").length,
    ...{ first_at: Math.min(...times), last_at: Math.max(...times) },
  };
  expect(await readDeployedTotals(scope, filter)).toEqual(totals);
  expect(totalsOf(await readDeployed(scope, filter, { limit: 1_000, offset: 0 }))).toEqual(totals);
});
