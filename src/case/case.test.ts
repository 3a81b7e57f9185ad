import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerHash, canonicalJson } from "./canonical.ts";
import { compareAnswers, MAY_DIFFER } from "./compare.ts";
import { CASE_LIMITS, type CaseFile, emptyCase } from "./format.ts";
import { blocksOf, canBePinned, caseResultOf, replayArguments } from "./pin.ts";
import { readCase } from "./read.ts";

const AS_OF = { block_number: 870, block_hash: "0xaa", timestamp: "2026-10-29T21:36:00Z" };
const ANSWER = { type: "stats", tx_count: 3, metadata: { chain: "demo", as_of: AS_OF, coverage: { to_block: 870 } } };

const ENTRY = caseResultOf({
  id: "e1",
  tool: "get_wallet_stats",
  arguments: { address: "0x01", network: "demo" },
  answer: ANSWER,
  request_id: "req-1",
  credits: 8,
  asked_at: "2026-11-25T12:00:00Z",
  catalog_version: "v1",
});

const CASE: CaseFile = { ...emptyCase("A case", "2026-11-25T12:00:00Z"), entries: [ENTRY] };

describe("canonical JSON", () => {
  test("sorts members by UTF-16 units, digits too, and writes numbers like ECMAScript (RFC 8785, 3.2)", () => {
    // RFC 8785's own example of sorting, in part; "10" comes before "9" because "1" does before "9".
    const value = { "\u20ac": "Euro", "\r": "CR", "10": 1, "9": 2, "\u00f6": [1e30, 4.5, 2e-3, 1e-27, -0], a: null };
    expect(canonicalJson(value)).toBe('{"\\r":"CR","10":1,"9":2,"a":null,"ö":[1e+30,4.5,0.002,1e-27,0],"€":"Euro"}');
  });

  test("hashes the same for any order of members, and differently for any other value", () => {
    expect(answerHash({ a: 1, b: [true] })).toBe(answerHash({ b: [true], a: 1 }));
    expect(answerHash({ a: 1 })).not.toBe(answerHash({ a: "1" }));
    // printf '{"a":1}' | sha256sum
    expect(answerHash({ a: 1 })).toBe("015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862");
  });
});

describe("an entry", () => {
  test("has the block of its answer, and repeats the call as of that block", () => {
    expect(ENTRY.as_of).toEqual([{ network: "demo", ...AS_OF }]);
    expect(replayArguments(ENTRY)).toEqual({ address: "0x01", network: "demo", as_of_block: 870 });
    // Of a date the case keeps the block that it meant.
    const dated = { ...ENTRY, arguments: { ...ENTRY.arguments, as_of_block: "2026-01-31" } };
    expect(replayArguments(dated)).toEqual({ address: "0x01", network: "demo", as_of_block: 870 });
  });

  test("of several networks has a block on each, and cannot be repeated as of one block", () => {
    const answer = {
      metadata: {
        networks: [
          { network: "a", as_of: AS_OF },
          { network: "b", as_of: null },
        ],
      },
    };
    expect(blocksOf(answer)).toEqual([{ network: "a", ...AS_OF }]);
    const entry = caseResultOf({ ...ENTRY, arguments: { network: "all" }, answer });
    expect(replayArguments(entry)).toBeNull();
  });

  test("keeps an answer without data, and no error", () => {
    expect(canBePinned({ status: "error", message: "no" })).toBe(false);
    expect(canBePinned({ detail: "no" })).toBe(false);
    expect(canBePinned({ status: "no_data" })).toBe(true);
  });
});

describe("comparing", () => {
  test("accepts differences in the metadata of a computation, and points at each differing figure or list length", () => {
    const again = { ...ANSWER, metadata: { ...ANSWER.metadata, coverage: { to_block: 880 } } };
    expect(compareAnswers(ANSWER, again, MAY_DIFFER)).toEqual({
      differing: [],
      besides: ["/metadata/coverage/to_block"],
    });
    const lists = compareAnswers({ "a/b": [{ x: 1 }, { x: 2 }] }, { "a/b": [{ x: 1 }, { x: 3 }, null] }, []);
    expect(lists.differing).toEqual(["/a~1b/1/x", "/a~1b/2"]);
  });

  test("ignores a live member in lists, and compares its neighbours", () => {
    const kept = {
      checks: [
        { id: "a", age_hours: 1 },
        { id: "b", age_hours: 2 },
      ],
    };
    const again = {
      checks: [
        { id: "a", age_hours: 5 },
        { id: "c", age_hours: 6 },
      ],
    };
    const live = ["checks[].age_hours"];
    expect(compareAnswers(kept, again, live).differing).toEqual(["/checks/1/id"]);
  });

  test("distinguishes a missing member from null", () => {
    expect(compareAnswers({ a: null }, {}, []).differing).toEqual(["/a"]);
  });

  test("finds no difference exactly when canonical JSON is equal", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
        expect(compareAnswers(a, structuredClone(a), []).differing).toEqual([]);
        const is_same = canonicalJson(a) === canonicalJson(b);
        expect(compareAnswers(a, b, []).differing.length === 0).toBe(is_same);
      }),
    );
  });
});

