import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/long.ts";
import {
  keyOf,
  listed,
  towerSync,
  VOTER,
  voteJson,
  voteMeta,
  type WireOptions,
  wireOf,
} from "../../../../test/solana/wire_transaction.ts";
import { toBase58 } from "../../../lib/base58.ts";
import { type BlockReading, readBlock } from "../block.ts";
import { parseBlockAnswer } from "../long_answer.ts";
import { readRawTransaction } from "../transaction.ts";
import { BlockChecks } from "../verify.ts";
import { isPlainVote } from "../votes.ts";
import { Keys } from "../wire.ts";
import { scanList } from "./module.ts";
import { ScannedList } from "./scanned_list.ts";

/** Null for a value that is not read as a vote. */
const read = (text: string) => {
  const bytes = Buffer.from(`[ ${text},[]]`);
  const scan = scanList(bytes, 1);
  const scanned = scan === null ? null : new ScannedList(bytes, scan);
  // A mutation may split it into two values, or end the list.
  const is_whole = scan?.end === bytes.length - 1 && scanned?.spanOf(0).to === bytes.length - 4;
  if (scanned?.isVote(0) !== true || !is_whole) return null;
  const [signature] = scanned.signatures();
  return { signature, voter: scanned.keys.bytes(scanned.voterAt(0)), fee: BigInt(scanned.feeAt(0)) };
};

/** Result of the other reader. */
const reference = (text: string) => {
  const raw = readRawTransaction(JSON.parse(text), new Keys());
  new BlockChecks(1_800_000_000).take(raw);
  return { is_vote: isPlainVote(raw), signature: raw.signature, voter: raw.accounts.bytes(0), fee: raw.fee };
};

describe("a vote in the usual form", () => {
  test("is read", () => {
    const found = read(voteJson());
    expect(found).toEqual({ signature: Buffer.alloc(64, 7), voter: VOTER, fee: 5_000n });
    const budget = [3, [], Buffer.from([3, 1, 0, 0, 0, 0, 0, 0, 0])] as const;
    expect(read(voteJson({ instructions: [budget, [2, [1, 0], towerSync]] }))).not.toBeNull();
    expect(
      read(voteJson({}, { loadedAddresses: null, computeUnitsConsumed: null, preTokenBalances: null })),
    ).not.toBeNull();
    expect(read(JSON.stringify(JSON.parse(voteJson()), null, 2))).not.toBeNull();
    expect(read(voteJson({}, { logMessages: ["1.5e3", -2.5, [{}, true, [false]], "ñ"] }))).not.toBeNull();
    expect(read(voteJson({}, { logMessages: ['\n\u001f\\"'] }))).not.toBeNull();
  });

  test("is no plain vote if anything else changed, or anything else was done", () => {
    const others: readonly (readonly [WireOptions, object])[] = [
      [{}, { err: { InstructionError: [0, "Custom"] } }],
      [{}, { fee: 0, postBalances: [99_999, 27_074_400, 1, 1] }],
      [{}, { fee: 5_001 }],
      [{}, { postBalances: [94_999, 27_074_401, 1, 1] }],
      [{}, { postBalances: [94_999, 27_074_400, 1] }],
      [{}, { innerInstructions: null }],
      [{}, { innerInstructions: [{ index: 0, instructions: [] }] }],
      [{}, { preTokenBalances: [{}] }],
      [{}, { loadedAddresses: {} }],
      [{}, { loadedAddresses: { writable: ["a"], readonly: [] } }],
      [{}, { computeUnitsConsumed: 1.5 }],
      [{ signatures: 2 }, {}],
      [{ version: [0x80] }, {}],
      [{ behind: [0] }, {}],
      [{ instructions: [] }, {}],
      [{ instructions: [[3, [], towerSync]] }, {}],
      [{ instructions: [[2, [1], Buffer.from([5, 0, 0, 0])]] }, {}],
      [{ instructions: [[2, [1], Buffer.from([14, 0, 0])]] }, {}],
      [{ instructions: [[2, [4], towerSync]] }, {}],
      [{ instructions: [[4, [1], towerSync]] }, {}],
      [{ instructions: [[1, [1], towerSync]] }, {}],
    ];
    for (const [wire, meta] of others) expect(read(voteJson(wire, meta)), JSON.stringify([wire, meta])).toBeNull();
  });

  test("is left to the other reader if its text is not plain", () => {
    const texts = [
      voteJson().replace('"err":null', '"err":null,"err":null'),
      voteJson().replace('"fee":', '"\\u0066ee":'),
      voteJson().replace('"version"', '"transaction"'),
      voteJson().replace("99999", "0099999"),
      voteJson().replace("27074400", "27074400.0"),
      voteJson().replace("27074400", "9007199254740993"),
      voteJson().replace('"base64"', '"base58"'),
      voteJson().replace('="', '"'),
      voteJson().replace("AQcH", "A*cH"),
      `${voteJson()}1`,
      voteJson().slice(0, -1),
      voteJson().replace("invoke", "in\\xvoke"),
      voteJson().replace("invoke", "in\\u12g4voke"),
      voteJson().replace("invoke", "in\u0001voke"),
    ];
    for (const text of texts) {
      expect(text).not.toBe(voteJson());
      expect(read(text), text).toBeNull();
    }
  });

  test("gives the result of the other reader, whatever is written into it", () => {
    const piece = fc.constantFrom(
      '"',
      "\\",
      ",",
      ":",
      "[",
      "]",
      "{",
      "}",
      "0",
      "1",
      "9",
      "-",
      ".",
      "e",
      "null",
      "A",
      "=",
      " ",
    );
    const wires = fc.record({
      at: fc.nat(260),
      byte: fc.integer({ min: 0, max: 255 }),
    });
    const edits = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), piece), { maxLength: 3 });
    let votes = 0;
    fc.assert(
      fc.property(fc.option(wires), edits, (changed, edited) => {
        const bytes = wireOf({});
        if (changed !== null && changed.at < bytes.length) bytes[changed.at] = changed.byte;
        let text = JSON.stringify({ meta: voteMeta(), transaction: listed(bytes), version: 0 });
        for (const [where, gone, put] of edited) {
          const at = Math.floor(where * text.length);
          text = text.slice(0, at) + put + text.slice(at + gone);
        }
        const found = read(text);
        if (found === null) return;
        votes += 1;
        const { is_vote, ...said } = reference(text);
        expect(is_vote).toBe(true);
        expect(found).toEqual(said);
      }),
      { numRuns: sized({ slice: 5_000, long: 100_000 }) },
    );
    expect(votes).toBeGreaterThan(100);
  });
});

