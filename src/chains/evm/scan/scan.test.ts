import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRecorded } from "../../../../bench/replay/recorded.ts";
import { parsedIn, type ScanResult, scannedIn, textOf, textsIn } from "../../../../bench/replay/scanned.ts";
import { sized } from "../../../../test/long.ts";
import { drawing, randomBlock } from "../../../../test/random_evm_block.ts";
import { EVM_FEE_FIELDS } from "../../../knowledge/fees.gen.ts";
import { toHex } from "../../../lib/bytes.ts";
import { BadAnswer, type JsonFields } from "../../node/answer.ts";
import { answersIn } from "./answers.ts";
import { NAMES } from "./records.ts";
import { release } from "./texts.ts";

const RANDOM_BLOCKS = sized({ slice: 2_000, long: 100_000 });
const RANDOM_TEXTS = sized({ slice: 3_000, long: 300_000 });

/** Inputs as their text; of the objects of `JSON.parse` only the scanned fields. */
const plainFields = (fields: JsonFields, names: ReadonlySet<string> | undefined): Record<string, unknown> => {
  const members = Object.entries(fields).filter(([name]) => names?.has(name));
  const plain = members.map(
    ([name, value]) => [name, value instanceof Uint8Array ? `0x${toHex(value)}` : value] as const,
  );
  return Object.fromEntries(
    plain.map(([name, value]) => [name, name === "input" || name === "data" ? String(value).toLowerCase() : value]),
  );
};

const [HEADER, TRANSACTION, RECEIPT] = [NAMES.header, NAMES.transaction, NAMES.receipt].map((names) => new Set(names));

const plain = ({ block, receipts }: ScanResult) => ({
  header: plainFields(block.header, HEADER),
  transactions: block.transactions.map((fields) => plainFields(fields, TRANSACTION)),
  receipts: receipts.map(({ fields, logs, repeats_all }) => ({
    fields: plainFields(fields, RECEIPT),
    repeats_all,
    logs: logs.map(({ address, topics, data, index }) => [index, toHex(address), topics.map(toHex), toHex(data)]),
  })),
});

const namesOf = ({ block, receipts }: ScanResult): string[] =>
  [block.header, ...block.transactions, ...receipts.map(({ fields }) => fields)].flatMap((fields) =>
    Object.keys(fields),
  );

/** Returns the names met. */
const expectSame = (text: Buffer): string[] => {
  const scanned = scannedIn(textsIn(text));
  expect(plain(scanned)).toEqual(plain(parsedIn(text)));
  return namesOf(scanned);
};

describe("a block is the same as after JSON.parse", () => {
  const recorded = readRecorded("../shared/data/evm") ?? [];

  test.skipIf(recorded.length === 0)("for every recorded block", () => {
    for (const { replay } of recorded) expectSame(textOf(replay));
    release();
  });

  test("for random ones: fields in any order, missing, null, of any fork, among unknown fields", () => {
    const draw = drawing(1);
    const seen = new Set<string>();
    for (let i = 0; i < RANDOM_BLOCKS; i += 1)
      for (const name of expectSame(Buffer.from(randomBlock(draw)))) seen.add(name);
    // All kinds of fields occurred.
    for (const name of ["withdrawals", "blobVersionedHashes", "mint", "retryData", "status", "extraData"])
      expect(seen).toContain(name);
    for (const name of EVM_FEE_FIELDS.split(" ")) expect(seen).toContain(name);
  });
});

const block = (more: string, transaction = "") =>
  Buffer.from(`[{"id":1,"result":{"number":"0x1"${more},"transactions":[${transaction}]}},{"id":2,"result":[]}]`);
const receipt = (log: string, more = "") =>
  Buffer.from(
    `[{"id":1,"result":{"transactions":[]}},{"id":2,"result":[{"transactionHash":"0xaa","blockHash":"0xbb"${more},"logs":[${log}]}]}]`,
  );
const LOG = '"transactionHash":"0xaa","logIndex":"0x0","data":"0x","topics":[]';
const ADDRESS = `"address":"0x${"11".repeat(20)}"`;
const scan = (text: Buffer) => scannedIn(textsIn(text));

