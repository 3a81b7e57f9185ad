import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import type { LabelEntry } from "../store/lists.ts";
import { replaceList } from "../store/lists.ts";
import { listAdvice, listLines, readListedRisks } from "./doctor_lists.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const NOW_MS = 1_700_000_000_000;
const HEAD = { version: "1", format: "labels-json", origin: "", licence: "", published_on: "" };

const label = (network: string, n: number, category: string): LabelEntry => ({
  ...{ network, category, label: `L${n}`, entity: "", confidence: 1, evidence: "", licence: "", published_on: "" },
  address: n.toString(16).padStart(40, "0") as LabelEntry["address"],
});

test("Without lists every category is 0, and each advice names a command that fills it", async () => {
  const lists = await readListedRisks(store, ["demo"]);
  expect(Object.values(lists.categories).every((count) => count === 0)).toBe(true);
  expect([lists.sanctioned, lists.tokens, lists.domains]).toEqual([0, 0, 0]);
  const advice = listAdvice({ lists });
  expect(advice).toContain(
    "no list names phishing addresses: run assay labels fetch graphsense-tagpacks or forta-phishing or forta-malicious or scamsniffer-addresses",
  );
  expect(advice).toContain("no sanctions list is imported: run assay labels fetch ofac-sdn or ofac-addresses");
  expect(advice.filter((line) => line.includes("ransomware"))).toEqual([
    expect.stringContaining("import one of your own with assay labels import"),
  ]);
});

test("Counts addresses of the enabled networks once, from lists alone, and what they name needs no advice", async () => {
  const labels = [
    label("demo", 1, "phishing"),
    label("demo", 2, "phishing"),
    label("evm", 2, "phishing"),
    label("evm", 3, "mixer"),
    label("elsewhere", 4, "phishing"),
  ];
  await replaceList(
    store,
    { ...HEAD, list: "crime", kind: "labels" },
    { kind: "labels", entries: labels, now_ms: NOW_MS },
  );
  // A clone of a mixer is derived, no list names it.
  const derived = { kind: "labels", entries: [label("demo", 9, "gambling")], now_ms: NOW_MS } as const;
  await replaceList(store, { ...HEAD, list: "clones", kind: "labels" }, derived);
  const domains = { kind: "domains", entries: [{ domain: "bad.test", is_allowed: 0 }], now_ms: NOW_MS } as const;
  await replaceList(store, { ...HEAD, list: "sites", kind: "domains" }, domains);
  const lists = await readListedRisks(store, ["demo"]);
  expect(lists).toMatchObject({ categories: { phishing: 2, mixer: 1, gambling: 0, scam: 0 }, domains: 1, tokens: 0 });
  expect(listLines({ lists })[1]).toContain("phishing 2");
  const advice = listAdvice({ lists }).join("\n");
  expect(advice).not.toMatch(/names phishing addresses|names mixer|phishing sites/);
  expect(advice).toMatch(/names gambling addresses/);
});

test("A store that cannot be read gives its reason and no advice", () => {
  const found = { lists: null, reason: "the instance has no data yet" } as const;
  expect([listLines(found), listAdvice(found)]).toEqual([["lists: not known (the instance has no data yet)"], []]);
});