describe("reading a file", () => {
  const refusal = (file: unknown): string | null => {
    const read = readCase(typeof file === "string" ? file : JSON.stringify(file));
    return read.kind === "refused" ? read.reason : null;
  };

  test("reads a written file member for member", () => {
    const graphs = [
      {
        ...{ id: "g1", title: "G", saved_at: "2026-11-25T12:00:00Z", network: "demo", start: "0x01" },
        expansions: [
          { entry: "e1", categories: ["dex"] },
          { entry: "e1", categories: [], trace: "in" },
        ],
        pinned: ["0x01"],
        places: [["0x01", 1, -2.5]] as const,
        labels: [["0x01", "<b>\u202eMine"]] as const,
        remarks: [["0x01", "paid twice"]] as const,
        hidden: ["0x02"],
        groups: [{ id: "k1", name: "<i>Ours", nodes: ["0x01", "0x02"], is_open: true }],
        filter: { text: "mix", min_usd: 10.5, kinds: ["risk"], from: "2026-01-01", to: null, token: "0x03" },
      },
    ];
    const notes = [
      { id: "n1", at: "2026-11-25T12:00:00.123Z", text: "<b>\u202enote", entry: "e1" },
      { id: "n2", at: "2026-11-25T12:00:00Z", text: "of the case", entry: null },
    ];
    const file = { ...CASE, graphs, notes };
    expect(readCase(JSON.stringify(file))).toEqual({ kind: "read", file });
  });

  test("reads graphs of releases before own labels, and refuses marks of another form", () => {
    const graph = {
      ...{ id: "g1", title: "G", saved_at: "2026-11-25T12:00:00Z", network: "demo", start: "0x01" },
      ...{ expansions: [], pinned: [], places: [] },
    };
    const read = readCase(JSON.stringify({ ...CASE, graphs: [graph] }));
    const filter = { text: "", min_usd: 0, kinds: [], from: null, to: null, token: null };
    const marks = { labels: [], remarks: [], hidden: [], groups: [], filter };
    expect(read).toMatchObject({ kind: "read", file: { graphs: [{ ...graph, ...marks }] } });
    for (const wrong of [
      { labels: [["a"]] },
      { labels: [["a", "b", "c"]] },
      { hidden: [1] },
      { filter: {} },
      { groups: [{}] },
    ])
      expect(refusal({ ...CASE, graphs: [{ ...graph, ...wrong }] })).toContain("graphs[0]");
  });

  test("reads notes of releases before notes about results", () => {
    const old = { id: "n1", at: "2026-11-25T12:00:00Z", text: "old" };
    const read = readCase(JSON.stringify({ ...CASE, notes: [old] }));
    expect(read).toMatchObject({ kind: "read", file: { notes: [{ ...old, entry: null }] } });
  });

  test.each<[string, unknown, string]>([
    ["no JSON", "{", "not JSON"],
    ["another format", { format: "x" }, "not a case file"],
    ["a later version", { ...CASE, version: 2 }, "newer release"],
    ["a tool with a path", { ...CASE, entries: [{ ...ENTRY, tool: "../x" }] }, "not a tool name"],
    ["an id with markup", { ...CASE, entries: [{ ...ENTRY, id: "<b>" }] }, "may only contain"],
    ["two entries of one id", { ...CASE, entries: [ENTRY, ENTRY] }, "two entries with one id"],
    [
      "a negative block",
      { ...CASE, entries: [{ ...ENTRY, as_of: [{ ...ENTRY.as_of[0], block_number: -1 }] }] },
      "whole",
    ],
    ["arguments that are a list", { ...CASE, entries: [{ ...ENTRY, arguments: [] }] }, "not an object"],
    ["an invalid time", { ...CASE, created_at: "yesterday" }, "not a time"],
    ["an invalid hash", { ...CASE, entries: [{ ...ENTRY, answer_sha256: "00" }] }, "64 hex digits"],
    ["too many notes", { ...CASE, notes: Array(CASE_LIMITS.notes + 1).fill(0) }, "more than 1000"],
    ["a long title", { ...CASE, title: "x".repeat(201) }, "more than 200 characters"],
  ])("rejects %s", (_, file, reason) => {
    expect(refusal(file)).toContain(reason);
  });

  test("rejects a graph of an entry that does not exist", () => {
    const graph = {
      ...{ id: "g", title: "", saved_at: CASE.created_at, network: "demo", start: "0x", pinned: [], places: [] },
      expansions: [{ entry: "e9", categories: [] }],
    };
    expect(refusal({ ...CASE, graphs: [graph] })).toContain("e9");
  });

  test("rejects __proto__, deep nesting and too many values before it uses them", () => {
    const text = JSON.stringify(CASE).replace('"tx_count":3', '"tx_count":3,"__proto__":{"polluted":true}');
    expect(text).toContain("__proto__");
    expect(refusal(text)).toContain("__proto__");
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(refusal(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toContain("nested deeper");
    const brackets = "[".repeat(10_000_000);
    const started = performance.now();
    expect(refusal(brackets)).toContain("nested deeper");
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(refusal(`[${"0,".repeat(CASE_LIMITS.values)}0]`)).toContain("values");
  });

  test("throws for no text", () => {
    fc.assert(fc.property(fc.json(), (text) => void readCase(text)));
    fc.assert(
      fc.property(fc.record({ title: fc.jsonValue(), notes: fc.jsonValue(), entries: fc.jsonValue() }), (members) => {
        void readCase(JSON.stringify({ ...CASE, ...members }));
      }),
    );
  });
});
