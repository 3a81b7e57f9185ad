import type { PaymentGraph } from "./graph.ts";

const split = (followed_usd: number, stopped_at_services_usd = 0, not_followed_usd = 0) => ({
  followed_usd,
  stopped_at_services_usd,
  not_followed_usd,
});

const peeled = Array.from({ length: 13 }, (_, i) => i + 1);
const many = Array.from({ length: 20 }, (_, i) => `mule${i}`);
const scammers = Array.from({ length: 50 }, (_, i) => `scammer${i}`);

/** How much arrives: dilution, distance, splits, cycles and limits. */
export const AMOUNTS: readonly PaymentGraph[] = [
  {
    // All of the wallet's USDT is of the sanctioned address: 50,000 of 50,000. Its 400 ETH (1,000,000 USD) are another pool.
    name: "sanctioned money through a wallet that also holds 400 clean ether",
    rows: ["1: sanctioned > mixed 100000 USDT", "2: exchange > mixed 400 ETH", "3: mixed > target 50000 USDT"],
    flagged: ["sanctioned"],
    services: ["exchange"],
    expected: { exposure: { "in indirect sanctioned": 50_000 }, hops: 2, ...split(50_000) },
  },
  {
    // 10 ETH * 2,500 of the exchange, and no USDT.
    name: "the clean ether of a wallet that also holds sanctioned money",
    rows: ["1: sanctioned > mixed 100000 USDT", "2: exchange > mixed 400 ETH", "3: mixed > target 10 ETH"],
    flagged: ["sanctioned"],
    services: ["exchange"],
    expected: { exposure: {}, ...split(0, 25_000) },
  },
  {
    // 96 directly, below the 100 of dust; 904 of the exchange.
    name: "96 USD directly from a sanctioned address",
    rows: ["1: sanctioned > target 96 USDT", "2: exchange > target 904 USDT"],
    flagged: ["sanctioned"],
    services: ["exchange"],
    expected: { exposure: { "in direct sanctioned": 96 }, dust: ["sanctioned"], hops: 1, ...split(96, 904) },
  },
  {
    // Nothing is added or taken on the way.
    name: "500,000 USD four steps away",
    rows: [
      "1: sanctioned > a 500000 USDT",
      "2: a > b 500000 USDT",
      "3: b > c 500000 USDT",
      "4: c > target 500000 USDT",
    ],
    flagged: ["sanctioned"],
    expected: { exposure: { "in indirect sanctioned": 500_000 }, hops: 4, ...split(500_000) },
  },
  {
    // 13 addresses peel off 36,000 each: 1,300,000 - 13 * 36,000 = 832,000, which is 64 %.
    name: "64 % of a theft after a peel chain of 13",
    rows: [
      "0: thief > peel1 1300000 USDT",
      ...peeled.flatMap((i) => [
        `${2 * i}: peel${i} > shop${i} 36000 USDT`,
        `${2 * i + 1}: peel${i} > ${i === 13 ? "target" : `peel${i + 1}`} ${1_300_000 - 36_000 * i} USDT`,
      ]),
    ],
    flagged: ["thief"],
    expected: { exposure: { "in indirect thief": 832_000 }, hops: 14, ...split(832_000) },
  },
  {
    // The collector holds 20 * 5,000 stolen and 100,000 clean: of 150,000 half is stolen.
    name: "fan-out to 20 mules and fan-in at a collector with clean money",
    rows: [
      ...many.map((mule, i) => `${i}: thief > ${mule} 5000 USDT`),
      ...many.map((mule, i) => `${20 + i}: ${mule} > collector 5000 USDT`),
      "40: exchange > collector 100000 USDT",
      "41: collector > target 150000 USDT",
    ],
    flagged: ["thief"],
    services: ["exchange"],
    expected: { exposure: { "in indirect thief": 75_000 }, hops: 3, ...split(75_000, 75_000) },
  },
  {
    // b holds 1,000 of a (all tainted) and 1,000 clean: the 1,000 that return to a carry 500, and so does the payment.
    name: "a cycle dilutes once",
    rows: [
      "1: mixer > a 1000 USDT",
      "2: exchange > b 1000 USDT",
      "3: a > b 1000 USDT",
      "4: b > a 1000 USDT",
      "5: a > target 1000 USDT",
    ],
    flagged: ["mixer"],
    services: ["exchange"],
    expected: { exposure: { "in indirect mixer": 500 }, hops: 4, ...split(500, 500) },
  },
  {
    // An exchange pays from what all of its customers paid in.
    name: "a service in the middle ends the trace",
    rows: ["1: sanctioned > exchange 1000 USDT", "2: exchange > target 1000 USDT"],
    flagged: ["sanctioned"],
    services: ["exchange"],
    expected: { exposure: {}, ...split(0, 1_000) },
  },
  {
    name: "a hub in the middle is not followed, and the answer counts it",
    rows: ["1: sanctioned > hub 1000 USDT", "2: hub > target 1000 USDT"],
    flagged: ["sanctioned"],
    unread: ["hub"],
    expected: { exposure: {}, ...split(0, 0, 1_000) },
  },
  {
    // 300 of the 1,000 reach the mixer, 700 the exchange.
    name: "a payment that is split",
    rows: ["1: target > a 1000 USDT", "2: a > mixer 300 USDT", "3: a > exchange 700 USDT"],
    flagged: ["mixer"],
    services: ["exchange"],
    expected: { exposure: { "out indirect mixer": 300 }, hops: 2, ...split(300, 700) },
  },
  {
    // 50 * 4 USD, each less than 100.
    name: "dust from 50 sources is listed",
    rows: scammers.map((scammer, i) => `${i}: ${scammer} > target 4 USDT`),
    flagged: scammers,
    expected: {
      exposure: Object.fromEntries(scammers.map((scammer) => [`in direct ${scammer}`, 4])),
      dust: scammers,
      ...split(200),
    },
  },
  {
    // a holds 3,000 + 1,000 + 6,000: of 5,000 a half of each.
    name: "two sources mix with clean money",
    rows: ["1: thief > a 3000 USDT", "2: mixer > a 1000 USDT", "3: exchange > a 6000 USDT", "4: a > target 5000 USDT"],
    flagged: ["thief", "mixer"],
    services: ["exchange"],
    expected: { exposure: { "in indirect thief": 1_500, "in indirect mixer": 500 }, ...split(2_000, 3_000) },
  },
  {
    // 400 go back; the rest is all tainted.
    name: "money that returns to the source",
    rows: ["1: mixer > a 1000 USDT", "2: a > mixer 400 USDT", "3: a > target 600 USDT"],
    flagged: ["mixer"],
    expected: { exposure: { "in indirect mixer": 600 }, hops: 2, ...split(600) },
  },
  {
    // Received 500 from the mixer and 500 of its own again, and paid 500: 1,500 in all, and each unit of the mixer once.
    name: "money that returns to its owner counts once",
    rows: ["1: mixer > target 500 USDT", "2: target > a 500 USDT", "3: a > target 500 USDT"],
    flagged: ["mixer"],
    expected: { exposure: { "in direct mixer": 500 }, hops: 1, ...split(1_500) },
  },
  {
    name: "one source on three ways",
    rows: [
      "1: thief > a 100 USDT",
      "2: thief > b 200 USDT",
      "3: a > target 100 USDT",
      "4: b > target 200 USDT",
      "5: thief > target 50 USDT",
    ],
    flagged: ["thief"],
    expected: { exposure: { "in direct thief": 50, "in indirect thief": 300 }, ...split(350) },
  },
  {
    // The 600 beyond the known receipt of 400 have no known origin.
    name: "a payment beyond the known receipts",
    rows: ["1: mixer > a 400 USDT", "2: a > target 1000 USDT"],
    flagged: ["mixer"],
    expected: { exposure: { "in indirect mixer": 400 }, hops: 2, ...split(400, 0, 600) },
  },
  {
    // A label of a service takes nothing from a label of a risk.
    name: "a sanctioned address that also carries the label of a deposit address",
    rows: ["1: sanctioned > target 700 USDT", "2: target > sanctioned 200 USDT"],
    flagged: ["sanctioned"],
    services: ["sanctioned"],
    expected: { exposure: { "in direct sanctioned": 700, "out direct sanctioned": 200 }, hops: 1, ...split(900) },
  },
];
