import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../test/fixed_chain.ts";
import { type Hex, hex, padHex, toHex } from "../lib/bytes.ts";
import { silentLog } from "../lib/log.ts";
import { topicOf } from "../protocols/protocol.ts";
import { venuesOf } from "../protocols/venues.ts";
import { openEnricher } from "./enrich.ts";
import { emptyRows } from "./rows.ts";

const [COIN, TOKEN, POOL, FAKE, FACTORY] = [2, 3, 4, 5, 6].map((number) => toHex(testAddress(number))) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]; // five numbers, five addresses

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const word = (bytes: Hex): Hex => padHex(bytes, 32);
const selector = (signature: string): Hex => toHex(topicOf(signature).subarray(0, 4));
const bytes = (text: Hex) => Buffer.from(text, "hex");

test("an exchange of one token against the coin is a pool if its factory knows it by that token", async () => {
  const network = "single_pools";
  const answer: NonNullable<FixedState["answer"]> = ({ to, data }) => {
    if (to === FACTORY && data === selector("getExchange(address)") + word(TOKEN))
      return { ok: true, data: word(POOL) };
    if (to !== POOL && to !== FAKE) return null;
    if (data === selector("factoryAddress()")) return { ok: true, data: word(FACTORY) };
    return data === selector("tokenAddress()") ? { ok: true, data: word(TOKEN) } : null;
  };
  const place = { network, block_number: 10, time: 1_700_000_010, log_index: 0 };
  const holds = { reserve0: 1n, reserve1: 1n, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 };
  const pool_states = [POOL, FAKE].map((pool) => ({ ...place, ...holds, pool: bytes(pool) }));
  const own = [{ venue: "demo_v2", family: "uniswap_v2" as const, network, factory: FACTORY, fee_ppm: 3000 }];
  const blocks = [9, 10].map((number) => ({
    number,
    hash: hex("aa"),
    parent_hash: hex("bb"),
    time: 1_700_000_000 + number,
  }));
  const enrich = openEnricher({
    chain: fixedChain({ blocks, answer, network: { id: network, wrapped_native: COIN } }),
    ...{ store, venues: venuesOf(network, own), from_block: 10, openings: "read", log: silentLog },
  });
  await enrich({ from: 10, to: 10 }, { ...emptyRows(), pool_states }, new AbortController().signal);
  const found = await store.query(
    `SELECT lower(hex(pool)), family, venue, lower(hex(token0)), lower(hex(token1)), fee_ppm FROM pools_read WHERE network = '${network}'`,
  );
  expect(found).toEqual([[POOL, "uniswap_v2", "demo_v2", COIN, TOKEN, 3000]]);
});
