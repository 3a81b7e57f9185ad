import { LruMap } from "toad-cache";
import { expect, test } from "vitest";
import { fixedChain } from "../../../test/fixed_chain.ts";
import type { CallResult, ContractCall } from "../../chains/chain.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { BlockClock } from "./block_clock.ts";
import { type MarketMemory, NodeMarket, openMarketMemory } from "./node_market.ts";

const addressOf = (number: number): Hex => hex(number.toString(16).padStart(40, "0"));
const [FACTORY, NATIVE] = [addressOf(1), addressOf(2)];
const TOKENS = [addressOf(10), addressOf(11), addressOf(12)];
const BLOCK = { number: 100, time: 1_700_000_000 };

/** A factory whose pool of a token with the native coin has the token's number and 1,000; tokens have as many decimals as their number. */
const openMarket = (memory: MarketMemory) => {
  const asked = { pairs: 0, tokens: 0 };
  const answer = ({ data }: ContractCall): CallResult => {
    asked.pairs += 1;
    const words = data.slice(8);
    const numbers = [words.slice(0, 64), words.slice(64)].map((word) => Number.parseInt(word, 16));
    return { ok: true, data: Buffer.from(addressOf(1_000 + Math.max(...numbers)).padStart(64, "0"), "hex") };
  };
  const fixed = fixedChain({ network: { wrapped_native: NATIVE, stablecoins: [] } });
  const chain = {
    ...fixed,
    call: async (calls: readonly ContractCall[]) => calls.map(answer),
    logs: async () => ({ logs: [], requests: 1 }),
    tokenMetadata: async (tokens: readonly Hex[]) => {
      asked.tokens += tokens.length;
      return tokens.map((token) => ({
        ...{ token, standard: null, name: null, symbol: null, total_supply: null },
        decimals: Number.parseInt(token, 16),
      }));
    },
  };
  const venues = [
    { venue: "swap", family: "uniswap_v2", network: chain.network.id, factory: FACTORY, fee_ppm: 3_000 } as const,
  ];
  const signal = new AbortController().signal;
  return { market: new NodeMarket({ chain, venues, memory, block: BLOCK, last_block: 100, signal }), asked };
};

const clock = () => new BlockClock({ from_block: 0, ref: async () => null });

test("pools and decimals are read once", async () => {
  const { market, asked } = openMarket(openMarketMemory(clock()));
  for (let round = 0; round < 2; round += 1) {
    expect((await market.find(TOKENS, [])).map(({ pool }) => pool)).toEqual([1_010, 1_011, 1_012].map(addressOf));
    expect([...(await market.decimalsOf(TOKENS)).values()]).toEqual([10, 11, 12]);
  }
  expect(asked).toEqual({ pairs: 3, tokens: 3 });
});

test("what a full memory forgets is not missing from an answer", async () => {
  const memory = { ...openMarketMemory(clock()), pools: new LruMap<never>(1), decimals: new LruMap<never>(1) };
  const { market } = openMarket(memory);
  for (let round = 0; round < 2; round += 1) {
    expect(await market.find(TOKENS, [])).toHaveLength(3);
    expect((await market.decimalsOf(TOKENS)).size).toBe(3);
  }
  expect([memory.pools.size, memory.decimals.size]).toEqual([1, 1]);
});

test("the memory of a network is bounded", () => {
  const { pools, decimals } = openMarketMemory(clock());
  for (let i = 0; i < 50_000; i += 1) {
    pools.set(`${i}`, { at: 1, pools: [] });
    decimals.set(addressOf(i), 18);
  }
  expect([pools.size, decimals.size]).toEqual([20_000, 20_000]);
});
