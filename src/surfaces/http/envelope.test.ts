import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { has_envelope_vectors, readEnvelopeVectors } from "../../../test/contract/envelope_vectors.ts";
import { type Envelope, readEnvelope } from "./envelope.ts";
import { findJsonFault } from "./json_fault.ts";

const JSON_TYPE = ["Content-Type", "application/json"];
const read = (body: string | Buffer, headers: readonly string[] = JSON_TYPE): Envelope =>
  readEnvelope(headers, Buffer.from(body));

const items = (envelope: Envelope) => {
  if (envelope.kind !== "invalid") throw new Error(`expected faults, got ${envelope.kind}`);
  return envelope.items;
};

const args = (envelope: Envelope) => {
  if (envelope.kind !== "read") throw new Error(`expected arguments, got ${envelope.kind}`);
  return envelope.args;
};

test.skipIf(!has_envelope_vectors)(
  "every recorded answer of a FastAPI service is reproduced (needs ../shared/data)",
  () => {
    const vectors = readEnvelopeVectors();
    expect(vectors.length).toBeGreaterThan(280);
    for (const vector of vectors) {
      const headers = Object.entries(vector.headers).flat();
      if (vector.content_type !== null) headers.push("content-type", vector.content_type);
      const body = Buffer.from(vector.body_base64, "base64");
      const answer = readEnvelope(headers, body);
      const seen =
        answer.kind === "invalid"
          ? { status: 422, detail: answer.items.map(({ msg: _, input: __, ...rest }) => rest) }
          : answer.kind === "unreadable"
            ? { status: 400, detail: "string" }
            : { status: 200 };
      expect(seen, `${vector.why}: ${JSON.stringify(body.toString("utf8"))}`).toEqual(vector.expect);
    }
  },
);

