import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/long.ts";
import { readRecordedSolana } from "../../../../test/solana/recorded.ts";
import { wireOfJson } from "../../../../test/solana/wire_of_json.ts";
import {
  listed,
  tradeJson,
  tradeMeta,
  tradeWire,
  voteJson,
  voteMeta,
  wireOf,
} from "../../../../test/solana/wire_transaction.ts";
import { BadAnswer } from "../../node/answer.ts";
import { parseLossless } from "../../node/lossless_json.ts";
import { LazyJson, parseBlockAnswer } from "../long_answer.ts";
import { type RawTransaction, readRawTransaction } from "../transaction.ts";
import { isPlainVote } from "../votes.ts";
import { dataOf, Keys } from "../wire.ts";

/** Makes an answer long without changing its content. */
const PADDING = " ".repeat(66_000);
const answer = (list: string): string => `{"id":1,${PADDING}"result":{"transactions":[${list}],"b":{"c":2}}}`;

/** All facts of a transaction. */
const said = (raw: RawTransaction) => {
  const { accounts, fee } = raw;
  const [before, after] = [raw.lamports.before, raw.lamports.after].map((list) => Array.from(list)) as [
    bigint[],
    bigint[],
  ];
  const total = (list: readonly bigint[]): bigint => list.reduce((sum, one) => sum + one, 0n);
  const changes = before.map((one, i) => Math.abs(Number((after[i] ?? 0n) - one)));
  return {
    signature: Buffer.from(raw.signature),
    wire: raw.wire && [...raw.wire.signatures, raw.wire.message].map((bytes) => Buffer.from(bytes)),
    accounts: Array.from({ length: accounts.length }, (_, at) => [Buffer.from(accounts.bytes(at)), accounts.hex(at)]),
    signers: raw.signers,
    succeeded: raw.succeeded,
    fee,
    compute_units: raw.compute_units,
    instructions: raw.instructions.map(({ depth, program, call }) => ({ depth, program, call: calledBy(call) })),
    has_inner: raw.has_inner,
    lamports: [before, after],
    tokens: [raw.tokens.before, raw.tokens.after].map((list) =>
      list.map(({ mint, owner, ...one }) => ({ ...one, mint: Buffer.from(mint), owner: owner && Buffer.from(owner) })),
    ),
    coins: raw.coins ?? {
      missing: total(before) - total(after) - fee,
      moved: Math.max(...changes),
      changed: before.flatMap((one, at) => (one === after[at] ? [] : [at])),
    },
    is_vote: isPlainVote(raw),
  };
};

const calledBy = (call: RawTransaction["instructions"][number]["call"]) => {
  if ("type" in call) return call;
  const data = outcome(() => Buffer.from(typeof call.data === "string" ? dataOf(call.data, "data") : call.data));
  return { accounts: [...call.accounts], data };
};

/** Outcomes differ only in whether a transaction was rejected: messages may differ. */
const outcome = <T>(read: () => T): T | "refused" => {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(BadAnswer);
    return "refused";
  }
};

const transactionsIn = (json: unknown): readonly unknown[] => {
  const list: unknown = Object(Object(json).result).transactions;
  return Array.isArray(list) ? list : [];
};

/** Number of values read from their text, and as votes, since the test began. */
const counts = { votes: 0, whole: 0, others: 0 };

const found = (item: unknown) => {
  const { scanned, at } = item as LazyJson; // Items of a long answer.
  const whole = scanned.transactionAt(at, new Keys());
  counts[scanned.isVote(at) ? "votes" : whole !== null ? "whole" : "others"] += 1;
  const raw = said(readRawTransaction(item, new Keys()));
  if (scanned.isVote(at)) {
    expect(raw.is_vote).toBe(true);
    expect([scanned.keys.hex(scanned.voterAt(at)), BigInt(scanned.feeAt(at))]).toEqual([raw.accounts[0]?.[1], raw.fee]);
  }
  return raw;
};

/** Reads the text as without a scan: all at once, by `JSON.parse`. */
const expectSame = (text: string): void => {
  const reference = outcome(() =>
    transactionsIn(parseLossless(text)).map((json) => outcome(() => said(readRawTransaction(json, new Keys())))),
  );
  const scanned = outcome(() =>
    transactionsIn(parseBlockAnswer(Buffer.from(text))).map((item) => {
      // A list that is not the block's is parsed at once.
      if (!(item instanceof LazyJson)) return outcome(() => said(readRawTransaction(item, new Keys())));
      return outcome(() => found(item));
    }),
  );
  // Invalid JSON is found when that transaction is read.
  if (reference === "refused" && scanned !== "refused") expect(scanned).toContain("refused");
  else expect(scanned).toEqual(reference);
};

