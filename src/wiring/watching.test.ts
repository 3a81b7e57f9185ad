import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestFacts } from "../../test/facts_store.ts";
import { hashOf, listsOfAge, openScreeningStory, storyChain, USDC } from "../../test/screening_scenario.ts";
import { riskRule } from "../accounts/risk_rule.ts";
import { openCustomer } from "../accounts/testing/store.ts";
import { openTemporary, type TemporaryStore } from "../accounts/testing/temporary.ts";
import { RULE_DEFINITION } from "../accounts/testing/watch.ts";
import { settings } from "../config/settings.ts";
import { silentLog } from "../lib/log.ts";
import type { TraceMethod } from "../lib/trace_method.ts";
import { transferSubject } from "../lib/transfer_subject.ts";
import type { FactsStore } from "../store/open.ts";
import type { WatchRun } from "../watch/run.ts";
import { contexts } from "./contexts.ts";
import { operatorOf } from "./operators.ts";
import { SubjectCalls } from "./subject_calls.ts";
import { openWatching } from "./watching.ts";

// Screened transfers are judged again by the tool itself when an operator changes a risk rule.

const stop = new AbortController();
let facts: TestFacts;
let accounts: TemporaryStore;
let run: WatchRun | null;
let by: { account_id: string; key_id: string };
beforeAll(async () => {
  facts = await openScreeningStory();
  accounts = await openTemporary({
    ...{ now: Date.now, monotonic: () => performance.now() },
    watch: { rules_per_account: 3, is_priced: false },
  });
  const { account, key } = await openCustomer(accounts);
  by = { account_id: account.id, key_id: key.id };
  const chosen = settings.parse({ watch: { enabled: true, risk_per_minute: 600 } });
  const operator = {
    ...operatorOf(chosen, { networks: [], readStoredRules: accounts.risk_rules.list }),
    sanctions: listsOfAge(1),
  };
  // Watching uses these two parts of the store.
  const store = { engine: facts.engine, served: facts.facts } as FactsStore;
  const chains = [storyChain("demo")];
  run = await openWatching({
    ...{ settings: chosen, accounts, facts: store, chains, readRiskRules: operator.readRiskRules },
    subjects: new SubjectCalls({ facts: store, enabled: [], chain: (id) => storyChain(id), settings: chosen }),
    ...{ contextFor: contexts({ facts: store, chains, operator }), log: silentLog, stop: stop.signal },
  });
});
afterAll(async () => {
  stop.abort();
  await run?.ended;
  await accounts?.remove();
  await facts?.close();
});

const SOON = { timeout: 60_000, interval: 100 };

/** Watches the payment of 45,000 to the payee of the story, by a method. */
const watch = async (method: TraceMethod): Promise<string> => {
  const subject = transferSubject({ tx_hash: hashOf(103, 2), asset: USDC, direction: "out", method });
  const wish = { ...RULE_DEFINITION, network: "demo", subject_kind: "screening", subject, url: null } as const;
  const { id } = await accounts.watch.rules("key:test").create(by, { ...wish, events: ["risk"], direction: "out" });
  return id;
};

const events = async () =>
  (await accounts.watch.events.after(by.account_id, 0, 100)).map(({ body }) => JSON.parse(body));
/** Changes of the verdict of one watch, oldest first. */
const changesOf = async (rule_id: string) =>
  (await events())
    .filter((event) => event.rule_id === rule_id)
    .map(({ risk, subject }) => [risk.before, risk.now, subject.method]);

test("a rule of the portal, its change and the method of each watch decide the verdicts", async () => {
  const [haircut, fifo, poison] = [await watch("haircut"), await watch("fifo"), await watch("poison")];
  const waiting = () => accounts.watch.levels.waiting(["demo"], 3);
  await expect.poll(waiting, SOON).toEqual([]);
  // A wallet held 9,000 clean dollars, then 1,000 of a mixer, and paid the payee 5,000. haircut: 500; fifo: 0; poison: 5,000.
  const rule = riskRule.parse({ id: "mixers", category: "mixer", usd: 500 });
  const made = await accounts.as("alice").risk_rules.create(rule);
  await expect.poll(() => changesOf(poison), SOON).toEqual([["clear", "review", "poison"]]);
  await expect.poll(() => changesOf(haircut), SOON).toEqual([["clear", "review", "haircut"]]);
  expect((await events())[0].risk.reasons).toMatchObject([{ code: "rule_fired" }]);

  await accounts.as("bob").risk_rules.change({ ...rule, usd: 501 }, made.version);
  await expect
    .poll(() => changesOf(haircut), SOON)
    .toEqual([
      ["clear", "review", "haircut"],
      ["review", "clear", "haircut"],
    ]);
  await expect.poll(waiting, SOON).toEqual([]);
  expect([await changesOf(poison), await changesOf(fifo)]).toEqual([[["clear", "review", "poison"]], []]);
});
