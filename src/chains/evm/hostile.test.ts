/** For any JSON of a node, a reader either throws its own kind of error or returns a verified block. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ScannedAnswer, scannedIn, textOf, textsIn } from "../../../bench/replay/scanned.ts";
import type { ReplayBlock } from "../../../bench/replay/server.ts";
import { syntheticBlocks } from "../../../bench/replay/synthetic.ts";
import { hex, toHex } from "../../lib/bytes.ts";
import { TEXT_BYTES_MAX } from "../../lib/text.ts";
import type { CallResult } from "../chain.ts";
import { ethereum } from "../networks/known.gen.ts";
import { BadAnswer } from "../node/answer.ts";
import { decodeAggregate3, encodeAggregate3, textIn } from "./abi.ts";
import { type BlockParameters, matchBlock, type RawBlock, readBlock } from "./blocks.ts";
import { readMetadata } from "./metadata.ts";
import { readCallTracer, readTraceBlock } from "./traces.ts";
import { NO_UNCLES } from "./uncles.ts";
import { rulesOf } from "./verify/rules.ts";

const NUMBER = 20_000_000;
const [good] = syntheticBlocks({ shape: "transfers", count: 1, with_traces: true });
if (good === undefined) throw new Error("no block was generated");

/** Nothing is recomputed here; the tests in verify/ cover verification. */
const READING = {
  network: ethereum,
  rules: rulesOf(ethereum),
  proof: null,
  author: null,
  now: 2_000_000_000,
  verify: "full",
} as const;

/** Values that may break a parser, beside any JSON at all. */
const odd = fc.oneof(
  fc.constantFrom(null, true, "", "0x", "0x0", "0x-1", "0x1.5", "0xzz", "0X1", "latest", -1, 1e308, 0.5, "0x ff"),
  fc.constantFrom(`0x${"f".repeat(64)}`, `0x${"f".repeat(65)}`, `0x${"0".repeat(5_000)}`, "__proto__", "\ud800"),
  fc.jsonValue(),
);

const onlyBadAnswer = (read: () => unknown): void => {
  try {
    read();
  } catch (error) {
    if (!(error instanceof BadAnswer)) throw error;
  }
};

/** Puts `value` at a random position of a JSON document. */
const spoilt = (json: unknown, path: readonly number[], value: unknown): unknown => {
  const [step = 0, ...rest] = path;
  if (typeof json !== "object" || json === null || path.length === 0) return value;
  if (Array.isArray(json))
    return json.length === 0 ? [value] : json.with(step % json.length, spoilt(json[step % json.length], rest, value));
  const names = Object.keys(json);
  const name = names[step % names.length] ?? "x";
  return { ...json, [name]: spoilt(Reflect.get(json, name), rest, value) };
};

const readWhole = ({ block, receipts, traces }: ScannedAnswer & Pick<RawBlock, "traces">, reading: BlockParameters) => {
  const scanned = scannedIn(textsIn(textOf({ block, receipts })));
  return readBlock(matchBlock({ ...scanned, traces, uncles: NO_UNCLES }, reading), reading);
};

const read = (raw: { block: unknown; receipts: unknown; traces?: unknown }) =>
  readWhole(
    { ...raw, traces: { method: "debug_traceBlockByNumber", answer: raw.traces } },
    { ...READING, number: NUMBER, thorough: true },
  );

test("the unspoilt block is read", () => {
  expect(read(good).transactions).toHaveLength(34);
});

test("any JSON instead of a block, its receipts or its traces is rejected as a bad answer", () => {
  fc.assert(
    fc.property(odd, odd, odd, (block, receipts, traces) => {
      onlyBadAnswer(() => read({ block, receipts, traces }));
      onlyBadAnswer(() => readTraceBlock(traces, [{ hash: "0x1", from: "0x2" }]));
      onlyBadAnswer(() => readCallTracer(traces, [{ hash: "0x1", from: "0x2" }]));
    }),
    { numRuns: 2_000 },
  );
});

test("a true block with any value replaced is rejected as a bad answer or has the same facts", () => {
  const path = fc.array(fc.nat(60), { minLength: 1, maxLength: 6 });
  const before = shapeOf(read(good));
  fc.assert(
    fc.property(fc.constantFrom("block", "receipts", "traces"), path, odd, (part, steps, value) => {
      onlyBadAnswer(() => {
        // `part` is one of the three names above.
        const block = read({ ...good, [part]: spoilt(good[part as keyof typeof good], steps, value) });
        expect(shapeOf(block)).toEqual(before);
      });
    }),
    { numRuns: 2_000 },
  );
});

/** Facts that verification guarantees: the transactions and logs, and each log's emitter and topics. */
const shapeOf = (block: ReturnType<typeof read>) =>
  block.transactions.map((transaction) =>
    transaction.logs.map((log) => [log.index, toHex(log.address), ...log.topics.map(toHex)]),
  );

