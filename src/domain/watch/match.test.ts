import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { limitMatches } from "./limit.ts";
import { COMPARED_OF_BLOCK_MAX, matchRows } from "./match.ts";
import type { ApprovalRow, FreezeRow, MovementRow, WatchedRows } from "./read.ts";
import { type RuleFacts, RuleMap } from "./rule_map.ts";

/** Addresses of 20 and of 32 bytes: matching is independent of network families. */
const [ALICE, BOB, COIN] = [hex("aa".repeat(20)), hex("bb".repeat(32)), hex("cc".repeat(32))];
const NOBODY = hex("");

const rule = (id: string, wish: Partial<RuleFacts>): RuleFacts => ({
  ...{ id, account_id: "a", subject_kind: "address", subject: BOB, events: ["movement"], direction: "both" },
  ...{ min_usd_micros: null, include_unpriced: false, categories: [] },
  ...wish,
});
const at = { block_number: 1, tx_index: 2 };
const movement = (position: number, [source, destination]: readonly [typeof ALICE, typeof ALICE]): MovementRow => ({
  ...{ ...at, position, kind: "erc20", token: COIN, token_id: 0n, amount: 1n },
  ...{ source, destination },
});
const approval: ApprovalRow = {
  ...{ ...at, log_index: 5, kind: "erc20", token: COIN },
  ...{ owner: BOB, spender: ALICE, amount: 1n },
};
const freeze = (account: typeof ALICE): FreezeRow => ({
  ...at,
  ...{ log_index: 6, effect: "freeze", token: COIN, account, amount: null },
});

const MATTER: WatchedRows = {
  movements: [
    movement(0, [ALICE, BOB]),
    movement(1, [BOB, ALICE]),
    movement(2, [NOBODY, ALICE]),
    movement(3, [BOB, BOB]),
    movement(4, [ALICE, NOBODY]),
  ],
  approvals: [approval],
  freezes: [freeze(BOB), freeze(NOBODY)],
};

const toldOf = (wish: Partial<RuleFacts>): readonly string[] =>
  matchRows(MATTER, new RuleMap([rule("r", wish)])).matches.map((match) =>
    match.kind === "movement" ? `${match.direction} ${match.place}` : `${match.kind} ${match.others.length}`,
  );

test("an address gets the events in which it takes part, from its side", () => {
  expect(toldOf({})).toEqual(["in 2:0", "out 2:1", "self 2:3"]);
  expect(toldOf({ direction: "in" })).toEqual(["in 2:0", "self 2:3"]);
  expect(toldOf({ direction: "out" })).toEqual(["out 2:1", "self 2:3"]);
  expect(toldOf({ events: ["approval", "freeze"] })).toEqual(["approval 1", "freeze 0"]);
  // The spender gets no event of an approval, and an unreadable freeze names no account.
  expect(toldOf({ subject: ALICE, events: ["approval", "freeze"] })).toEqual([]);
});

test("a token gets all its events: minted is in, burned is out", () => {
  const token = { subject_kind: "token", subject: COIN } as const;
  expect(toldOf(token)).toEqual(["transfer 2:0", "transfer 2:1", "in 2:2", "transfer 2:3", "out 2:4"]);
  expect(toldOf({ ...token, direction: "in" })).toEqual(["in 2:2"]);
  expect(toldOf({ ...token, direction: "out" })).toEqual(["out 2:4"]);
  expect(toldOf({ ...token, events: ["approval", "freeze"] })).toEqual(["approval 2", "freeze 1", "freeze 0"]);
});

test("moved and frozen subjects are re-assessed when a rule watches their risk", () => {
  const rules = [rule("1", { events: ["risk"] }), rule("2", { events: ["movement"], subject: ALICE })];
  const { matches, moved } = matchRows(MATTER, new RuleMap(rules));
  expect(moved.map(({ id }) => id)).toEqual(["1"]);
  expect(matches.map(({ rule: { id } }) => id)).toEqual(["2", "2", "2", "2"]);
  expect(matchRows({ ...MATTER, movements: [], freezes: [] }, new RuleMap(rules)).moved).toEqual([]);
});

