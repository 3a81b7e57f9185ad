import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import {
  type FreezeCase,
  freezable,
  freezeContext,
  freezeHash,
  knows,
  viewWord,
} from "../../../../test/freeze_scenario.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { readFreezeEvents } from "./events.ts";
import { checkFreezes } from "./freezes.ts";
import { FRESH_ACCOUNT, judgeViews, type ViewAnswers } from "./views.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const [BAD, FREED, CLEAN] = [testAddress(0xbad), testAddress(0xf4eed), testAddress(0xc1ea)];
const [bad, freed, clean] = [toHex(BAD), toHex(FREED), toHex(CLEAN)];
const CIRCLE = freezable("USDC", testAddress(0xc1), ["circle"]);
const TRUE = freezable("TUSD", testAddress(0xc2), ["trueusd"]);
const NEW = freezable("USDT0", testAddress(0xc3), ["tether_new"]);
const NONE = freezable("DAI", testAddress(0xc4), []);

const only = async (scope: SnapshotContext, account: Hex) => {
  const [check, ...others] = await checkFreezes(scope, account);
  expect(others).toEqual([]);
  if (check === undefined) throw new Error("no check");
  return check;
};

const FROZEN: FreezeCase = { coin: CIRCLE, account: BAD, block: 5, effect: "freeze" };
const HISTORY: readonly FreezeCase[] = [
  FROZEN,
  { coin: CIRCLE, account: FREED, block: 6, effect: "freeze" },
  { coin: CIRCLE, account: FREED, block: 9, effect: "unfreeze" },
];

test("events and view agree: frozen, freed and clean accounts are reported with their history", async () => {
  const scope = await freezeContext(store, { coins: [CIRCLE], said: HISTORY, answer: knows([bad]) });
  const event = { time: 1_700_000_048, block_number: 5, tx_hash: toHex(freezeHash(5)), effect: "freeze", amount: null };
  expect(await only(scope, bad)).toMatchObject({
    status: "ok",
    is_frozen: true,
    method: "isBlacklisted(address)",
    checked_block: 20,
    frozen_since: event,
    last_event: event,
    history: [event],
    reason: null,
  });
  expect(await only(scope, freed)).toMatchObject({
    status: "ok",
    is_frozen: false,
    frozen_since: null,
    last_event: { effect: "unfreeze", block_number: 9 },
    history: [{ effect: "freeze" }, { effect: "unfreeze" }],
  });
  expect(await only(scope, clean)).toMatchObject({ status: "ok", is_frozen: false, last_event: null, history: [] });
});

test("destroyed funds leave the account frozen", async () => {
  const said: FreezeCase[] = [FROZEN, { coin: CIRCLE, account: BAD, block: 7, effect: "destroy", amount: 40n }];
  const scope = await freezeContext(store, { coins: [CIRCLE], said, answer: knows([bad]) });
  expect(await only(scope, bad)).toMatchObject({
    is_frozen: true,
    frozen_since: { block_number: 5 },
    last_event: { effect: "destroy", amount: 40n },
  });
});

test("an answer of an older block knows nothing of later events", async () => {
  const scope = await freezeContext(store, { coins: [TRUE], said: [{ ...FROZEN, coin: TRUE, block: 12 }], at: 11 });
  expect(await only(scope, bad)).toMatchObject({ status: "ok", is_frozen: false, checked_block: 11, history: [] });
});

test("an unreadable view fails the check, and the findings of events are still reported", async () => {
  const scope = await freezeContext(store, { coins: [CIRCLE], said: HISTORY, answer: () => ({ ok: false, data: "" }) });
  expect(await only(scope, clean)).toMatchObject({ status: "failed", is_frozen: null });
  expect(await only(scope, bad)).toMatchObject({
    status: "failed",
    is_frozen: true,
    frozen_since: { block_number: 5 },
  });
});

test("an unavailable node fails the check of a coin with a view, not that of a coin without", async () => {
  const scope = await freezeContext(store, { coins: [CIRCLE, TRUE], down: true });
  expect(await checkFreezes(scope, clean)).toMatchObject([
    { coin: { symbol: "TUSD" }, status: "ok", is_frozen: false, method: "events" },
    { coin: { symbol: "USDC" }, status: "failed", is_frozen: null, reason: "No node answered at this block." },
  ]);
});

test("a view that disagrees with events fails the check in both directions", async () => {
  // The view passes its self-test on the witness `bad` and disagrees about the checked account only.
  const forgotten = await freezeContext(store, { coins: [CIRCLE], said: HISTORY, answer: knows([bad, freed]) });
  expect(await only(forgotten, freed)).toMatchObject({
    status: "failed",
    is_frozen: true,
    reason: "Events say not frozen, the contract says frozen.",
  });
  const said: FreezeCase[] = [FROZEN, { ...FROZEN, account: testAddress(0xa), block: 4 }];
  const hidden = await freezeContext(store, { coins: [CIRCLE], said, answer: knows([toHex(testAddress(0xa))]) });
  expect(await only(hidden, bad)).toMatchObject({
    status: "failed",
    is_frozen: true,
    reason: "Events say frozen, the contract says not frozen.",
  });
});

test("a view that fails its self-test is disabled for every account", async () => {
  const blind = await freezeContext(store, { coins: [CIRCLE], said: HISTORY, answer: knows([]) });
  expect((await only(blind, clean)).reason).toContain("disabled");
  const paranoid = await freezeContext(store, { coins: [CIRCLE], answer: () => ({ ok: true, data: viewWord(true) }) });
  expect(await only(paranoid, clean)).toMatchObject({ status: "failed", is_frozen: true });
  expect((await only(paranoid, clean)).reason).toContain("disabled");
});

