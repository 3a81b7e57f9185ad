import { getAddress } from "viem";
import { beforeAll, expect, test } from "vitest";
import { on } from "../../../src/demo/evm/act.ts";
import { FORGOTTEN_BYSTANDER, FROZEN_BYSTANDER } from "../../../src/demo/evm/scenarios/issuers.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const check = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
  stage.ask("is_address_blacklisted_by_stablecoin", { address: truth.addressOf(name), network: "demo", ...more });
const iso = (seconds: number): string => new Date((T0 + seconds) * 1000).toISOString().replace(".000Z", "Z");
const charged = ({ headers }: { readonly headers: Headers }): number => Number(headers.get("x-credits-charged"));

// biome-ignore lint/suspicious/noExplicitAny: rows of an answer that was validated against the OpenAPI.
type FreezeAnswerRow = any;
const bySymbol = (results: readonly FreezeAnswerRow[]): Readonly<Record<string, FreezeAnswerRow>> =>
  Object.fromEntries(results.map((row) => [row.stablecoin, row]));

test("finds mallory frozen only by the USDC issuer, after checking every coin", async () => {
  const answer = await check("mallory");
  expect([answer.status, charged(answer)]).toEqual([200, 3]);
  expect(answer.body).toMatchObject({ type: "stablecoin_blacklist_check", is_blacklisted: true });
  expect(answer.body.previously_blacklisted).toBe(false);
  expect(answer.body.results.map(({ stablecoin }: FreezeAnswerRow) => stablecoin)).toEqual([
    ...["BLD", "BTD", "PXD", "RPD", "TRD", "USDC", "USDT"],
  ]);
  const rows = bySymbol(answer.body.results);
  const frozen_at = iso(on(61, 14.5));
  expect(rows.USDC).toMatchObject({
    contract: truth.addressOf("usdc"),
    is_blacklisted: true,
    status: "ok",
    method: "isBlacklisted(address)",
    block_number: stage.world.head.number,
    last_event: { type: "freeze", tx_hash: truth.hashAt(on(61, 14.5)), timestamp: frozen_at },
    reason: null,
  });
  expect(rows.USDC.balance_raw).toBe((await truth.balance("usdc", "mallory")).toString());
  expect(rows.USDC.evidence.map(({ kind, ref }: FreezeAnswerRow) => [kind, ref])).toEqual([
    ["tx", truth.hashAt(on(61, 14.5))],
    [
      "call",
      `${truth.addressOf("usdc")}.isBlacklisted(${truth.addressOf("mallory")}) at block ${stage.world.head.number}`,
    ],
  ]);
  expect(rows.USDT).toMatchObject({ is_blacklisted: false, method: "isBlackListed(address)", last_event: null });
  // TRD and BTD have no view: only events show the state.
  expect([rows.TRD.method, rows.BTD.method]).toEqual(["events", "events"]);
});

test("shows walter's destroyed USDT as frozen, with nothing left", async () => {
  const { body } = await check("walter", { stablecoin: "USDT" });
  expect(body).toMatchObject({ is_blacklisted: true, previously_blacklisted: false });
  expect(body.results).toMatchObject([
    {
      is_blacklisted: true,
      balance: 0,
      balance_raw: "0",
      last_event: { type: "destroy", timestamp: iso(on(53, 14.5)) },
    },
  ]);
});

test("shows that victor was frozen for a week, and is free", async () => {
  const { body } = await check("victor");
  expect([body.is_blacklisted, body.previously_blacklisted]).toEqual([false, true]);
  expect(bySymbol(body.results).USDC).toMatchObject({
    is_blacklisted: false,
    last_event: { type: "unfreeze", timestamp: iso(on(47, 14.5)) },
  });
});

test("shows victor as frozen as of a day of that week, without the later release", async () => {
  const { body } = await check("victor", { as_of_block: truth.blockAt(T0 + on(45, 0)), stablecoin: "usdc" });
  expect([body.is_blacklisted, body.previously_blacklisted]).toEqual([true, false]);
});

