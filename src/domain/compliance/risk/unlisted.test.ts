import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import type { Facts } from "../../../store/facts.ts";
import { type LabelEntry, replaceList } from "../../../store/lists.ts";
import { readUnlisted, unlistedIn } from "./unlisted.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 0, to: 3 }, {});
});
afterAll(() => store.close());

const HEAD = {
  version: "1",
  format: "labels-json",
  origin: "",
  licence: "",
  published_on: "",
  kind: "labels",
} as const;
const label = (network: string, n: number, category: string): LabelEntry => ({
  ...{ network, category, label: `L${n}`, entity: "", confidence: 1, evidence: "", licence: "", published_on: "" },
  address: n.toString(16).padStart(40, "0") as LabelEntry["address"],
});
const chain = fixedChain({ network: { id: "demo" } });

/** The missing categories, and how many queries it took. */
const read = async () => {
  let asked = 0;
  const facts: Facts = new Proxy(store.facts, {
    get: (target, name) => {
      if (name === "ask") asked += 1;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const snapshot = await facts.snapshot("demo", null);
  return { unlisted: await readUnlisted({ facts, snapshot, chain }), asked };
};

test("names the categories without a list, and reads them again only after an import", async () => {
  const before = await read();
  // Sanctions have lists of their own, and freezes are on the chain.
  expect(before.unlisted).toHaveLength(14);
  expect(before.unlisted).not.toContain("sanctioned");
  expect((await read()).asked).toBe(0);
  const entries = [label("demo", 1, "ransomware"), label("evm", 2, "mixer"), label("elsewhere", 3, "darknet")];
  await replaceList(store, { ...HEAD, list: "crime" }, { kind: "labels", entries, now_ms: 1 });
  // Labels that the index derived are no list.
  const derived = [label("demo", 4, "gambling")];
  await replaceList(store, { ...HEAD, list: "clones" }, { kind: "labels", entries: derived, now_ms: 1 });
  const after = await read();
  expect(before.unlisted.filter((one) => !after.unlisted.includes(one))).toEqual(["ransomware", "mixer"]);
  expect((await read()).asked).toBe(0);
});

test("is one gap of an answer, and none where every category has a list", () => {
  expect(unlistedIn({ chain }, ["mixer", "ponzi"])).toEqual([
    { field: "categories", reason: "no list names addresses on demo of mixer, ponzi" },
  ]);
  expect(unlistedIn({ chain }, [])).toEqual([]);
});
