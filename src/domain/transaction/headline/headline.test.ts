/** Headlines of constructed transactions: each rule alone, figures by hand. */

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  caseOf,
  emitted,
  moved,
  OTHER,
  POOL,
  ROUTER,
  SAFE,
  TOKEN,
  TRANSFER,
  VAULT,
  WETH,
} from "../../../../test/headline_cases.ts";
import { ALICE, BOB, bytes, logOf } from "../../../../test/sample_logs.ts";
import type { EventLog } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import type { HeadlineCase } from "./case.ts";
import { headlineOf } from "./headline.ts";
import { KINDS } from "./types.ts";

const TRADE = "Swap(address,uint256,uint256,uint256,uint256,address)";
const SETTLEMENT = "9008d19f58aabd9ed0d60971565aa8510560ab41";

const plain = (sides: readonly { token: string; amount: bigint }[]) =>
  sides.map(({ token, amount }) => [token, amount]);

test("reports the sent coin, not its wrapped form, and the router, not its pools", () => {
  const logs = [
    emitted(WETH, 0, logOf("Deposit(address,uint256)", [ROUTER], [5])),
    moved(WETH, [ROUTER, POOL, 5], 1),
    emitted(POOL, 2, logOf(TRADE, [ROUTER, ALICE], [5, 0, 0, 9])),
    moved(TOKEN, [POOL, ALICE, 9], 3),
  ];
  const label = { entity: "Some Router", label: "Some Router: v7", tags: ["dex"] };
  const headline = headlineOf(caseOf({ value: 5n, logs }, { [ROUTER]: label }));
  expect(headline).toMatchObject({
    ...{ type: "swap", category: "swap", actor: ALICE, basis: "movements" },
    protocol: { name: "Some Router", version: "v7" },
  });
  expect([plain(headline?.given ?? []), plain(headline?.received ?? [])]).toEqual([[["", 5n]], [[TOKEN, 9n]]]);
});

test("the signer of an order acts, not its filler", () => {
  const trade = "Trade(address,address,address,uint256,uint256,uint256,bytes)";
  const logs = [
    emitted(SETTLEMENT, 0, logOf(trade, [BOB], [TOKEN, OTHER, 40, 30, 0, 192, 0])),
    moved(TOKEN, [BOB, SETTLEMENT, 40], 1),
    moved(OTHER, [SETTLEMENT, BOB, 30], 2),
  ];
  expect(headlineOf(caseOf({ recipient: bytes(SETTLEMENT), logs }))).toMatchObject({
    ...{ type: "swap", actor: BOB, protocol: { name: "CoW Protocol" } },
    given: [{ token: TOKEN, amount: 40n }],
    received: [{ token: OTHER, amount: 30n }],
  });
});

test("a Safe acts, not the sending owner", () => {
  const logs = [
    moved(TOKEN, [SAFE, VAULT, 12], 0),
    emitted(VAULT, 1, logOf("Deposit(address,address,uint256,uint256)", [SAFE, SAFE], [12, 10])),
    moved(VAULT, ["00".repeat(20), SAFE, 10], 2),
    emitted(SAFE, 3, logOf("ExecutionSuccess(bytes32,uint256)", [], ["11".repeat(32), 0])),
  ];
  expect(headlineOf(caseOf({ recipient: bytes(SAFE), logs }))).toMatchObject({
    ...{ type: "deposit", category: "stake", actor: SAFE, protocol: null, basis: "standard" },
    given: [{ token: TOKEN, amount: 12n }],
    received: [{ token: VAULT, amount: 10n }],
  });
});

test("a token minted by a curve is bought, a share minted by a vault is received for a deposit", () => {
  const made = (amount: bigint) => emitted(TOKEN, 0, logOf(TRANSFER, ["00".repeat(20), ALICE], [amount.toString(16)]));
  // 2 coins for 5,000,000 tokens of 18 decimals; then for 1.9 of them.
  const bought = headlineOf(caseOf({ value: 2n * 10n ** 18n, logs: [made(5_000_000n * 10n ** 18n)] }));
  expect(bought).toMatchObject({ type: "swap", category: "swap", actor: ALICE, basis: "movements" });
  expect(plain(bought?.received ?? [])).toEqual([[TOKEN, 5_000_000n * 10n ** 18n]]);
  expect(headlineOf(caseOf({ value: 2n * 10n ** 18n, logs: [made(19n * 10n ** 17n)] }))?.type).toBe("deposit");
});

test("reads prices only for an exchange of one asset for another", () => {
  const priced: string[] = [];
  const told = (logs: readonly EventLog[]) =>
    headlineOf({
      ...caseOf({ logs }),
      usd: (token) => {
        priced.push(token);
        return 1;
      },
    });
  told([moved(TOKEN, [ALICE, POOL, 5], 0), moved(OTHER, [ALICE, POOL, 9], 1)]);
  expect(priced).toEqual([]);
  // A token minted for a thousand times the given amount: judged by the value of both.
  told([moved(TOKEN, [ALICE, POOL, 5], 0), moved(OTHER, ["00".repeat(20), ALICE, 5_000], 1)]);
  expect(new Set(priced)).toEqual(new Set([TOKEN, OTHER]));
});