test("an assumed view is ignored until it can be tested, and then trusted", async () => {
  const untested = await freezeContext(store, { coins: [NEW], answer: () => ({ ok: false, data: "" }) });
  expect(await only(untested, clean)).toMatchObject({ status: "ok", is_frozen: false, method: "events" });
  const said = [{ ...FROZEN, coin: NEW }];
  const tested = await freezeContext(store, { coins: [NEW], said, answer: knows([bad], "isBlocked(address)") });
  expect(await only(tested, clean)).toMatchObject({ status: "ok", is_frozen: false, method: "isBlocked(address)" });
  const wrong = await freezeContext(store, { coins: [NEW], said, answer: () => ({ ok: false, data: "" }) });
  expect(await only(wrong, clean)).toMatchObject({ status: "failed", is_frozen: null });
});

test.each([
  ["a gap before the indexed blocks", { from: 3 }, "Blocks before 3 are not indexed."],
  ["blocks that were indexed without listening", { blind_to: 4 }, "Blocks up to 4 were indexed before"],
  ["an index that does not listen", { is_watched: false }, "does not listen"],
  [
    "an event that could not be read",
    { said: [{ coin: CIRCLE, account: "", block: 8, effect: "unreadable" } as const] },
    "is not laid out as registered",
  ],
])("%s fails the check", async (_, world, reason) => {
  const scope = await freezeContext(store, { coins: [CIRCLE], ...world });
  const check = await only(scope, clean);
  expect(check).toMatchObject({ status: "failed", is_frozen: null });
  expect(check.reason).toContain(reason);
});

test("a contract before its creation has frozen no account; a destroyed one with frozen accounts fails", async () => {
  const silent = () => ({ ok: true, data: "" as const });
  const before = await freezeContext(store, { coins: [CIRCLE], answer: silent, is_deployed: false });
  expect(await only(before, clean)).toMatchObject({ status: "ok", is_frozen: false, method: "no contract" });
  const gone = await freezeContext(store, { coins: [CIRCLE], said: HISTORY, answer: silent, is_deployed: false });
  expect(await only(gone, bad)).toMatchObject({ status: "failed", is_frozen: true });
});

test("history may begin at the contract's creation, where that is known", async () => {
  const scope = await freezeContext(store, { coins: [{ ...CIRCLE, start_block: 3 }], from: 3 });
  expect(await only(scope, clean)).toMatchObject({ status: "ok", is_frozen: false });
});

test("a coin without a freeze is not supported, which is neither frozen nor clear", async () => {
  const scope = await freezeContext(store, { coins: [NONE] });
  expect(await only(scope, bad)).toMatchObject({ status: "not_supported", is_frozen: null });
});

test("reads many accounts by events alone, without a node", async () => {
  const scope = await freezeContext(store, { coins: [CIRCLE], said: HISTORY, down: true });
  const { fault, standings } = await readFreezeEvents(scope, [bad, freed, clean]);
  expect([...fault]).toEqual([[CIRCLE.address, null]]);
  expect(standings.map(({ account, is_frozen }) => [account, is_frozen]).sort()).toEqual([
    [bad, true],
    [freed, false],
  ]);
});

const answered = (some: Partial<ViewAnswers>): ViewAnswers => ({
  view: { signature: "v(address)", is_confirmed: true },
  account: false,
  witness: true,
  fresh: false,
  ...some,
});

test("of several views one that passes is enough, and one frozen answer outweighs the others", () => {
  expect(judgeViews([answered({ witness: false }), answered({})])).toMatchObject({ kind: "said", is_frozen: false });
  expect(judgeViews([answered({}), answered({ account: true })])).toMatchObject({ kind: "said", is_frozen: true });
  expect(judgeViews([answered({ account: null }), answered({ fresh: true })])).toMatchObject({ kind: "fault" });
  expect(judgeViews([])).toEqual({ kind: "none" });
});

test("the fresh account is an address", () => {
  expect(FRESH_ACCOUNT).toMatch(/^[0-9a-f]{40}$/);
});

test("where a network is read on demand, the contract's view is the state, and a coin without one is unknown", async () => {
  const checksOf = async (world: Parameters<typeof freezeContext>[1], account: Hex) => {
    const scope = await freezeContext(store, { ...world, is_watched: false });
    const followed = { is_plain: true, addresses: [] };
    return only({ ...scope, snapshot: { ...scope.snapshot, followed } }, account);
  };
  const stated = { coins: [CIRCLE], answer: knows([bad]) };
  const unknown = { history: [], last_event: null, frozen_since: null };
  expect(await checksOf(stated, bad)).toMatchObject({
    ...{ status: "ok", is_frozen: true, method: "isBlacklisted(address)", reason: null },
    ...unknown,
  });
  expect(await checksOf(stated, clean)).toMatchObject({ status: "ok", is_frozen: false, ...unknown });
  // A view that calls all accounts frozen fails its self-test.
  const always = { coins: [CIRCLE], answer: knows([bad, clean, FRESH_ACCOUNT]) };
  expect(await checksOf(always, clean)).toMatchObject({ status: "failed", is_frozen: true });
  expect(await checksOf({ coins: [CIRCLE], down: true }, clean)).toMatchObject({ status: "failed", is_frozen: null });
  // No source of its view was read, and no frozen account is known to test it on.
  expect(await checksOf({ coins: [NEW], answer: knows([], "isBlocked(address)") }, clean)).toMatchObject({
    status: "failed",
    is_frozen: null,
    reason: "The network is read on demand, and the events of the issuer are not read yet.",
  });
});