test("shows every kind of freeze for felix", async () => {
  const { body } = await check("felix");
  const rows = bySymbol(body.results);
  expect([body.is_blacklisted, body.previously_blacklisted]).toEqual([true, true]);
  const seen = Object.entries(rows).map(([symbol, row]) => [symbol, row.is_blacklisted, row.last_event?.type ?? null]);
  expect(seen).toEqual([
    // Blocked on day 79 and destroyed an hour later.
    ["BLD", true, "destroy"],
    ["BTD", true, "freeze"],
    ["PXD", true, "destroy"],
    ["RPD", false, "unfreeze"],
    ["TRD", true, "freeze"],
    ["USDC", false, null],
    ["USDT", false, null],
  ]);
  // 300 RPD, 200 TRD and 100 BTD are left; the others were destroyed.
  expect([rows.RPD.balance, rows.TRD.balance, rows.BTD.balance, rows.PXD.balance]).toEqual([300, 200, 100, 0]);
  // An assumed view is trusted once it has named an account that is frozen by its events.
  expect(rows.BLD.method).toBe("isBlocked(address)");
});

test("accepts a coin by its symbol in any case, or by its contract", async () => {
  const byContract = await check("mallory", { stablecoin: truth.addressOf("usdc") });
  const bySymbol = await check("mallory", { stablecoin: "uSdC" });
  expect(byContract.body.results).toEqual(bySymbol.body.results);
  expect(bySymbol.body.results).toHaveLength(1);
});

test("fails with its findings, free of charge, for a contract that forgot an account it froze", async () => {
  const answer = await check(FORGOTTEN_BYSTANDER);
  expect([answer.status, charged(answer)]).toEqual([200, 0]);
  expect(answer.body).toMatchObject({
    status: "error",
    code: "CHECK_INCOMPLETE",
    is_blacklisted: true,
    previously_blacklisted: null,
    metadata: { address: getAddress(FORGOTTEN_BYSTANDER), chain: "demo" },
  });
  expect(bySymbol(answer.body.results).BLD).toMatchObject({
    status: "failed",
    is_blacklisted: true,
    reason: "Events say frozen, the contract says not frozen.",
  });
  // The same account is clear if the contract is not needed.
  expect((await check(FORGOTTEN_BYSTANDER, { stablecoin: "USDC" })).body.is_blacklisted).toBe(false);
});

test("shows an account in a list of two as frozen like the first", async () => {
  const { body } = await check(FROZEN_BYSTANDER, { stablecoin: "BTD" });
  expect(body.results).toMatchObject([{ is_blacklisted: true, last_event: { timestamp: iso(on(78, 17)) } }]);
});

test("fails for an unregistered coin instead of a clean answer", async () => {
  const answer = await check("alice", { stablecoin: "NOSUCHCOIN" });
  expect(answer.body).toMatchObject({ status: "error", code: "CHECK_INCOMPLETE", is_blacklisted: null, results: [] });
  expect(charged(answer)).toBe(0);
});

test("returns the same answer twice, and with `all` the same as for the network", async () => {
  const [one, two, all] = [await check("felix"), await check("felix"), await check("felix", { network: "all" })];
  expect(two.text).toBe(one.text);
  expect(all.body.results).toEqual(one.body.results);
  expect(all.body.metadata).toMatchObject({ chain: "all", as_of: null, networks: [{ network: "demo" }] });
});

test.each([
  [{ address: "0x1234" }, "address"],
  [{ wallet: "0x1234" }, "wallet"],
  [{ network: "mainnet" }, "network"],
  [{ network: "all", as_of_block: 5 }, "as_of_block"],
  [{ stablecoin: "" }, "stablecoin"],
])("rejects %j with a message", async (args, word) => {
  const { status, body } = await check("alice", args);
  expect(status).toBe(422);
  expect(body.detail).toContain(word);
});