describe("the table of the contract", () => {
  test.each([
    ['{"a":', 5, "Expecting value"],
    ['{"a":1,}', 7, "Expecting property name enclosed in double quotes"],
    ["{'a':1}", 1, "Expecting property name enclosed in double quotes"],
    ["{1:2}", 1, "Expecting property name enclosed in double quotes"],
    ["{", 1, "Expecting property name enclosed in double quotes"],
    // \n 0, \n 1, { 2, "a" 3-5, space 6, the 1 at 7: as CPython counts.
    ['\n\n{"a" 1}', 7, "Expecting ':' delimiter"],
    ['{"a":01}', 6, "Expecting ',' delimiter"],
    ["{} {}", 3, "Extra data"],
    ['{"a":1}\u0000', 7, "Extra data"],
    ['{"a":"b', 5, "Unterminated string starting at"],
    ['{"a":"\u0001"}', 6, "Invalid control character at"],
    ['{"a":"\\x"}', 6, "Invalid \\escape"],
    [" \n ", 3, "Expecting value"],
    ['{"😀": x}', 6, "Expecting value"],
    ['{"a":NaN}', 5, "Expecting value"],
    ['{"a":-Infinity}', 5, "Expecting value"],
    ['{"a":1e400}', 5, "Number out of range"],
    ['{"a":"\\ud800"}', 7, "Lone surrogate in \\uXXXX escape"],
    ['{"\\udc00":1}', 3, "Lone surrogate in \\uXXXX escape"],
    ['{"a":"\\ud800\\u0041"}', 7, "Lone surrogate in \\uXXXX escape"],
  ])("%j is json_invalid at %i: %s", (body, offset, error) => {
    expect(items(read(body))).toEqual([
      { type: "json_invalid", loc: ["body", offset], msg: "JSON decode error", input: {}, ctx: { error } },
    ]);
  });

  test("an empty body and null are a missing body", () => {
    const missing = [{ type: "missing", loc: ["body"], msg: "Field required", input: null }];
    expect(items(read(""))).toEqual(missing);
    expect(items(read("null"))).toEqual(missing);
    expect(items(read("", []))).toEqual(missing);
  });

  test("JSON that is not an object is named and echoed", () => {
    for (const value of [[], "x", 1, true])
      expect(items(read(JSON.stringify(value)))).toEqual([
        { type: "dict_type", loc: ["body"], msg: "Input should be a valid dictionary", input: value },
      ]);
  });

  test("only values of up to 256 bytes are echoed", () => {
    // The quotes count: 254 letters make 256 bytes of JSON.
    expect(items(read(JSON.stringify("x".repeat(254))))[0]).toHaveProperty("input");
    expect(items(read(JSON.stringify("x".repeat(255))))[0]).not.toHaveProperty("input");
    expect(items(read(JSON.stringify("é".repeat(128))))[0]).not.toHaveProperty("input");
  });

  test("a body of another content type than JSON is no dictionary and is not echoed", () => {
    const item = [{ type: "dict_type", loc: ["body"], msg: "Input should be a valid dictionary" }];
    for (const type of ["text/plain", "application/jsonp", "application/x+json+y", "json", "multipart/form-data", ";"])
      expect(items(read('{"a":1}', ["content-type", type])), type).toEqual(item);
    expect(items(read('{"a":1}', []))).toEqual(item);
  });

  test("JSON types are accepted in any case and with any parameters", () => {
    for (const type of [
      "application/json",
      "APPLICATION/JSON; charset=utf-8",
      "application/vnd.api+json",
      "application/problem+JSON;a=b",
      "application/json ;x",
    ])
      expect(read('{"a":1}', ["content-type", type]).kind, type).toBe("read");
  });

  test("bytes that are no UTF-8, and UTF-16 and UTF-32, cannot be read", () => {
    const text = '{"a":1}';
    const be = Buffer.from(text, "utf16le").swap16();
    const bodies = [
      Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x7d]),
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      Buffer.from(text, "utf16le"),
      be,
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), be]),
      Buffer.from([0, 0, 0, 0x7b, 0, 0, 0, 0x7d]),
      Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0]),
      Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0, 0x7d, 0, 0, 0]),
    ];
    for (const body of bodies) expect(read(body).kind, body.toString("hex")).toBe("unreadable");
  });

  test("32 levels are read, 33 are not, whatever else is wrong behind them", () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
    expect(read(nested(32)).kind).toBe("read");
    expect(read(nested(33)).kind).toBe("unreadable");
    expect(read(`{"a":${"[".repeat(32)}${"]".repeat(32)}}`).kind).toBe("unreadable");
    expect(read("[".repeat(60_000)).kind).toBe("unreadable");
    expect(read(`{"a":`.repeat(12_000)).kind).toBe("unreadable");
  });

  test("an integer that no double can hold cannot be read", () => {
    expect(read(`{"a":${"9".repeat(308)}}`).kind).toBe("read");
    expect(read(`{"a":${"9".repeat(310)}}`).kind).toBe("unreadable");
    expect(read(`{"a":-${"9".repeat(5000)}}`).kind).toBe("unreadable");
  });

  test("the last of equal names wins", () => {
    expect(args(read('{"a":1,"a":2}'))).toEqual({ a: 2 });
  });

  test("__proto__ is an ordinary name that reaches no prototype", () => {
    const value = args(read('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("Idempotency-Key", () => {
  const withKeys = (...keys: readonly string[]) => [...JSON_TYPE, ...keys.flatMap((key) => ["Idempotency-KEY", key])];

  test("1 to 64 visible ASCII characters are taken as they are", () => {
    for (const key of ["!", "~", "x".repeat(64)]) {
      const answer = read("{}", withKeys(key));
      expect(answer).toEqual({ kind: "read", args: {}, idempotency_key: key });
    }
  });

  test.each([
    [[""], "string_too_short"],
    [["x".repeat(65)], "string_too_long"],
    [["a b"], "string_pattern_mismatch"],
    [["é"], "string_pattern_mismatch"],
    [["a", "a"], "multiple"],
  ])("%j is refused as %s", (keys, type) => {
    const [item] = items(read("{}", withKeys(...keys)));
    expect(item?.type).toBe(type);
    expect(item?.loc).toEqual(["header", "idempotency-key"]);
  });

  test("faults of header and body are in one array, the header's first", () => {
    expect(items(read('{"a"', withKeys(""))).map(({ type }) => type)).toEqual(["string_too_short", "json_invalid"]);
  });
});

test("the scanner agrees with JSON.parse on every text that is not one of the contract's own refusals", () => {
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    '"a"',
    "\\",
    "\\u00e9",
    "1",
    "-",
    "0",
    ".5",
    "e3",
    "null",
    "tru",
    " ",
  ];
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join("")),
    fc.json({ maxDepth: 4 }),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      expect(findJsonFault(text) === null).toBe(parses);
    }),
    { numRuns: 3000 },
  );
});
