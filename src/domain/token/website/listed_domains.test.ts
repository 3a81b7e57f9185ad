import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { removeList, replaceList } from "../../../store/lists.ts";
import type { SnapshotContext } from "../../context.ts";
import { listsNaming, phishingSources } from "./listed_domains.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 0, to: 5 }, {});
});
afterAll(() => store.close());

const HEAD = {
  ...{ list: "eth-phishing-detect", version: "v1", format: "domains", origin: "", licence: "DBAD", published_on: "" },
  kind: "domains",
} as const;
const FILE = {
  id: "mine",
  version: "7",
  updated_at: null,
  blocked: new Set(["moon.test"]),
  allowed: new Set<string>(),
};
const SETTINGS = { phishing_lists: [FILE] };

const scope = async (): Promise<SnapshotContext> => ({
  facts: store.facts,
  chain: fixedChain({}),
  snapshot: await store.facts.snapshot("demo", null),
  signal: AbortSignal.timeout(20_000),
});
const naming = async (...hosts: readonly string[]) =>
  (await listsNaming(await scope(), hosts, SETTINGS)).map(({ id }) => id);

test("A site is on an imported list by its own name or one above it, unless the list excepts it", async () => {
  const entries = [
    { domain: "pages.test", is_allowed: 0 },
    { domain: "ok.pages.test", is_allowed: 1 },
    { domain: "bad.ok.pages.test", is_allowed: 0 },
  ];
  expect(await naming("pages.test")).toEqual([]);
  await replaceList(store, HEAD, { kind: "domains", entries, now_ms: 1_700_000_000_000 });
  const id = "domains/eth-phishing-detect";
  expect(await naming("pages.test")).toEqual([id]);
  expect(await naming("Shop.Pages.test")).toEqual([id]);
  expect(await naming("ok.pages.test", "www.ok.pages.test")).toEqual([]);
  expect(await naming("www.bad.ok.pages.test")).toEqual([id]);
  // One host of a chain of redirects suffices, and a list of the settings counts beside the imported one.
  expect(await naming("www.moon.test", "pages.test")).toEqual(["mine", id]);
  expect(await phishingSources(await scope(), SETTINGS)).toEqual([
    { id: "mine", version: "7", updated_at: null },
    { id, version: "v1", updated_at: null },
  ]);
  await removeList(store, HEAD, 1_700_000_001_000);
  expect(await naming("pages.test")).toEqual([]);
  expect(await phishingSources(await scope(), SETTINGS)).toHaveLength(1);
});
