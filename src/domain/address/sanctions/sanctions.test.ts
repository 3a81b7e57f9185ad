import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import type { Snapshot } from "../../../store/facts.ts";
import { type ListHead, removeList, replaceList, type SanctionEntry } from "../../../store/lists.ts";
import { checkSanctions } from "./sanctions.ts";

const LISTED = hex("11".repeat(20));
const FREED = hex("22".repeat(20));
const CLEAN = hex("33".repeat(20));
const DAY_MS = 86_400_000;
/** 2026-08-02T00:00:00Z. */
const IMPORTED_MS = 1_785_628_800_000;

let store: TestFacts;
let snapshot: Snapshot;

beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 1, to: 3 }, {});
  snapshot = await store.facts.snapshot("demo", null);
});
afterAll(() => store.close());

const head = (version: string, list = "first"): ListHead => ({
  list,
  kind: "sanctions",
  version,
  format: "sanctions-json",
  origin: "test",
  licence: "CC0-1.0",
  published_on: "2026-08-01",
});

const entry = (address: Hex, more: Partial<SanctionEntry> = {}): SanctionEntry => ({
  family: "evm",
  address,
  asset_code: "ETH",
  entity: "Somebody",
  program: "P1",
  listed_on: "2024-01-02",
  delisted_on: "",
  ...more,
});

const check = (addresses: readonly Hex[], now_ms = IMPORTED_MS + DAY_MS) =>
  checkSanctions(
    {
      facts: store.facts,
      snapshot,
      family: "evm",
      operator: { sanctions: { max_age_hours: 168, now_ms: () => now_ms } },
    },
    addresses,
  );

const write = (version: string, entries: readonly SanctionEntry[], now_ms = IMPORTED_MS) =>
  replaceList(store, head(version), { kind: "sanctions", entries, now_ms });

test("without a list the check is missing, not clean", async () => {
  const found = await check([LISTED]);
  expect(found.status).toBe("missing");
  expect(found.problem).toContain("No sanctions list");
});

test("a listed address matches whatever the asset code is, and one entry under two codes is one match", async () => {
  const both = [entry(LISTED), entry(LISTED, { asset_code: "USDT" })];
  expect(await write("v1", [...both, entry(FREED, { delisted_on: "2025-03-21" })])).toEqual({
    written: 3,
    changed: 0,
    removed: 0,
    unchanged: 0,
  });
  const found = await check([LISTED, FREED, CLEAN]);
  expect(found.status).toBe("ok");
  expect(found.lists).toEqual([{ id: "first", version: "v1", age_hours: 24 }]);
  expect([...found.matches]).toEqual([
    [
      LISTED,
      [
        {
          list: "first",
          version: "v1",
          entity: "Somebody",
          program: "P1",
          listed_on: "2024-01-02",
          delisted_on: null,
        },
      ],
    ],
  ]);
  expect([...found.delisted.keys()]).toEqual([FREED]);
});

test("an address of another family with the same bytes does not match", async () => {
  await write("v2", [entry(LISTED), entry(CLEAN, { family: "tron", asset_code: "TRX" })]);
  expect([...(await check([CLEAN])).matches.keys()]).toEqual([]);
});

test("a list is stale one minute after its age, and its matches are still reported", async () => {
  const limit = IMPORTED_MS + 168 * 3_600_000;
  expect((await check([LISTED], limit)).status).toBe("ok");
  const found = await check([LISTED], limit + 60_000);
  expect(found.status).toBe("stale");
  expect(found.problem).toContain("first");
  expect([...found.matches.keys()]).toEqual([LISTED]);
});

test("what a new version no longer names is delisted on its day, not forgotten; again changes nothing", async () => {
  const entries = [entry(CLEAN, { entity: "New" })];
  // v2 named LISTED (evm, ETH) and CLEAN (tron); LISTED under USDT and FREED are history since v1 and v2.
  expect(await write("v3", entries, IMPORTED_MS + 1)).toEqual({ written: 1, changed: 0, removed: 2, unchanged: 0 });
  const found = await check([LISTED, CLEAN]);
  expect([...found.matches.keys()]).toEqual([CLEAN]);
  expect(found.delisted.get(LISTED)?.[0]).toMatchObject({ delisted_on: "2026-08-01", version: "v3" });
  expect(await write("v3", entries, IMPORTED_MS + 2)).toEqual({ written: 0, changed: 0, removed: 0, unchanged: 1 });
});

test("a removed list leaves the check missing and matches nothing", async () => {
  await removeList(store, head("v3"), IMPORTED_MS + 3);
  const found = await check([CLEAN, LISTED]);
  expect(found.status).toBe("missing");
  expect([...found.matches, ...found.delisted]).toEqual([]);
});