test("a token that only records a debt is not received", () => {
  const borrow = "Borrow(address,address,address,uint256,uint8,uint256,uint16)";
  const logs = [
    moved(OTHER, ["00".repeat(20), ALICE, 100], 0),
    moved(TOKEN, [VAULT, ALICE, 100], 1),
    emitted(ROUTER, 2, logOf(borrow, [TOKEN, ALICE, "0".repeat(64)], [ALICE, 100, 2, 7])),
  ];
  expect(headlineOf(caseOf({ logs }))).toMatchObject({
    ...{ type: "borrow", category: "borrow", given: [] },
    received: [{ token: TOKEN, amount: 100n }],
    debt: [{ token: OTHER, amount: 100n }],
  });
});

test("an exchange without other evidence is probably a swap, of one asset for one other of its value only", () => {
  const logs = [moved(TOKEN, [ALICE, ROUTER, 4], 0), moved(OTHER, [ROUTER, ALICE, 6], 1)];
  const worth = (dollars: Readonly<Record<string, number>>) => (token: Hex) => dollars[token] ?? null;
  const told = (usd: HeadlineCase["usd"], value = 0n) => headlineOf({ ...caseOf({ value, logs }), usd });
  const even = worth({ [TOKEN]: 100, [OTHER]: 97, "": 1 });
  expect(told(even)).toMatchObject({ type: "swap", actor: ALICE, basis: "movements", protocol: null });
  expect(told(even)?.confidence).toBeLessThan(0.8);
  expect(told(even, 3n)).toBeNull();
  // A loan of 70 for collateral of 100, and assets without a price.
  expect(told(worth({ [TOKEN]: 100, [OTHER]: 70 }))).toBeNull();
  expect(told(() => null)).toBeNull();
});

test("coins sent without data are a transfer, and so is a token's own transfer", () => {
  expect(headlineOf(caseOf({ value: 3n, recipient: bytes(BOB), input: bytes(""), logs: [] }))).toMatchObject({
    ...{ type: "transfer", given: [{ token: "", amount: 3n }] },
  });
  const input = bytes(`a9059cbb${BOB.padStart(64, "0")}${"4".padStart(64, "0")}`);
  const logs = [moved(TOKEN, [ALICE, BOB, 4], 0)];
  expect(headlineOf(caseOf({ recipient: bytes(TOKEN), input, logs }))).toMatchObject({
    type: "transfer",
    actor: ALICE,
  });
});

test("a failed transaction has no headline", () => {
  expect(headlineOf(caseOf({ value: 3n, succeeded: false, logs: [] }))).toBeNull();
});

test("a Mint event with two numbers is liquidity only for a pool with reserves and shares", () => {
  const mint = emitted(POOL, 2, logOf("Mint(address,uint256,uint256)", [ROUTER], [10, 20]));
  const shares = moved(POOL, ["00".repeat(20), ALICE, 7], 0);
  const state = emitted(POOL, 1, logOf("Sync(uint112,uint112)", [], [10, 20]));
  const typesOf = (logs: readonly EventLog[]) => caseOf({ logs: [...logs] }).actions.map(({ type }) => type);
  expect(typesOf([mint])).toEqual([]);
  expect(typesOf([shares, mint])).toEqual([]);
  expect(typesOf([shares, state, mint])).toEqual(["add_liquidity"]);
});

test("does not throw on arbitrary bytes, and its tokens are the actor's nets", () => {
  const events = [TRANSFER, TRADE, "Deposit(address,uint256)", "LogOperate(address,uint256,int256,int256,address)"];
  const topic = fc.oneof(
    fc.constantFrom(ALICE, BOB, "00".repeat(20)).map((address) => bytes(address.padStart(64, "0"))),
    fc.uint8Array({ maxLength: 40 }),
  );
  const hostile = fc.record({
    address: fc.constantFrom(TOKEN, OTHER, POOL, ROUTER, WETH).map(bytes),
    topics: fc
      .tuple(fc.constantFrom(...events), fc.array(topic, { maxLength: 3 }))
      .map(([event, rest]) => [topicOf(event), ...rest]),
    data: fc.oneof(
      fc.bigInt({ min: 0n, max: 99n }).map((n) => bytes(n.toString(16).padStart(64, "0"))),
      fc.uint8Array({ maxLength: 300 }),
    ),
    index: fc.nat({ max: 9 }),
  });
  const input = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 6 }), input, fc.bigInt({ min: 0n, max: 9n }), (logs, data, value) => {
      const told = caseOf({ logs, input: data, value });
      const headline = headlineOf(told);
      if (headline === null) return;
      const net = new Map<string, bigint>();
      for (const { source, destination, token, token_id, amount } of told.movements)
        for (const [party, change] of [
          [source, -amount],
          [destination, amount],
        ] as const)
          if (party === headline.actor)
            net.set(`${token}:${token_id}`, (net.get(`${token}:${token_id}`) ?? 0n) + change);
      for (const [sides, sign] of [
        [headline.given, -1n],
        [headline.received, 1n],
      ] as const)
        for (const { token, token_id, amount } of sides) expect(net.get(`${token}:${token_id}`)).toBe(sign * amount);
      if (told.actions.some(({ type }) => type === "swap")) expect(KINDS[headline.type].category).not.toBe("transfer");
    }),
    { numRuns: 1_000 },
  );
});
