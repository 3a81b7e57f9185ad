import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../test/fixed_chain.ts";
import { EMPTY, type Hex, hex, intToHex, padHex, toHex } from "../lib/bytes.ts";
import { silentLog } from "../lib/log.ts";
import { topicOf } from "../protocols/protocol.ts";
import { venuesOf } from "../protocols/venues.ts";
import { newsOf } from "./encoded.ts";
import { openEnricher } from "./enrich.ts";
import { type BlockRows, emptyRows, type TransfersRow } from "./rows.ts";

const [ALICE, BOB, TOKEN, POOL, FAKE, FACTORY] = [1, 2, 3, 4, 5, 6].map((number) => toHex(testAddress(number))) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]; // six numbers, six addresses

const signal = new AbortController().signal;
const RANGE = { from: 10, to: 10 };

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const word = (value: Hex | number): Hex =>
  typeof value === "number" ? intToHex(BigInt(value), 32) : padHex(value, 32);
const selector = (signature: string): Hex => toHex(topicOf(signature).subarray(0, 4));
const bytes = (text: Hex) => Buffer.from(text, "hex");

const enricherOn = (network: string, state: FixedState, from_block = 10) => {
  const own = [{ venue: "demo_v2", family: "uniswap_v2" as const, network, factory: FACTORY, fee_ppm: 3000 }];
  const chain = fixedChain({ ...state, network: { id: network, ...state.network } });
  return openEnricher({
    chain,
    store,
    venues: venuesOf(network, own),
    from_block,
    openings: "read",
    log: silentLog,
  });
};

const REFS = [9, 10].map((number) => ({
  number,
  hash: hex("aa"),
  parent_hash: hex("bb"),
  time: 1_700_000_000 + number,
}));

const transfer = (network: string, some: Partial<TransfersRow>): TransfersRow => ({
  network,
  block_number: 10,
  time: 1_700_000_010,
  tx_index: 0,
  position: 0,
  kind: "erc20",
  token: bytes(TOKEN),
  token_id: 0n,
  source: bytes(ALICE),
  destination: bytes(BOB),
  amount: 5n,
  sender: bytes(ALICE),
  ...some,
});

const rowsOf = (some: Partial<BlockRows>): BlockRows => ({ ...emptyRows(), ...some });

test("reads a token's metadata once, also of a contract that is no token", async () => {
  const network = "tokens";
  const state = { blocks: REFS, tokens: { [TOKEN]: { standard: "erc20", symbol: "TOK", decimals: 6 } } };
  const rows = rowsOf({ transfers: [transfer(network, {}), transfer(network, { token: bytes(FAKE) })] });
  await enricherOn(network, state)(RANGE, rows, signal);
  // Another process and another answer: the stored row stays.
  await enricherOn(network, { ...state, tokens: {} })(RANGE, rows, signal);
  const found = await store.query(
    `SELECT lower(hex(token)), standard, symbol, decimals, read_at_block FROM tokens WHERE network = '${network}' ORDER BY token`,
  );
  expect(found).toEqual([
    [TOKEN, "erc20", "TOK", 6, "10"],
    [FAKE, "", null, null, "10"],
  ]);
});

test("a pool created before the first indexed block is stored only if its factory confirms it", async () => {
  const network = "pools";
  const pairs = [ALICE, BOB];
  const answer: NonNullable<FixedState["answer"]> = ({ to, data }) => {
    // Both contracts claim the same factory and tokens; the factory knows one of them.
    if (to === FACTORY && data === selector("getPair(address,address)") + pairs.map(word).join("")) {
      return { ok: true, data: word(POOL) };
    }
    if (to !== POOL && to !== FAKE) return null;
    if (data === selector("factory()")) return { ok: true, data: word(FACTORY) };
    if (data === selector("token0()")) return { ok: true, data: word(ALICE) };
    return data === selector("token1()") ? { ok: true, data: word(BOB) } : null;
  };
  const state = (pool: Hex) => ({
    network,
    block_number: 10,
    time: 1_700_000_010,
    log_index: 0,
    pool: bytes(pool),
    reserve0: 1n,
    reserve1: 1n,
    sqrt_price_x96: 0n,
    liquidity: 0n,
    tick: 0,
  });
  await enricherOn(network, { blocks: REFS, answer })(
    RANGE,
    rowsOf({ pool_states: [state(POOL), state(FAKE)] }),
    signal,
  );
  const found = await store.query(
    `SELECT lower(hex(pool)), family, venue, lower(hex(factory)), lower(hex(token0)), lower(hex(token1)), fee_ppm FROM pools_read WHERE network = '${network}'`,
  );
  expect(found).toEqual([[POOL, "uniswap_v2", "demo_v2", FACTORY, ALICE, BOB, 3000]]);
});

