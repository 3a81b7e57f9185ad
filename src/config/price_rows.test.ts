import { expect, test } from "vitest";
import { readFeed, readPriceRows } from "./price_rows.ts";

const HOUR = 1_800_000_000;

test("tables are read in CSV and JSON, with unix seconds, ISO times or none", () => {
  const csv = "network,token,price_usd,time\nn,native,2.5,2027-01-15T08:00:00Z\nn,0xab,1,1800000001\nn,native,3,\n";
  expect(readPriceRows(csv, "csv", 9)).toEqual([
    { network: "n", token: "native", price_usd: 2.5, time: HOUR },
    { network: "n", token: "0xab", price_usd: 1, time: HOUR + 1 },
    { network: "n", token: "native", price_usd: 3, time: 9 },
  ]);
  const json = '[{"network":"n","token":"native","price_usd":2.5,"time":1800000000}]';
  expect(readPriceRows(json, "json", 9)).toEqual([{ network: "n", token: "native", price_usd: 2.5, time: HOUR }]);
});

test.each([
  ["a price of nothing", "n,native,0,1", "row 1: price_usd"],
  ["a negative price", "n,native,-1,1", "row 1: price_usd"],
  ["words for a price", "n,native,two,1", "row 1: price_usd"],
  ["a price beyond all", "n,native,1e13,1", "row 1: price_usd"],
  ["a time in words", "n,native,1,yesterday", "row 1: time"],
  ["a column too many", "n,native,1,1\n", ""],
])("%s is refused with its row, or read", (_, line, fault) => {
  const read = () => readPriceRows(`network,token,price_usd,time\n${line}\n`, "csv", 0);
  if (fault === "") expect(read()).toHaveLength(1);
  else expect(read).toThrow(fault);
});

test("price services are read in both shapes, and nothing else is taken for one", () => {
  // The documented answers of both services.
  const gecko = '{"ethereum":{"usd":1900.5,"last_updated_at":1800000000},"odd":{"usd":2}}';
  expect(readFeed(gecko, "coingecko")).toEqual(
    new Map([
      ["ethereum", { price_usd: 1900.5, time: HOUR }],
      ["odd", { price_usd: 2, time: null }],
    ]),
  );
  const llama =
    '{"coins":{"coingecko:ethereum":{"decimals":18,"symbol":"ETH","price":1900.5,"timestamp":1800000000,"confidence":0.99}}}';
  expect(readFeed(llama, "defillama")).toEqual(new Map([["coingecko:ethereum", { price_usd: 1900.5, time: HOUR }]]));
  for (const body of ["", "[]", "<html>", '{"ethereum":{"usd":-1}}', '{"ethereum":{"usd":1e400}}', '{"coins":3}'])
    for (const shape of ["coingecko", "defillama"] as const) {
      const read = readFeed(body, shape);
      expect([body, shape, read === null || read.size === 0]).toEqual([body, shape, true]);
    }
});