describe("a long block of votes", () => {
  const blockOf = (texts: readonly string[], how: Partial<BlockReading>) => {
    const head = {
      blockhash: toBase58(keyOf(1)),
      previousBlockhash: toBase58(keyOf(2)),
      parentSlot: 6,
      blockTime: 1_800_000_000,
    };
    const text = `{"result":${JSON.stringify({ ...head, rewards: [], transactions: [] })}}`;
    const answer = parseBlockAnswer(Buffer.from(text.replace('"transactions":[', (begin) => begin + texts.join())));
    return readBlock(Object(answer).result, 7, { verify: "header", votes: "summed", ...how });
  };
  const vote = (serial: number, meta: object = {}): string => {
    const bytes = wireOf({});
    bytes[1] = serial;
    return JSON.stringify({ meta: voteMeta(meta), transaction: listed(bytes) });
  };

  test("groups them by voter, votes in an unusual form included", () => {
    // Every third has balances in digits, which the other reader takes.
    const digits = { preBalances: ["99999", 27_074_400, 1, 1] };
    for (const third of [0, 1]) {
      const texts = Array.from({ length: 150 }, (_, serial) => vote(serial, serial % 3 === third ? digits : {}));
      const { votes, transactions } = blockOf(texts, {});
      expect(votes?.map(({ voter, ...sum }) => ({ voter: Buffer.from(voter), ...sum }))).toEqual([
        { voter: VOTER, index: 0, count: 150, fee: 750_000n },
      ]);
      expect(transactions).toEqual([]);
    }
  });

  test("has each as a transaction if votes are kept singly", () => {
    const texts = Array.from({ length: 150 }, (_, serial) => vote(serial));
    const { votes, transactions } = blockOf(texts, { votes: "singly" });
    expect(votes).toEqual([]);
    expect(transactions.map(({ hash }) => hash[0])).toEqual(texts.map((_, serial) => serial));
  });

  test("has none twice", () => {
    const texts = Array.from({ length: 150 }, (_, serial) => vote(serial));
    const digits = { preBalances: ["99999", 27_074_400, 1, 1] };
    for (const again of [vote(9), vote(9, digits)])
      for (const votes of ["summed", "singly"] as const) {
        const how = { verify: "full", votes } as const;
        expect(() => blockOf([...texts, again], how)).toThrow("one transaction twice");
        expect(() => blockOf([again, ...texts], how)).toThrow("one transaction twice");
        // They are unsigned, which is checked after all were read.
        expect(() => blockOf(texts, how)).toThrow("has not signed");
      }
  });
});
