import fc from "fast-check";
import { expect, test } from "vitest";
import { bytes, word } from "../../test/sample_logs.ts";
import { EMPTY, toHex } from "../lib/bytes.ts";
import { decodeLog, PROTOCOLS } from "./index.ts";
import { topicOf } from "./protocol.ts";

test("first topics are the published ones", () => {
  const listed: readonly (readonly [string, string])[] = [
    ["erc20", "ddf252ad"],
    ["uniswap_v2_swap", "d78ad95f"],
    ["uniswap_v2_sync", "1c411e9a"],
    ["uniswap_v2_mint", "4c209b5f"],
    ["uniswap_v2_burn", "dccd412f"],
    ["uniswap_v2_pair_created", "0d3648bd"],
    ["uniswap_v3_swap", "c42079f9"],
    ["pancake_v3_swap", "19b47279"],
    ["uniswap_v3_burn", "0c396cd9"],
    ["uniswap_v3_pool_created", "783cca1c"],
    ["curve_stable_exchange", "8b3e96f2"],
    ["weth_deposit", "e1fffcc4"],
    ["weth_withdrawal", "7fcf532c"],
    ["ownership_transferred", "8be0079c"],
    ["upgraded", "bc7cd75a"],
  ];
  const topics = new Map(PROTOCOLS.map(({ name, event }) => [name, toHex(topicOf(event)).slice(0, 8)]));
  expect(listed.map(([name]) => [name, topics.get(name)])).toEqual(listed);
});

test("an unsigned log yields no facts", () => {
  expect(decodeLog({ address: EMPTY, topics: [], data: EMPTY, index: 0 })).toEqual([]);
});

test("hostile bytes never make a decoder throw", () => {
  const someBytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(fc.constantFrom(0, 1, 32, 64, 96, -1, 2 ** 31), { maxLength: 9 })
      .map((words) => bytes(words.map(word).join(""))),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...PROTOCOLS),
      fc.array(someBytes, { maxLength: 5 }),
      someBytes,
      (protocol, topics, data) => {
        const log = { address: EMPTY, topics: [topicOf(protocol.event), ...topics], data, index: 0 };
        expect(Array.isArray(protocol.decode(log))).toBe(true);
        expect(Array.isArray(decodeLog(log))).toBe(true);
      },
    ),
    { numRuns: 3000 },
  );
});