test("whatever contracts answer, metadata is clean text of bounded size or null", async () => {
  const word = fc.oneof(
    fc.constantFrom(0n, 31n, 32n, 33n, 64n, 2n ** 255n),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  );
  const data = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .tuple(word, word, fc.uint8Array({ maxLength: 600 }))
      .map(([a, b, rest]) =>
        Buffer.from(a.toString(16).padStart(64, "0") + b.toString(16).padStart(64, "0") + toHex(rest), "hex"),
      ),
  );
  const result = fc.record({ ok: fc.boolean(), data });
  await fc.assert(
    fc.asyncProperty(fc.array(result, { minLength: 1, maxLength: 20 }), async (results) => {
      let next = 0;
      const answer = (): CallResult => results[next++ % results.length] ?? { ok: false, data: new Uint8Array(0) };
      const [metadata] = await readMetadata([hex("aa".repeat(20))], {
        call: async (calls) => calls.map(answer),
        codes: async (addresses) => addresses.map(() => answer().data),
      });
      expect(Buffer.byteLength(metadata?.name ?? "")).toBeLessThanOrEqual(TEXT_BYTES_MAX.name);
      expect(Buffer.byteLength(metadata?.symbol ?? "")).toBeLessThanOrEqual(TEXT_BYTES_MAX.symbol);
      // Cc, Cf and Zl/Zp: control, format and separator characters.
      expect(`${metadata?.name ?? ""}${metadata?.symbol ?? ""}`).not.toMatch(
        /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u,
      );
      if (metadata?.decimals !== null) expect(metadata?.decimals).toBeLessThanOrEqual(255);
    }),
    { numRuns: 500 },
  );
});

test("a Multicall3 answer that is cut or forged is null, and a true one returns its results", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(5), (data, count) => {
      const results = decodeAggregate3(data, count);
      if (results !== null) expect(results).toHaveLength(count);
    }),
  );
  // One result (true, 0x2a): offset, count, offset of the tuple, true, offset of the bytes, length 1, the byte.
  const words = [32, 1, 32, 1, 64, 1].map((value) => value.toString(16).padStart(64, "0")).join("");
  const answer = Buffer.from(`${words}2a${"00".repeat(31)}`, "hex");
  expect(decodeAggregate3(answer, 1)).toEqual([{ ok: true, data: Buffer.from([0x2a]) }]);
  expect(decodeAggregate3(answer, 2)).toBeNull();
  expect(decodeAggregate3(answer.subarray(0, 192), 1)).toBeNull();
});

test("aggregate3 is encoded as its ABI requires", () => {
  const to = hex("11".repeat(20));
  const word = (value: number) => value.toString(16).padStart(64, "0");
  // selector; offset of the list; 1 call; its offset; target, allowFailure, offset of the data; 4 bytes, padded.
  expect(encodeAggregate3([{ to, data: hex("18160ddd") }])).toBe(
    `82ad56cb${word(32)}${word(1)}${word(32)}${"0".repeat(24)}${to}${word(1)}${word(96)}${word(4)}18160ddd${"0".repeat(56)}`,
  );
});

test("a text is read from a string and from bytes32 only", () => {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const bytes = (hex: string) => Buffer.from(hex, "hex");
  // "MKR" in bytes32, and as a string at offset 32.
  expect(textIn(bytes(`4d4b52${"00".repeat(29)}`), 64)).toBe("MKR");
  expect(textIn(bytes(`${word(32)}${word(3)}4d4b52${"00".repeat(29)}`), 64)).toBe("MKR");
  expect(textIn(bytes(`${word(32)}${word(3)}4d4b52`), 64)).toBe("MKR");
  for (const wrong of ["", "4d4b52", word(0), `${word(32)}${word(4)}4d4b52`, `${word(4_096)}${word(3)}4d4b52`])
    expect(textIn(bytes(wrong), 64), wrong).toBeNull();
});

interface LoggedReceipt {
  readonly logs: readonly unknown[];
}

/** Null if the last receipt with logs has only one (it would be empty, which another check detects). */
const withoutLastLog = ({ block, receipts }: ReplayBlock) => {
  // Generated receipts carry their logs; the type of a replay block names only the fields that the server needs.
  const list = receipts as unknown as readonly LoggedReceipt[];
  const last = list.findLastIndex(({ logs }) => logs.length > 0);
  const logs = list[last]?.logs ?? [];
  if (logs.length < 2) return null;
  return { block, receipts: list.map((one, i) => (i === last ? { ...one, logs: logs.slice(0, -1) } : one)) };
};

test("a removed last log of a block is detected although it leaves no gap, also in blocks that are not hashed log by log", () => {
  const busy = syntheticBlocks({ shape: "mainnet", count: 15, from: 20_000_001 });
  const cut = busy.map(withoutLastLog);
  // 20,000,001 to 20,000,015: none is a multiple of 16.
  for (const [i, one] of cut.entries()) {
    if (one === null) continue;
    const raw = { block: one.block, receipts: one.receipts, traces: null, uncles: NO_UNCLES };
    const reading = { ...READING, number: 20_000_001 + i, thorough: false };
    expect(() => readWhole(raw, reading)).toThrow("the last logs do not fit their receipt's log filter");
  }
  expect(cut.filter((one) => one !== null).length).toBeGreaterThan(3);
});