describe("rejects malformed blocks", () => {
  test.each([
    ["a name twice", block(',"hash":"0x1","hash":"0x1"'), "the same name twice"],
    ["a name with escapes", block(',"\\u0068ash":"0x1"'), "a name with escapes"],
    ["no transactions", Buffer.from('[{"id":1,"result":{}},{"id":2,"result":[]}]'), "no value where one must be"],
    ["a transaction that is a hash", block("", '"0x11"'), "something of another shape"],
    ["an input that is not hex", block("", '{"input":"0xzz"}'), "something that is not hex"],
    ["an input of half a byte", block("", '{"input":"0x123"}'), "something that is not hex"],
    ["a log without an address", receipt(`{${LOG}}`), "something of another length"],
    ["a log of another transaction", receipt(`{${LOG.replace("0xaa", "0xab")},${ADDRESS}}`), "of another transaction"],
    [
      "a log of no transaction",
      receipt(`{${LOG.replace("transactionHash", "x")},${ADDRESS}}`),
      "of another transaction",
    ],
    ["a log that was removed", receipt(`{${LOG},${ADDRESS},"removed":true}`), "a log that was removed"],
    ["a log at 2^53", receipt(`{${LOG.replace('"0x0"', '"0x20000000000000"')},${ADDRESS}}`), "without a place"],
    ["a log without a place", receipt(`{${LOG.replace("logIndex", "x")},${ADDRESS}}`), "without a place"],
    ["topics in a text", receipt(`{${LOG.replace("[]", '"[]"')},${ADDRESS}}`), "something of another shape"],
    ["a short topic", receipt(`{${LOG.replace("[]", '["0x11"]')},${ADDRESS}}`), "something of another length"],
    [
      "five topics",
      receipt(`{${LOG.replace("[]", `[${Array.from({ length: 5 }, () => `"0x${"22".repeat(32)}"`)}]`)},${ADDRESS}}`),
      "more than four topics",
    ],
    ["no logs", Buffer.from('[{"id":1,"result":{"transactions":[]}},{"id":2,"result":[{}]}]'), "no value where one"],
  ])("%s", (_, text, words) => {
    expect(() => scan(text)).toThrow(BadAnswer);
    expect(() => scan(text)).toThrow(words);
  });

  test("a log that names another block than its receipt is marked", () => {
    const same = scan(receipt(`{${LOG},${ADDRESS},"blockHash":"0xbb"},{${LOG},${ADDRESS}}`));
    expect(same.receipts.map(({ repeats_all }) => repeats_all)).toEqual([true]);
    for (const other of ['"0xbc"', "null", '"0xBB"']) {
      const told = scan(receipt(`{${LOG},${ADDRESS},"blockHash":"0xbb"},{${LOG},${ADDRESS},"blockHash":${other}}`));
      expect(told.receipts.map(({ repeats_all }) => repeats_all)).toEqual([false]);
    }
  });

  test("a place up to 2^53 is exact", () => {
    const [first] = scan(receipt(`{${LOG.replace('"0x0"', '"0x1fffffffffffff"')},${ADDRESS}}`)).receipts;
    expect(first?.logs[0]?.index).toBe(Number.MAX_SAFE_INTEGER);
  });
});

/** Text that `JSON.parse` accepts and that is an object or a list of objects. */
const isAnswer = (text: string): boolean => {
  try {
    const json: unknown = JSON.parse(text);
    const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
    return Array.isArray(json) ? json.every(isObject) : isObject(json);
  } catch {
    return false;
  }
};

const isTaken = (text: string): boolean => {
  try {
    answersIn(Buffer.from(text));
    return true;
  } catch (error) {
    if (!(error instanceof BadAnswer)) throw error;
    return false;
  }
};

describe("answers agree with JSON.parse", () => {
  const PIECES = [
    ...[
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      '"a"',
      '"a":',
      "{}",
      "[]",
      "1",
      "-",
      "0",
      "01",
      "1.",
      ".5",
      "1e",
      "1e+5",
      "-0.0",
    ],
    ...[
      "true",
      "false",
      "null",
      "nul",
      "tru",
      " ",
      "\n",
      "\t",
      "\u000b",
      "\u00a0",
      '"\u0001"',
      '"\\x"',
      '"\\u12"',
      '"\\u12aF"',
    ],
    ...["[{", "}]", '{"a":', '"\\""', "\u0000", "\ufeff", "falsey", "+1", "NaN", '"\u007f\u00e9"', '{"a":1}', "//"],
  ];

  test("for random pieces", () => {
    const draw = drawing(2);
    let taken = 0;
    for (let i = 0; i < RANDOM_TEXTS; i += 1) {
      const pieces = Array.from({ length: 1 + draw(6) }, () => PIECES[draw(PIECES.length)] ?? "");
      const text = draw(2) === 0 ? pieces.join("") : `{"a":${pieces.join("")}}`;
      expect(isTaken(text), JSON.stringify(text)).toBe(isAnswer(text));
      if (isTaken(text)) taken += 1;
    }
    expect(taken).toBeGreaterThan(RANDOM_TEXTS / 50);
  });

  test("for any JSON, whole and cut off", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, cut) => {
        const text = `{"id":1,"result":${json}}`;
        expect(isTaken(text)).toBe(true);
        expect(isTaken(text.slice(0, cut % text.length))).toBe(false);
      }),
    );
  });

  test("ids, errors and results agree with JSON.parse", () => {
    const text =
      '[{"id":7,"result":null},{"id":null,"error":{"code":-5,"message":"\\u0041"}},{"result":[1,"]"],"id":"7"},{}]';
    const [first, second, third, fourth] = [answersIn(Buffer.from(text))].flat() as readonly Record<string, unknown>[];
    expect(first).toEqual({ id: 7, result: null });
    expect(second).toEqual({ id: null, error: { code: -5, message: "A" } });
    expect(third).toMatchObject({ id: "7" });
    expect(fourth).toEqual({ id: null });
    expect(answersIn(Buffer.from(' {"id": 3 , "error": null}'))).toEqual({ id: 3, error: null });
  });

  test("4,096 levels are read; one more, or a million, is rejected at once", () => {
    const nested = (levels: number) => `{"result":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect(isTaken(nested(4_095))).toBe(true);
    expect(() => answersIn(Buffer.from(nested(4_096)))).toThrow("the answer is nested too deeply");
    const started = performance.now();
    expect(() => answersIn(Buffer.from(`{"result":${"[".repeat(1_000_000)}`))).toThrow(
      "the answer is nested too deeply",
    );
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("rejects more answers than any batch has, and a repeated member", () => {
    expect(() => answersIn(Buffer.from(`[${Array.from({ length: 4_097 }, () => "{}")}]`))).toThrow(BadAnswer);
    expect(() => answersIn(Buffer.from('{"id":1,"result":1,"result":2}'))).toThrow("the same name twice");
  });
});