/** Curve's registry on ethereum, from the list of venues. */
const REGISTRY = "f98b45fa17de75fb1ad0e7afd971b0ca00e379fc";
const VAULT = "ba12222222228d8ba445958a75a0704d566bf2c8";
const NATIVE = hex("ee".repeat(20));

const swapIn = (network: string, pool: Hex) => ({
  network,
  block_number: 10,
  time: 1_700_000_010,
  tx_index: 0,
  log_index: 0,
  tx_hash: bytes(hex("ab")),
  pool: bytes(pool),
  caller: EMPTY,
  recipient: EMPTY,
  trader: bytes(ALICE),
  amount0: 1n,
  amount1: -1n,
});

const pairsOf = (network: string) =>
  store.query(
    `SELECT lower(hex(pool)), family, venue, lower(hex(factory)), lower(hex(token0)), lower(hex(token1)) FROM pools_read WHERE network = '${network}' ORDER BY pool`,
  );

test("a pair of a Curve pool has the coins that the pool names, and its venue only if the registry knows the pool", async () => {
  const network = "ethereum";
  const answer: NonNullable<FixedState["answer"]> = ({ to, data }) => {
    if (to === REGISTRY) {
      // `is_registered(address)`: the registry fails for an unknown pool.
      return data === selector("is_registered(address)") + word(POOL) ? { ok: true, data: word(1) } : null;
    }
    // The first pools number their coins with int128. Coin 2 of POOL is the native one.
    const coins = to === POOL ? "coins(uint256)" : "coins(int128)";
    if (data === selector(coins) + word(0)) return { ok: true, data: word(TOKEN) };
    if (data === selector(coins) + word(2)) return { ok: true, data: word(NATIVE) };
    return null;
  };
  const state = { blocks: REFS, answer, network: { wrapped_native: BOB } };
  const rows = rowsOf({
    swaps: [
      swapIn(network, hex(`${POOL}0002`)),
      swapIn(network, hex(`${FAKE}0002`)),
      // Neither method returns coin 1.
      swapIn(network, hex(`${POOL}0102`)),
    ],
  });
  await enricherOn(network, state)(RANGE, rows, signal);
  expect(await pairsOf(network)).toEqual([
    [`${POOL}0002`, "curve", "curve", REGISTRY, TOKEN, BOB],
    [`${FAKE}0002`, "curve", "", "", TOKEN, BOB],
  ]);
});

test("a pair of a Balancer pool follows from its id, without a call", async () => {
  const network = "polygon";
  const id = hex(`${"dd".repeat(32)}${ALICE}${BOB}`);
  // A node that answers nothing at all. Its tokens are marked as known, because the reader would query them too.
  const answer: NonNullable<FixedState["answer"]> = ({ data }) => {
    throw new Error(`asked ${data}`);
  };
  await enricherOn(network, { blocks: REFS, answer })(RANGE, rowsOf({ swaps: [swapIn(network, id)] }), signal);
  expect(await pairsOf(network)).toEqual([[id, "balancer_v2", "balancer_v2", VAULT, ALICE, BOB]]);
});

test("of the swaps of a range one of every pair is news", () => {
  const pair = hex(`${POOL}0001`);
  const swaps = [swapIn("news", pair), swapIn("news", POOL), { ...swapIn("news", pair), log_index: 1 }];
  expect(newsOf(rowsOf({ swaps }), "skip").swaps.map(({ pool }) => toHex(pool))).toEqual([pair]);
});

