import { afterAll, beforeAll, expect, test } from "vitest";
import { massRows, openTestFacts, seedUpTo, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf } from "../../../../test/random.ts";
import { toHex } from "../../../lib/bytes.ts";
import type { Facts } from "../../../store/facts.ts";
import { readWhole } from "../../address/movements/read_whole.ts";
import { airdropsAmong } from "../holdings/airdrops.ts";
import { positionCollections } from "./collections.ts";

// Findings from the wallet's movements in memory, compared with those of the store's ledger, on generated movements:
// tokens sent to many addresses, solicited or not, and NFTs of contracts that reported positions.

const network = "demo";
const [FINAL, HEAD] = [60, 80];
const [WALLET, OTHER] = [testAddress(0xa1), testAddress(0xb2)];
const TOKENS = Array.from({ length: 12 }, (_, n) => testAddress(0x70 + n));
const MANAGERS = Array.from({ length: 5 }, (_, n) => testAddress(0xc0 + n));
const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(SEED);
  const at = (block_number: number, tx_index: number) => {
    return { network, block_number, tx_index, time: 1_700_000_000 + 12 * block_number };
  };
  const piece = { token_id: 0n, amount: 1n };
  const drawn = Array.from({ length: 60 }, (_, n) => {
    const place = at(1 + dice(HEAD), n);
    const token = TOKENS[dice(TOKENS.length)] ?? OTHER;
    const sender = dice(20) === 0 ? WALLET : OTHER;
    const receivers = dice(2) === 0 ? Array.from({ length: 105 }, (_unused, i) => testAddress(0x9000 + i)) : [];
    return [WALLET, ...receivers].map((destination, position) => {
      return { ...place, ...piece, position, kind: "erc20" as const, token, source: OTHER, destination, sender };
    });
  }).flat();
  const given = Array.from({ length: 30 }, (_, n) => {
    const [source, destination] = dice(2) === 0 ? [OTHER, WALLET] : [WALLET, OTHER];
    const nft = { kind: "erc721" as const, token: MANAGERS[dice(MANAGERS.length)] ?? OTHER, token_id: BigInt(dice(4)) };
    return { ...at(1 + dice(HEAD), 100 + n), position: 0, amount: 1n, ...nft, source, destination, sender: OTHER };
  });
  const position_events = Array.from({ length: 40 }, (_, n) => {
    const contract = MANAGERS[dice(MANAGERS.length)] ?? OTHER;
    const nft = Buffer.concat([contract, Buffer.from(String(dice(4)))]);
    const subject = dice(5) === 0 ? WALLET : nft;
    const kind = dice(3) === 0 ? ("collect" as const) : ("increase" as const);
    const amounts = { pool: OTHER, asset: "", amount0: 1n, amount1: 1n, liquidity: 1n };
    return {
      ...at(1 + dice(HEAD), 200 + n),
      log_index: n,
      tx_hash: testAddress(n),
      kind,
      contract,
      subject,
      ...amounts,
    };
  });
  const transfers = [...drawn, ...given];
  const rows = { transfers, position_events, mass_transfers: massRows(transfers) };
  await seedUpTo(store, { network, from: 1, final: FINAL, head: HEAD }, rows);
});
afterAll(() => store.close());

/** Facts without a cache, with the list of queries sent to them. */
const open = (keeps: boolean) => {
  const asked: string[] = [];
  const kept = new Map<unknown, object>();
  const facts: Facts = {
    ...store.facts,
    own: (kind) => {
      const made = kept.get(kind) ?? new kind();
      if (keeps) kept.set(kind, made);
      return made as InstanceType<typeof kind>; // the constructor of the class made this value
    },
    ask: (snapshot, query, params) => {
      asked.push(query);
      return store.facts.ask(snapshot, query, params);
    },
  };
  return { facts, asked };
};

test("airdrops and collections of positions are those that the store finds in the ledger", async () => {
  const wallet = toHex(WALLET);
  let [dropped, told] = [0, 0];
  for (const as_of of [null, HEAD - 5, FINAL, 20]) {
    const snapshot = await store.facts.snapshot(network, as_of);
    const [cold, warm] = [open(false), open(true)];
    const [tokens, contracts] = [TOKENS.map(toHex), MANAGERS.map(toHex)];
    const right = await airdropsAmong({ facts: cold.facts, snapshot }, { wallet, transfers: null }, tokens);
    const managers = await positionCollections({ facts: cold.facts, snapshot }, wallet, contracts);
    expect(cold.asked).toEqual(["holdings/airdrops", "positions/collections"]);
    const scope = { facts: warm.facts, snapshot };
    expect([...(await airdropsAmong(scope, { wallet, transfers: 90 }, tokens))].sort()).toEqual([...right]);
    expect(await positionCollections(scope, wallet, contracts)).toEqual(managers);
    expect(warm.asked.filter((query) => cold.asked.includes(query))).toEqual([]);
    [dropped, told] = [dropped + right.size, told + managers.length];
  }
  expect(Math.min(dropped, told)).toBeGreaterThan(3);
});

test("a wallet with no known movements, or too many, is not read into memory", async () => {
  const snapshot = await store.facts.snapshot(network, null);
  const { facts } = open(true);
  const wallet = toHex(WALLET);
  expect(await readWhole({ facts, snapshot }, wallet, null)).toBeNull();
  expect(await readWhole({ facts, snapshot }, wallet, 2_001)).toBeNull();
  expect((await readWhole({ facts, snapshot }, wallet, 2_000))?.since).toBe(0);
  expect((await readWhole({ facts, snapshot }, wallet, null))?.since).toBe(0);
});