const crowd = (rules: number, change: (number: number) => Partial<RuleFacts>) =>
  Array.from({ length: rules }, (_, number) =>
    rule(`r${number}`, { subject_kind: "token", subject: COIN, ...change(number) }),
  );
const busy = (movements: number): WatchedRows => ({
  movements: Array.from({ length: movements }, (_, position) => movement(position, [ALICE, NOBODY])),
  approvals: [],
  freezes: [],
});
const LIMITS = { of_rule: 100, of_account: 200 };

test("identical rules of an account are compared once and each gets the event; other accounts are compared apart", () => {
  const same = crowd(100, () => ({ events: ["movement", "freeze"], categories: ["mixer", "exchange"] }));
  const other = crowd(1, () => ({ id: "other", account_id: "b", events: ["freeze", "movement"] }));
  const { matches, not_compared } = matchRows(busy(30), new RuleMap([...same, ...other]));
  // 30 movements for one group of 100 rules, and for the one rule of the other account.
  expect(matches.map(({ ids }) => ids.length).sort((a, b) => b - a)).toEqual([
    ...Array.from({ length: 30 }, () => 100),
    ...Array.from({ length: 30 }, () => 1),
  ]);
  expect(not_compared).toEqual([]);
});

test("an account's rules take turns until its events of a block are used up, and one event reports the omission", () => {
  const { matches, not_compared } = matchRows(busy(100), new RuleMap(crowd(100, () => ({}))));
  const { kept, left } = limitMatches(matches, not_compared, LIMITS);
  const of = (id: string) => kept.filter(({ rule_id }) => rule_id === id).length;
  expect([kept.length, of("r0"), of("r99")]).toEqual([200, 2, 2]);
  // 100 rules of 100 movements each, and 200 of them become events.
  expect(left.map(({ says }) => says)).toEqual([
    { because: "account_limit", left_out: 9_800, not_compared: 0, rules: 100 },
  ]);
});

test("a rule over its own limit gets the number of omitted events, whatever the other rules get", () => {
  const rules = [
    rule("many", { subject_kind: "token", subject: COIN }),
    rule("few", { subject: BOB, direction: "in" }),
  ];
  const one = { ...movement(999, [ALICE, BOB]), token: NOBODY };
  const matter = { ...busy(130), movements: [...busy(130).movements, one] };
  const { matches, not_compared } = matchRows(matter, new RuleMap(rules));
  const { kept, left } = limitMatches(matches, not_compared, LIMITS);
  const of = (id: string) => kept.filter(({ rule_id }) => rule_id === id).length;
  expect([of("many"), of("few")]).toEqual([100, 1]);
  expect(left).toMatchObject([{ rule_id: "many", says: { because: "rule_limit", left_out: 30 } }]);
});

test("an account's rules on a busy token cost a bounded number of comparisons and none of another account's", () => {
  const rules = [
    ...crowd(100, (number) => ({ min_usd_micros: number })),
    ...crowd(1, () => ({ id: "other", account_id: "b" })),
  ];
  const { matches, not_compared } = matchRows(busy(1_000), new RuleMap(rules));
  const of = (account: string) => matches.filter(({ rule: { account_id } }) => account_id === account).length;
  expect([of("a"), of("b")]).toEqual([COMPARED_OF_BLOCK_MAX, 1_000]);
  expect(not_compared).toMatchObject([{ block_number: 1, count: 100 * 1_000 - COMPARED_OF_BLOCK_MAX }]);
  const { left } = limitMatches([], not_compared, LIMITS);
  expect(left).toMatchObject([{ block_number: 1, says: { because: "account_limit", not_compared: 95_000 } }]);
});
