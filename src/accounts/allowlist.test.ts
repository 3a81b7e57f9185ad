import { afterEach, beforeEach, expect, test } from "vitest";
import { openAccounts } from "./open.ts";
import { openCustomer, request, settingsFor } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

let store: TemporaryStore;
beforeEach(async () => {
  store = await openTemporary();
});
afterEach(() => store.remove());

test("removes a hidden tool from the catalog and its version, and restores both", async () => {
  const before = await store.meter.catalog();
  expect(store.meter.isPublic("resolve_ens")).toBe(true);
  expect(await store.allowlist.set("resolve_ens", false)).toEqual({ tool: "resolve_ens", is_public: false });
  expect(store.meter.isPublic("resolve_ens")).toBe(false);
  const hidden = await store.meter.catalog();
  expect(Object.keys(hidden.credits)).not.toContain("resolve_ens");
  expect(hidden.version).not.toBe(before.version);
  expect(await store.allowlist.list()).toContainEqual({ tool: "resolve_ens", is_public: false });
  // Its price can be set in the meantime.
  await store.prices.set("resolve_ens", 1);
  expect(await store.prices.list()).toContainEqual({ tool: "resolve_ens", credits: 1, source: "operator" });
  await store.allowlist.set("resolve_ens", true);
  expect(await store.meter.catalog()).toEqual(before);
});

test("charges nothing for a call that was in flight when its tool was hidden", async () => {
  const { api } = await openCustomer(store);
  await store.allowlist.set("resolve_ens", false);
  expect(await store.meter.charge(request(api, { tool: "resolve_ens" }))).toMatchObject({ kind: "price_unavailable" });
});

test("notifies another process", async () => {
  const other = await openAccounts(settingsFor(store.place));
  await store.allowlist.set("get_wallet_pnl", false);
  await expect.poll(() => other.meter.isPublic("get_wallet_pnl")).toBe(false);
  expect(other.meter.isPublic("resolve_nothing")).toBe(false);
  await other.close();
});
