import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import * as story from "../../../../test/risk_scenario.ts";
import { dayOf } from "../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { SILENT_OPERATOR } from "../../operator.ts";
import { readHistory } from "../../wallet/history/history.ts";
import type { RiskScope } from "./address_risks.ts";
import { traceWallet, tracingOf } from "./wallet_trace.ts";

let store: TestFacts;
let sight: RiskScope;
beforeAll(async () => {
  store = await openTestFacts();
  await story.seedRisk(store);
  const { facts } = store;
  const snapshot = await facts.snapshot("demo", null);
  const scope = { facts, chain: story.chainOf("demo"), snapshot, signal: new AbortController().signal };
  const sanctions = { max_age_hours: 168, now_ms: () => story.IMPORTED_MS };
  sight = { scope, operator: { ...SILENT_OPERATOR, sanctions } };
});
afterAll(() => store.close());

const lifeOf = ({ scope }: RiskScope, wallet: Hex) =>
  readHistory(scope, wallet, { from: 0, until: scope.snapshot.block.time + 1 });

test("a counterparty without flagged counterparties is followed and counted, and only addresses on a trace are read", async () => {
  const { coverage, actors, traced } = await traceWallet(sight, await lifeOf(sight, story.WALLET));
  expect(traced.trails).toMatchObject([{ direction: "in", source: story.MIXER, usd: 200 }]);
  // The pass-through wallet, the bank that paid both, and the bank's other counterparties: the mixer's money cannot
  // have passed through the bank.
  expect(coverage).toMatchObject({ followed: 3, hubs: 0, left_out: 0, is_complete: true, is_stopped: false });
  expect(actors.size).toBe(3);
  expect(actors.has(story.WALLET_OF_FUNDS)).toBe(true);
  expect(actors.has(story.YOUNG)).toBe(false);
});

test("a hub on the path is counted, and its neighbourhood does not belong to the wallet", async () => {
  const { coverage, traced } = await traceWallet(sight, await lifeOf(sight, story.BEHIND_HUB));
  expect(traced.trails).toEqual([]);
  expect(coverage).toMatchObject({ hubs: 1, is_complete: true });
});

test("the emergency stop reports that it cut tracing off, and tracing over several networks is as complete as each", async () => {
  const stopped = await traceWallet(sight, await lifeOf(sight, story.WALLET), { stop: AbortSignal.abort() });
  expect(stopped.coverage).toMatchObject({ is_stopped: true, is_complete: false });
  expect(stopped.warnings.map(({ code }) => code)).toEqual(["WALK_STOPPED"]);
  const whole = await traceWallet(sight, await lifeOf(sight, story.WALLET));
  expect(tracingOf([whole, stopped])).toMatchObject({
    wallets_followed: whole.coverage.followed,
    is_complete: false,
  });
});

test("a cancelled call does not end in a partial answer", async () => {
  const scope = { ...sight.scope, signal: AbortSignal.abort(new Error("given up")) };
  const life = await lifeOf(sight, story.WALLET);
  await expect(
    traceWallet({ ...sight, scope }, life, { stop: AbortSignal.abort(new Error("stop")) }),
  ).rejects.toThrow();
});

test("reports when only a wallet's newest movements are read, and takes its age from the first movement", async () => {
  const life = await lifeOf(sight, story.WALLET);
  const { coverage, first, warnings } = await traceWallet(sight, { ...life, first: life.end, is_whole: false });
  expect(coverage).toMatchObject({ transfers: 0, is_complete: false, is_stopped: false });
  expect(warnings.map(({ code }) => code)).toEqual(["WALK_PARTIAL"]);
  expect(first?.time).toBe(dayOf(102));
  expect((await traceWallet(sight, life)).first).toEqual(first);
});

test("counterparties queried one by one get the same marks as in a scan of the ledger", async () => {
  const wallets = Object.entries(story).flatMap(([name, one]) =>
    typeof one === "string" && /^[0-9a-f]{40}$/.test(one) ? [[name, one] as const] : [],
  );
  expect(wallets.length).toBeGreaterThan(10);
  for (const [name, wallet] of wallets) {
    const life = await lifeOf(sight, hex(wallet));
    const [named, many] = [await traceWallet(sight, life), await traceWallet(sight, { ...life, is_whole: false })];
    const told = ({ moves, traced, paid, largest, actors }: typeof named) => ({ moves, traced, paid, largest, actors });
    expect([name, told(named)]).toEqual([name, told(many)]);
    expect([name, [...named.marks].sort()]).toEqual([name, [...many.marks].sort()]);
    expect([name, named.coverage.followed, named.coverage.hubs]).toEqual([
      name,
      many.coverage.followed,
      many.coverage.hubs,
    ]);
  }
});