const read = (list: string) => {
  Object.assign(counts, { votes: 0, whole: 0, others: 0 });
  expectSame(answer(list));
  return { ...counts };
};

describe("a transaction by its text", () => {
  test("equals the one by its objects", () => {
    expect(
      read([tradeJson(), voteJson(), tradeJson({ err: { InstructionError: [0, "Custom"] } }, {}, 9)].join(" , ")),
    ).toEqual({
      votes: 1,
      whole: 2,
      others: 0,
    });
    const pretty = JSON.stringify(JSON.parse(tradeJson()), null, 2);
    expect(read(`${pretty},${pretty}`).whole).toBe(1);
    for (const meta of [
      { innerInstructions: null, computeUnitsConsumed: null, preTokenBalances: null, postTokenBalances: [] },
      { err: 0, innerInstructions: [] },
    ])
      expect(read(tradeJson(meta)).whole, JSON.stringify(meta)).toBe(1);
  });

  test("is left to its objects if it has an unusual form", () => {
    const told = tradeJson();
    const texts = [
      told.replace('"fee":', '"fee":1,"fee":'),
      told.replace('"mint":', '"mint":null,"mint":'),
      told.replace('"amount":"100"', '"amount":"18446744073709551616"'),
      told.replace('"amount":"100"', '"amount":100'),
      told.replace('"accountIndex":2', '"accountIndex":9'),
      told.replace('"accountIndex":3', '"accountIndex":2'),
      told.replace("1000000,", "1000000000000000000,"),
      told.replace('"programIdIndex":4', '"programIdIndex":9'),
      told.replace('"index":2', '"index":1'),
      told.replace('"index":2', '"index":3'),
      told.replace('"err"', '"\\u0065rr"'),
      told.replace('"owner":"', '"owner":"","was":"'),
      told.replace('"base64"', '"base64",0'),
      told.replace('"stackHeight":2', '"stackHeight":2.0'),
      tradeJson({ loadedAddresses: { writable: [], readonly: [] } }),
      tradeJson({ preBalances: [1] }),
      tradeJson({}, { transaction: listed(tradeWire().subarray(0, -1)) }),
    ];
    for (const text of texts) {
      expect(text).not.toBe(told);
      expect(read(text), text).toEqual({ votes: 0, whole: 0, others: 1 });
    }
  });

  test("equals the one by its objects, whatever is written into it", () => {
    const piece = fc.constantFrom(
      ...'"\\,:[]{}019-.eE+u \n',
      "null",
      "true",
      "A",
      "=",
      "1",
      "\u00e9",
      "[]",
      '"x"',
      "\u0000",
    );
    const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), piece);
    const changed = fc.option(fc.record({ at: fc.nat(600), byte: fc.integer({ min: 0, max: 255 }) }));
    const drawn = fc.record({ is_vote: fc.boolean(), changed, edits: fc.array(edit, { maxLength: 3 }) });
    Object.assign(counts, { votes: 0, whole: 0, others: 0 });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 2 }), (transactions) => {
        const texts = transactions.map(({ is_vote, changed: change, edits }, serial) => {
          const wire = is_vote ? wireOf({ serial }) : tradeWire(serial);
          if (change !== null && change.at < wire.length) wire[change.at] = change.byte;
          let text = JSON.stringify({ meta: is_vote ? voteMeta() : tradeMeta(), transaction: listed(wire) });
          for (const [where, gone, put] of edits) {
            const at = Math.floor(where * text.length);
            text = text.slice(0, at) + put + text.slice(at + gone);
          }
          return text;
        });
        expectSame(answer(texts.join()));
      }),
      { numRuns: sized({ slice: 1_000, long: 100_000 }) },
    );
    expect(Math.min(counts.votes, counts.whole, counts.others)).toBeGreaterThan(80);
  });
});

const recorded = readRecordedSolana();

describe.skipIf(recorded === null)("recorded transactions", () => {
  test("equal those by their objects, and are read from their text if it has their bytes", () => {
    const all = [
      ...(recorded?.blocks ?? []).flatMap(({ json }) => json.transactions),
      ...(recorded?.transactions ?? []).map(({ json }) => json),
    ];
    const encoded = all.map((one) => {
      const wire = wireOfJson(one.transaction);
      return wire === null ? one : { ...one, transaction: listed(wire) };
    });
    const in_bytes = encoded.filter(({ transaction }) => Array.isArray(transaction));
    expect(in_bytes.length).toBeGreaterThan(15);
    expect(read(encoded.map((one) => JSON.stringify(one)).join()).others).toBeLessThan(encoded.length);
    // Several records share some of them, so that all together are left to the check for duplicates.
    for (const one of in_bytes) expect(read(JSON.stringify(one)).others).toBe(0);
  });
});
