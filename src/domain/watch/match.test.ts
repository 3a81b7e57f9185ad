import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { matchRows } from "./match.ts";
import type { ApprovalRow, FreezeRow, Matter, MovementRow } from "./read.ts";
import { type RuleFacts, RuleMap } from "./rule_map.ts";

/** Addresses of 20 bytes and of 32: nothing here knows of families. */
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

const MATTER: Matter = {
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

test("an address hears of what it has a part in, from its side", () => {
  expect(toldOf({})).toEqual(["in 2:0", "out 2:1", "self 2:3"]);
  expect(toldOf({ direction: "in" })).toEqual(["in 2:0", "self 2:3"]);
  expect(toldOf({ direction: "out" })).toEqual(["out 2:1", "self 2:3"]);
  expect(toldOf({ events: ["approval", "freeze"] })).toEqual(["approval 1", "freeze 0"]);
  // Who may spend does not hear of it, and what could not be read names no account.
  expect(toldOf({ subject: ALICE, events: ["approval", "freeze"] })).toEqual([]);
});

test("a token hears of all of its own: minted is in, burnt is out", () => {
  const token = { subject_kind: "token", subject: COIN } as const;
  expect(toldOf(token)).toEqual(["transfer 2:0", "transfer 2:1", "in 2:2", "transfer 2:3", "out 2:4"]);
  expect(toldOf({ ...token, direction: "in" })).toEqual(["in 2:2"]);
  expect(toldOf({ ...token, direction: "out" })).toEqual(["out 2:4"]);
  expect(toldOf({ ...token, events: ["approval", "freeze"] })).toEqual(["approval 2", "freeze 1", "freeze 0"]);
});

test("what moved or was frozen is judged again where a rule wants to hear of its risk", () => {
  const rules = [rule("1", { events: ["risk"] }), rule("2", { events: ["movement"], subject: ALICE })];
  const { matches, moved } = matchRows(MATTER, new RuleMap(rules));
  expect(moved.map(({ id }) => id)).toEqual(["1"]);
  expect(matches.map(({ rule: { id } }) => id)).toEqual(["2", "2", "2", "2"]);
  expect(matchRows({ ...MATTER, movements: [], freezes: [] }, new RuleMap(rules)).moved).toEqual([]);
});
