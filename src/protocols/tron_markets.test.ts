/** SunSwap v1 and JustLend: logs as they were recorded, and ones that only look like them. */
import { describe, expect, test } from "vitest";
import type { EventLog } from "../chains/chain.ts";
import { EMPTY, fromHex, hex, toHex } from "../lib/bytes.ts";
import { decodeLog } from "./index.ts";
import { topicOf } from "./protocol.ts";
import { venuesOf } from "./venues.ts";

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const EXCHANGE = "a0a9d57ee9df8308bc29bcf881a569305260a0a5";
const FACTORY = hex("eed9e56a5cddaa15ef0c42984884a8afcf1bdebb");
const BUYER = "18ff186cb1973d4b29700f2aac6b1eec9e55ffbd";
const TOKEN = "834295921a488d9d42b4b3021ed1a3c39fb0f03e"; // the token of that exchange

interface ReportedLog {
  readonly address: string;
  readonly event: string;
  /** Indexed values. */
  readonly topics: readonly string[];
  readonly data?: string;
}

const log = ({ address, event, topics, data = "" }: ReportedLog): EventLog => ({
  address: fromHex(address) ?? EMPTY,
  topics: [topicOf(event), ...topics.map((topic) => fromHex(topic.padStart(64, "0")) ?? EMPTY)],
  data: fromHex(data) ?? EMPTY,
  index: 0,
});

/** Of transaction 67b91c87… of block 77641497, whose exchange got 9.9125 TRX of the router. */
const BOUGHT = [BUYER, word(9_912_500n), word(0x3fcbdf04566f1e10n)];

describe("SunSwap v1", () => {
  const facts = (event: string, topics: readonly string[], data?: string) =>
    decodeLog(log({ address: EXCHANGE, event, topics, ...(data === undefined ? {} : { data }) }));

  test("a purchase pays coins, a sale tokens; coins are the first token", () => {
    const [bought] = facts("TokenPurchase(address,uint256,uint256)", BOUGHT);
    expect(bought).toMatchObject({ fact: "swap", amount0: 9_912_500n, amount1: -0x3fcbdf04566f1e10n });
    expect(bought?.fact === "swap" && toHex(bought.caller)).toBe(BUYER);
    const sold = [BUYER, word(700n), word(90n)];
    for (const event of ["TrxPurchase", "EthPurchase"])
      expect(facts(`${event}(address,uint256,uint256)`, sold)).toMatchObject([
        { fact: "swap", amount0: -90n, amount1: 700n },
      ]);
  });

  test("decodes its reserves, its liquidity and its creation", () => {
    const pair = [BUYER, word(0x57b513a06fn), word(5n)];
    expect(facts("Snapshot(address,uint256,uint256)", pair)).toMatchObject([
      { fact: "pool_state", reserve0: 0x57b513a06fn, reserve1: 5n },
    ]);
    expect(facts("AddLiquidity(address,uint256,uint256)", pair)).toMatchObject([{ fact: "liquidity", kind: "mint" }]);
    expect(facts("RemoveLiquidity(address,uint256,uint256)", pair)).toMatchObject([
      { fact: "liquidity", kind: "burn" },
    ]);
    const [pool] = decodeLog(
      log({ address: FACTORY, event: "NewExchange(address,address)", topics: [TOKEN, EXCHANGE] }),
    );
    expect(pool?.fact === "pool" && [toHex(pool.pool), toHex(pool.token0), toHex(pool.token1)]).toEqual([
      EXCHANGE,
      "",
      TOKEN,
    ]);
    expect(venuesOf("tron").get(FACTORY)).toMatchObject({ venue: "sunswap_v1", fee_ppm: 3000 });
  });

  test("a sale of tokens that logs its values as data is no exchange's, and no amount is beyond what a column holds", () => {
    expect(facts("TokenPurchase(address,uint256,uint256)", [BUYER], word(1n) + word(2n))).toEqual([]);
    expect(facts("TokenPurchase(address,uint256,uint256)", BOUGHT, word(1n))).toEqual([]);
    expect(facts("TokenPurchase(address,uint256,uint256)", [BUYER, "ff".repeat(32), word(1n)])).toEqual([]);
    expect(facts("NewExchange(address,address)", [TOKEN])).toEqual([]);
  });
});

describe("JustLend", () => {
  const JUSDT = "ea09611b57e89d67fbb33a516eb90508ca95a3e5";
  const JTRX = "2c7c9963111905d29eb8da37d28b0f53a7bb5c28";
  const USDT = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
  const OTHER = hex("11".repeat(20));
  const facts = (address: string, event: string, ...words: readonly string[]) =>
    decodeLog(log({ address, event, topics: [], data: words.map((one) => one.padStart(64, "0")).join("") })).flatMap(
      (fact): readonly unknown[] =>
        fact.fact === "position"
          ? [[fact.kind, toHex(fact.account), fact.asset && toHex(fact.asset), fact.amount0, fact.liquidity]]
          : [fact.fact],
    );

  test("decodes deposits, withdrawals, loans and repayments in the market's asset; TRX has no address", () => {
    expect(facts(JUSDT, "Mint(address,uint256,uint256)", BUYER, word(500n), word(24n))).toEqual([
      ["lend", BUYER, USDT, 500n, 24n],
    ]);
    expect(facts(JTRX, "Redeem(address,uint256,uint256)", BUYER, word(500n), word(24n))).toEqual([
      ["unlend", BUYER, "", 500n, 24n],
    ]);
    expect(facts(JUSDT, "Borrow(address,uint256,uint256,uint256)", BUYER, word(7n), word(8n), word(9n))).toEqual([
      ["borrow", BUYER, USDT, 7n, 0n],
    ]);
    const repay = "RepayBorrow(address,address,uint256,uint256,uint256)";
    expect(facts(JUSDT, repay, OTHER, BUYER, word(7n), word(1n), word(9n))).toEqual([["repay", BUYER, USDT, 7n, 0n]]);
  });

  test("returns no facts for another contract or another length", () => {
    expect(facts(OTHER, "Mint(address,uint256,uint256)", BUYER, word(500n), word(24n))).toEqual([]);
    expect(facts(JUSDT, "Mint(address,uint256,uint256)", BUYER, word(500n))).toEqual([]);
    expect(facts(JUSDT, "Borrow(address,uint256,uint256,uint256)", BUYER, word(7n))).toEqual([]);
  });
});