const openingsOf = (network: string) =>
  store.query(
    `SELECT lower(hex(holder)), lower(hex(token)), toString(amount), block_number FROM openings WHERE network = '${network}' ORDER BY holder, token`,
  );

const HELD: FixedState = {
  blocks: REFS,
  accounts: { [ALICE]: { balance: 70n }, [BOB]: { balance: 0n } },
  token_balances: { [`${TOKEN}:${ALICE}`]: 8n },
};
const MOVES = (network: string) =>
  rowsOf({
    transfers: [
      transfer(network, {}),
      transfer(network, { kind: "fee", token: EMPTY, destination: EMPTY }),
      transfer(network, { kind: "erc1155", token: bytes(FAKE) }),
    ],
  });

test("balances before the first block are read at the block before, without zeros", async () => {
  await enricherOn("opened", { ...HELD, can: { archive: true } })(RANGE, MOVES("opened"), signal);
  expect(await openingsOf("opened")).toEqual([
    [ALICE, "", "70", "9"],
    [ALICE, TOKEN, "8", "9"],
  ]);
});

test("a chain that is indexed from its first block opens with that block's native coins", async () => {
  // The chain has no block 8, so 9 is its first.
  await enricherOn("genesis", { ...HELD, can: { archive: false } }, 9)(RANGE, MOVES("genesis"), signal);
  expect(await openingsOf("genesis")).toEqual([[ALICE, "", "70", "9"]]);
});

test("without the state of old blocks no opening is invented", async () => {
  await enricherOn("pruned", { ...HELD, can: { archive: false } })(RANGE, MOVES("pruned"), signal);
  expect(await openingsOf("pruned")).toEqual([]);
});

test("a pair that moved in an earlier segment has its opening already", async () => {
  const network = "moved";
  await store.seed({ network, from: 10, to: 10 }, { transfers: MOVES(network).transfers });
  await enricherOn(network, { ...HELD, can: { archive: true } })(RANGE, MOVES(network), signal);
  expect(await openingsOf(network)).toEqual([]);
});

test("a node that does not answer stops the range, so that no fact is missing", async () => {
  const enrich = enricherOn("down", { ...HELD, down: true });
  await expect(enrich(RANGE, MOVES("down"), signal)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});

test("pools of known venues and the network's own contracts get labels", async () => {
  const network = "labels";
  const pool = {
    network,
    block_number: 10,
    time: 1_700_000_010,
    tx_index: 0,
    log_index: 0,
    tx_hash: bytes(hex("ab")),
    pool: bytes(POOL),
    family: "uniswap_v2",
    venue: "uniswap_v2",
    factory: bytes(FACTORY),
    token0: bytes(ALICE),
    token1: bytes(BOB),
    fee_ppm: 3000,
    tick_spacing: 0,
    creator: bytes(ALICE),
    hooks: bytes(""),
  };
  const rows = rowsOf({ pools: [pool, { ...pool, pool: bytes(FAKE), venue: "" }] });
  const named = { id: network, stablecoins: [{ symbol: "USDX", address: TOKEN, peg: "USD" }] };
  await enricherOn(network, { blocks: REFS, network: named })(RANGE, rows, signal);
  const found = await store.query(
    `SELECT lower(hex(address)), source, label, category, entity, evidence FROM labels WHERE network = '${network}' AND source IN ('network', 'pools') ORDER BY address`,
  );
  expect(found).toEqual([
    [TOKEN, "network", "USDX", "stablecoin_contract", "", "the network's list in this project"],
    [POOL, "pools", "Uniswap v2 pool", "dex", "Uniswap", "0xab"],
    [FACTORY, "network", "demo v2 factory", "dex", "demo", "the network's list in this project"],
  ]);
  const [zero] = await store.query(
    `SELECT label, category FROM labels WHERE network = '${network}' AND address = unhex('${"00".repeat(20)}')`,
  );
  expect(zero, "labels that hold on every network hold on this one").toEqual(["Zero address", "burn"]);
});
