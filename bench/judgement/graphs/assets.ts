import type { PaymentGraph } from "./graph.ts";

const split = (followed_usd: number, stopped_at_services_usd = 0, not_followed_usd = 0) => ({
  followed_usd,
  stopped_at_services_usd,
  not_followed_usd,
});

/** First 600 of the mixer, then 400 of the exchange; 500 go elsewhere, then 500 to the target. */
const ordered = (method: "haircut" | "fifo" | "poison", usd: number): PaymentGraph => ({
  name: `${method}: what came first and what left first`,
  rows: ["1: mixer > a 600 USDT", "2: exchange > a 400 USDT", "3: a > other 500 USDT", "4: a > target 500 USDT"],
  flagged: ["mixer"],
  services: ["exchange"],
  method,
  // The frontier is pro rata for every method: 300 of the mixer, 200 of the exchange.
  expected: { exposure: { "in indirect mixer": usd }, hops: 2, ...split(300, 200) },
});

/** First 1,000 stolen, then 1,000 clean; 1,000 become 0.4 ether (1,000 USD), which are paid on. */
const swappedInOrder = (method: "haircut" | "fifo" | "poison", usd: number): PaymentGraph => ({
  name: `${method}: the order of a swap`,
  rows: [
    "1: thief > a 1000 USDT",
    "2: exchange > a 1000 USDT",
    "3: a > pool 1000 USDT",
    "3: pool > a 0.4 ETH",
    "4: a > target 0.4 ETH",
  ],
  flagged: ["thief"],
  services: ["exchange", "pool"],
  method,
  expected: { exposure: { "in indirect thief": usd }, hops: 2, ...split(500, 500) },
});

/** Money that changes its form on the way: swaps, wraps, shares and receipts, and the order of payments. */
export const ASSETS: readonly PaymentGraph[] = [
  {
    // 100,000 USDT become 40 ETH; 20 of them are 50,000 USD.
    name: "a swap on the way",
    rows: ["1: sanctioned > a 100000 USDT", "2: a > router 100000 USDT", "2: pool > a 40 ETH", "3: a > target 20 ETH"],
    flagged: ["sanctioned"],
    services: ["router", "pool"],
    expected: { exposure: { "in indirect sanctioned": 50_000 }, hops: 2, ...split(50_000) },
  },
  {
    // A quarter of the USDT is stolen. 200,000 become 80 ETH, 20 of them stolen; with 20 clean ones it is 20 of 100.
    // 50 ETH carry 10: 25,000 of 125,000 USD.
    name: "a swap of mixed money into a coin that was there already",
    rows: [
      "1: thief > a 100000 USDT",
      "2: exchange > a 300000 USDT",
      "3: exchange > a 20 ETH",
      "4: a > router 200000 USDT",
      "4: pool > a 80 ETH",
      "5: a > target 50 ETH",
    ],
    flagged: ["thief"],
    services: ["exchange", "router", "pool"],
    expected: { exposure: { "in indirect thief": 25_000 }, hops: 2, ...split(25_000, 100_000) },
  },
  {
    // The coin and its wrapped form are one asset: 10 * 2,500.
    name: "a wrap",
    rows: ["1: mixer > a 10 ETH", "2: a > target 10 WETH"],
    flagged: ["mixer"],
    expected: { exposure: { "in indirect mixer": 25_000 }, hops: 2, ...split(25_000) },
  },
  {
    // 60,000 stolen USDT and 24 clean ETH (60,000) become 100 shares, half stolen. 50 of them become 30,000 USDT and 12 ETH
    // (30,000), each half stolen: 30,000 of 60,000.
    name: "liquidity that was added, passed on and removed",
    rows: [
      "1: thief > a 60000 USDT",
      "2: exchange > a 24 ETH",
      "3: a > pool 60000 USDT",
      "3: a > pool 24 ETH",
      "3: void > a 100 SHARES",
      "4: a > b 50 SHARES",
      "5: b > void 50 SHARES",
      "5: pool > b 30000 USDT",
      "5: pool > b 12 ETH",
      "6: b > target 30000 USDT",
      "7: b > target 12 ETH",
    ],
    flagged: ["thief"],
    services: ["exchange", "pool"],
    expected: { exposure: { "in indirect thief": 30_000 }, hops: 3, ...split(30_000, 30_000) },
  },
  {
    name: "a deposit with a lender and its withdrawal",
    rows: [
      "1: mixer > a 10 ETH",
      "2: a > lender 10 ETH",
      "2: void > a 10 RECEIPT",
      "3: a > void 10 RECEIPT",
      "3: lender > a 10 ETH",
      "4: a > target 10 ETH",
    ],
    flagged: ["mixer"],
    services: ["lender"],
    expected: { exposure: { "in indirect mixer": 25_000 }, hops: 2, ...split(25_000) },
  },
  {
    // The contract gave nothing of value: it was paid 10,000, and pays them on.
    name: "a worthless coin from an own contract does not keep the money back",
    rows: ["1: thief > a 10000 USDT", "2: a > vault 10000 USDT", "2: vault > a 5 JUNK", "3: vault > target 10000 USDT"],
    flagged: ["thief"],
    contracts: ["vault"],
    expected: { exposure: { "in indirect thief": 10_000 }, hops: 3, ...split(10_000) },
  },
  {
    // A piece without a price carries the money: bought for 1,000, sold for 1,200, and worth that at its arrival.
    name: "through a piece of art",
    rows: [
      "1: thief > a 1000 USDT",
      "2: a > market 1000 USDT",
      "2: market > a 1 ART",
      "3: a > b 1 ART",
      "4: b > market 1 ART",
      "4: market > b 1200 USDT",
      "5: b > target 1200 USDT",
    ],
    flagged: ["thief"],
    services: ["market"],
    expected: { exposure: { "in indirect thief": 1_200 }, hops: 3, ...split(1_200) },
  },
  {
    // A contract that pays out what it got in the same transaction: a third each.
    name: "a contract that spreads one payment",
    rows: [
      "1: thief > spreader 900 USDT",
      "1: spreader > a 300 USDT",
      "1: spreader > b 300 USDT",
      "1: spreader > target 300 USDT",
    ],
    flagged: ["thief"],
    contracts: ["spreader"],
    expected: { exposure: { "in indirect thief": 300 }, hops: 2, ...split(300) },
  },
  {
    // Received money is worth what it is when it arrives: 3,000. Paid money what it was when it left: 2,000 of 2,000.
    name: "a price that moves",
    rows: [
      "1: mixer > a 1 ETH @ 2000",
      "2: a > target 1 ETH @ 3000",
      "3: target > b 1 ETH @ 2000",
      "4: b > mixer 1 ETH @ 3000",
    ],
    flagged: ["mixer"],
    expected: { exposure: { "in indirect mixer": 3_000, "out indirect mixer": 2_000 }, ...split(5_000) },
  },
  // 600 of 1,000 in each payment.
  ordered("haircut", 300),
  // The first 500 are of the mixer, then its last 100 and 400 clean ones.
  ordered("fifo", 100),
  // Every payment after the mixer's.
  ordered("poison", 500),
  // Half of the USDT is stolen.
  swappedInOrder("haircut", 500),
  // The stolen 1,000 leave first.
  swappedInOrder("fifo", 1_000),
  swappedInOrder("poison", 1_000),
];
