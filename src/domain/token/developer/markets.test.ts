import { afterAll, beforeAll, expect, test } from "vitest";
import { pool, state, USDC } from "../../../../test/developer_rows.ts";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, dailyBlocks, dayOf, priceRow, tokenRow } from "../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { type DeveloperMarket, readMarketStates, readMarkets, readValuer } from "./markets.ts";

const [DRAINED, TOLD, HALF] = [addressOf(0xd1), addressOf(0xd2), addressOf(0xd3)];
const [POOL_DRAINED, POOL_HALF] = [addressOf(0x91), addressOf(0x92)];
const HEAD = 110;
const UNTOLD_POOL = (token: Hex): Hex => hex(`${token}0001`);

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      pools: [pool(POOL_DRAINED, DRAINED, 104), pool(POOL_HALF, HALF, 104)],
      // A coin of the token against one dollar: the rest of a market.
      pool_states: [state(POOL_DRAINED, 104, [1n, 1n]), state(POOL_HALF, 104, [1n, 1n])],
    },
  );
  await store.writer.insert("tokens", [
    ...[DRAINED, TOLD, HALF].map((token) => tokenRow(token, "TOK", 18)),
    tokenRow(USDC, "USDC", 6),
  ]);
  await store.writer.insert("prices", [priceRow(USDC, dayOf(HEAD), 1)]);
  const curve = (token: Hex) => ({
    network: "demo",
    pool: Buffer.from(UNTOLD_POOL(token), "hex"),
    family: "curve",
    venue: "curve",
    factory: Buffer.from(addressOf(0xfac), "hex"),
    token0: Buffer.from(token, "hex"),
    token1: Buffer.from(USDC, "hex"),
    fee_ppm: 0,
    tick_spacing: 0,
  });
  await store.writer.insert("pools_read", [curve(TOLD), curve(HALF)]);
});
afterAll(() => store.close());

test("a drained market has no value; a pool of unknown contents leaves the value unknown", async () => {
  const chain = fixedChain({ network: { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] } });
  const snapshot = await store.facts.snapshot("demo", HEAD);
  const scope = { facts: store.facts, snapshot, chain, signal: AbortSignal.timeout(10_000) };
  const markets: readonly DeveloperMarket[] = await readMarkets(scope, [DRAINED, TOLD, HALF]);
  expect(markets).toHaveLength(4);
  const time = dayOf(HEAD);
  const valuer = await readValuer(scope, [DRAINED, TOLD, HALF, USDC], [{ token: USDC, time }]);
  const states = await readMarketStates(scope, markets, { block: HEAD, time, valuer });
  // One dollar is left: too little for a market.
  expect(states.get(DRAINED)).toEqual({ depth_usd: 1, price_usd: 0 });
  expect(states.get(TOLD)).toEqual({ depth_usd: null, price_usd: null });
  expect(states.get(HALF)).toEqual({ depth_usd: null, price_usd: null });
});
