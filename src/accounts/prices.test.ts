import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "./database.ts";
import { CATALOG_SCOPE, openPrices } from "./prices.ts";
import { TOOLS } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

let store: TemporaryStore;
let database: Database;
beforeEach(async () => {
  store = await openTemporary();
  database = await store.connect();
});
afterEach(async () => {
  await database.close();
  await store.remove();
});

const ADD = `insert into prices (id, tool, credits, source, created_at)
  select max(id) + 1, 'resolve_ens', cast($1 as bigint), 'operator', 0 from prices`;

test("drops a price that was read inside a rolled back transaction, although its row number is reused", async () => {
  const prices = openPrices(database, TOOLS);
  const undone = database.transaction(CATALOG_SCOPE, async (within) => {
    await within.run(ADD, [9]);
    expect((await prices.current(within)).catalog.credits.resolve_ens).toBe(9);
    throw new Error("changed my mind");
  });
  await expect(undone).rejects.toThrow("changed my mind");
  await database.run(ADD, [7]);
  expect((await prices.current(database)).catalog.credits.resolve_ens).toBe(7);
});

test("derives the version from the pairs alone, not from the order of tools or the history of rows", async () => {
  const version = async (tools: readonly { name: string; credits: number }[]) =>
    (await openPrices(database, tools).current(database)).catalog.version;
  const all = await version(TOOLS);
  expect(all).toMatch(/^[0-9a-f]{12}$/);
  expect(await version([...TOOLS].reverse())).toBe(all);
  expect(await version(TOOLS.slice(1))).not.toBe(all);
  await database.run(ADD, [1]);
  // The operator's price equals the card's: the same pairs.
  expect(await version(TOOLS)).toBe(all);
});

test("keeps every price in the store, in the order in which it was set", async () => {
  for (const credits of [5, null, 5]) await store.prices.set("resolve_ens", credits);
  expect(await database.all("select credits, source from prices where tool = 'resolve_ens' order by id")).toEqual([
    { credits: 1, source: "card" },
    { credits: 5, source: "operator" },
    { credits: null, source: "operator" },
    { credits: 5, source: "operator" },
  ]);
});
