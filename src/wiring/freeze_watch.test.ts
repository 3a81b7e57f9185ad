import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { type FreezeCase, freezable, freezeContext, knows } from "../../test/freeze_scenario.ts";
import { toHex } from "../lib/bytes.ts";
import { type Log, silentLog } from "../lib/log.ts";
import { testFreezeViews, watchFreezeViews } from "./freeze_watch.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const BAD = testAddress(0xbad);
const USDC = freezable("USDC", testAddress(0xc1), ["circle"]);
const said: readonly FreezeCase[] = [{ coin: USDC, account: BAD, block: 5, effect: "freeze" }];

const listening = (): { readonly log: Log; readonly heard: object[] } => {
  const heard: object[] = [];
  return { log: { ...silentLog, warn: (facts, message) => heard.push({ ...facts, message }) }, heard };
};

test("logs a view that does not know its frozen account at the start, and no correct view", async () => {
  const { log, heard } = listening();
  const stop = new AbortController().signal;
  const truthful = await freezeContext(store, { coins: [USDC], said, answer: knows([toHex(BAD)]) });
  expect(await testFreezeViews({ facts: store.facts, log, stop }, truthful.chain)).toBe(true);
  expect(heard).toEqual([]);
  const lying = await freezeContext(store, { coins: [USDC], said, answer: knows([]) });
  expect(await testFreezeViews({ facts: store.facts, log, stop }, lying.chain)).toBe(true);
  expect(heard).toMatchObject([{ network: lying.chain.network.id, coin: "USDC", message: "freeze check disabled" }]);
});

test("tests and logs nothing before the index has data", async () => {
  const { log, heard } = listening();
  const chain = fixedChain({ network: { id: "nowhere", freezes: [USDC] } });
  expect(await testFreezeViews({ facts: store.facts, log, stop: new AbortController().signal }, chain)).toBe(false);
  expect(heard).toEqual([]);
});

test("stops watching with the service", async () => {
  const stop = new AbortController();
  const { chain } = await freezeContext(store, { coins: [USDC] });
  const watching = watchFreezeViews({ facts: store.facts, chains: [chain], log: silentLog, stop: stop.signal });
  stop.abort();
  await expect(watching).resolves.toBeUndefined();
});
