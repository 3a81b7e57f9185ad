import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { nameRecords } from "../../domain/compliance/public_records/records.ts";
import { NO_TEXTS } from "../../domain/compliance/public_records/report.ts";
import type { CallContext } from "../../domain/context.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { type LabelEntry, replaceList } from "../../store/lists.ts";
import { getWalletOsintRecord } from "./index.ts";

const THIEF = hex("11".repeat(20));
const CHARITY = hex("22".repeat(20));
const NOBODY = hex("33".repeat(20));
/** 2026-08-02T00:00:00Z. */
const IMPORTED_MS = 1_785_628_800_000;

let store: TestFacts;

const label = (address: Hex, said: Partial<LabelEntry>): LabelEntry => ({
  network: "demo",
  address,
  label: "A name",
  category: "unknown_service",
  entity: "",
  confidence: 0.5,
  evidence: "",
  licence: "",
  published_on: "",
  ...said,
});

const head = (list: string, kind: "labels" | "sanctions", format: string) => ({
  list,
  kind,
  version: "v1",
  format,
  origin: "test",
  licence: "",
  published_on: "",
});

beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 0, to: 3 }, {});
  await store.seed({ network: "other", from: 0, to: 3 }, {});
  const pack = [
    label(THIEF, { label: "Stolen coins", category: "exploit", evidence: "https://report.test/1 2024-05-06" }),
    label(THIEF, { label: "Fake airdrop", category: "phishing", confidence: 0.7, entity: "Gang" }),
    label(CHARITY, { label: "Donation address of a charity" }),
  ];
  await replaceList(store, head("pack", "labels", "tagpack"), { kind: "labels", entries: pack, now_ms: IMPORTED_MS });
  const own = [label(THIEF, { label: "Ours", category: "scam", confidence: 0.7, entity: "Other gang" })];
  await replaceList(store, head("own", "labels", "labels-csv"), {
    kind: "labels",
    entries: own,
    now_ms: IMPORTED_MS + 1000,
  });
  await replaceList(store, head("sdn", "sanctions", "ofac-xml"), {
    kind: "sanctions",
    entries: [],
    now_ms: IMPORTED_MS,
  });
});
afterAll(() => store.close());

const context = (state: { age_hours?: number; is_other_lost?: boolean } = {}): CallContext => ({
  facts: store.facts,
  chain: (id) => fixedChain({ network: { id: state.is_other_lost === true && id === "other" ? "lost" : id } }),
  networks: ["demo", "other"],
  operator: {
    ...SILENT_OPERATOR,
    sanctions: { max_age_hours: 168, now_ms: () => IMPORTED_MS + (state.age_hours ?? 0) * 3_600_000 },
  },
  signal: AbortSignal.timeout(10_000),
});

const run = async (address: string, state = {}) =>
  runTool(getWalletOsintRecord, { wallet_address: `0x${address}` }, context(state));

describe("labels", () => {
  test("of harm are reports and are counted; the surest, newest names the entity", async () => {
    const outcome = await run(THIEF);
    if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
    const { records, reports_summary, entity } = outcome.data;
    // 0.7 before 0.5; of the two with 0.7 the one that was imported a second later comes first.
    expect(records.map(({ kind, value, source_type }) => [kind, value, source_type])).toEqual([
      ["report", "Ours", "operator"],
      ["entity", "Other gang", "operator"],
      ["report", "Fake airdrop", "community"],
      ["entity", "Gang", "community"],
      ["report", "Stolen coins", "community"],
    ]);
    expect(records[4]).toMatchObject({
      url: "https://report.test/1",
      licence: null,
      confidence: 0.5,
      last_verified: null,
    });
    expect(records[4]?.evidence).toEqual([{ kind: "list", ref: "pack@v1", observed_at: "2026-08-02T00:00:00Z" }]);
    expect(reports_summary).toEqual({
      count: 3,
      categories: [
        { category: "exploit", count: 1 },
        { category: "phishing", count: 1 },
        { category: "scam", count: 1 },
      ],
    });
    expect(entity).toBe("Other gang");
  });

  test("that speak of donations are donations", async () => {
    const outcome = await run(CHARITY);
    if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
    expect(outcome.data.records.map(({ kind }) => kind)).toEqual(["donation"]);
    expect(outcome.data.entity).toBeNull();
  });
});

describe("no record", () => {
  test("on two networks that were read, with lists that are fresh, is no data", async () => {
    expect(await run(NOBODY, { age_hours: 168 })).toMatchObject({
      kind: "no_data",
      type: "osint_record",
      message: expect.stringContaining("Sources that were not imported are not searched"),
    });
  });

  test("with an outdated list is an incomplete check; a record comes with a warning", async () => {
    expect(await run(NOBODY, { age_hours: 169 })).toMatchObject({ kind: "error", code: "CHECK_INCOMPLETE" });
    const outcome = await run(CHARITY, { age_hours: 169 });
    if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
    expect(outcome.data.metadata.warnings.map(({ code }) => code)).toEqual(["SANCTIONS_UNCHECKED"]);
  });

  test("with an unreadable network is an outage; a record comes with a warning", async () => {
    const state = { is_other_lost: true };
    expect(await run(NOBODY, state)).toMatchObject({ kind: "error", code: "UPSTREAM_UNAVAILABLE" });
    const outcome = await run(CHARITY, state);
    if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
    expect(outcome.data.metadata.warnings.map(({ code }) => code)).toEqual(["NETWORK_UNAVAILABLE"]);
  });
});

test("a published e-mail address is a record as its hash alone, whatever its case", async () => {
  const snapshot = await store.facts.snapshot("demo", null);
  const scope = { chain: fixedChain(), snapshot, lists: new Map() };
  const records = nameRecords(
    { name: "a.eth", service: "ens", texts: { ...NO_TEXTS, email: " Me@Example.ORG " } },
    scope,
  );
  expect(records.map(({ kind, value }) => [kind, value])).toEqual([
    ["name", "a.eth"],
    // printf me@example.org | sha256sum
    ["email_hash", "855c94f3498940b241d6b5e78bb6f9293b941953b2799f8b925bd25180571d77"],
  ]);
});
