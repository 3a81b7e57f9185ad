import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toBase58 } from "../../lib/base58.ts";
import { readBlock } from "./block.ts";
import { LaterJson, parseBlockAnswer } from "./long_answer.ts";
import { COMPUTE_BUDGET_KEY, VOTE_PROGRAM_KEY } from "./programs.ts";
import { readRawTransaction } from "./transaction.ts";
import { BlockChecks } from "./verify.ts";
import { voteIn } from "./vote_text.ts";
import { isPlainVote } from "./votes.ts";
import { Keys } from "./wire.ts";

const key = (byte: number): Buffer => Buffer.alloc(32, byte);
const [VOTER, ACCOUNT] = [key(11), key(12)];

interface Wire {
  readonly signatures?: number;
  readonly version?: readonly number[];
  readonly keys?: readonly Uint8Array[];
  /** Program, accounts, data. */
  readonly instructions?: readonly (readonly [number, readonly number[], Uint8Array])[];
  readonly behind?: readonly number[];
}

const towerSync = Buffer.from([14, 0, 0, 0, 1, 2, 3]);
const KEYS = [VOTER, ACCOUNT, VOTE_PROGRAM_KEY, COMPUTE_BUDGET_KEY];

/** As docs.solana.com lays a transaction out: signatures, header, keys, a block's hash, instructions. */
const wireOf = ({
  signatures = 1,
  version = [],
  keys = KEYS,
  instructions = [[2, [1, 0], towerSync]],
  behind = [],
}: Wire) =>
  Buffer.concat([
    Buffer.from([signatures]),
    Buffer.alloc(64 * signatures, 7),
    Buffer.from([...version, signatures, 0, 1, keys.length]),
    ...keys,
    key(99),
    Buffer.from([instructions.length]),
    ...instructions.map(([program, accounts, data]) =>
      Buffer.concat([Buffer.from([program, accounts.length, ...accounts, data.length]), data]),
    ),
    Buffer.from(behind),
  ]);

/** The fields in the order in which nodes write them. */
const metaOf = (more: object = {}) => ({
  computeUnitsConsumed: 2_100,
  costUnits: 3_428,
  err: null,
  fee: 5_000,
  innerInstructions: [],
  loadedAddresses: { readonly: [], writable: [] },
  logMessages: ["Program Vote111 invoke [1]", "Program Vote111 success"],
  postBalances: [94_999, 27_074_400, 1, 1],
  postTokenBalances: [],
  preBalances: [99_999, 27_074_400, 1, 1],
  preTokenBalances: [],
  rewards: [],
  status: { Ok: null },
  ...more,
});

const told = (wire: Wire = {}, meta: object = {}, more: object = {}): string =>
  JSON.stringify({
    meta: metaOf(meta),
    transaction: [wireOf(wire).toString("base64"), "base64"],
    version: "legacy",
    ...more,
  });

const read = (text: string) => {
  const bytes = Buffer.from(` ,${text},`);
  return voteIn(new LaterJson(bytes, { from: 2, to: bytes.length - 1, has_long: false }));
};

/** What the others say of it. */
const reference = (text: string) => {
  const raw = readRawTransaction(JSON.parse(text), new Keys());
  new BlockChecks(1_800_000_000).take(raw);
  return { is_vote: isPlainVote(raw), signature: raw.signature, voter: raw.accounts.bytes(0), fee: raw.fee };
};

describe("a vote as nodes tell it", () => {
  test("is read", () => {
    const found = read(told());
    expect(found).toEqual({ signature: Buffer.alloc(64, 7), voter: VOTER, fee: 5_000n });
    const budget = [3, [], Buffer.from([3, 1, 0, 0, 0, 0, 0, 0, 0])] as const;
    expect(read(told({ instructions: [budget, [2, [1, 0], towerSync]] }))).not.toBeNull();
    expect(
      read(told({}, { loadedAddresses: null, computeUnitsConsumed: null, preTokenBalances: null })),
    ).not.toBeNull();
    expect(read(JSON.stringify(JSON.parse(told()), null, 2))).not.toBeNull();
    expect(read(told({}, { logMessages: ["1.5e3", -2.5, [{}, true, [false]], "ñ"] }))).not.toBeNull();
  });

  test("is none where anything else changed, or anything else was done", () => {
    const others: readonly (readonly [Wire, object])[] = [
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
    for (const [wire, meta] of others) expect(read(told(wire, meta)), JSON.stringify([wire, meta])).toBeNull();
  });

  test("is left to others where its text is not plain", () => {
    const texts = [
      told().replace('"err":null', '"err":null,"err":null'),
      told().replace('"fee":', '"\\u0066ee":'),
      told().replace('"version"', '"transaction"'),
      told().replace("99999", "0099999"),
      told().replace("27074400", "27074400.0"),
      told().replace("27074400", "9007199254740993"),
      told().replace('"base64"', '"base58"'),
      told().replace('="', '"'),
      told().replace("AQcH", "A*cH"),
      `${told()}1`,
      told().slice(0, -1),
      told({}, { logMessages: ["\n"] }),
      told().replace("invoke", "in\u0001voke"),
    ];
    for (const text of texts) {
      expect(text).not.toBe(told());
      expect(read(text), text).toBeNull();
    }
  });

  test("is what the others say it is, whatever is written into it", () => {
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
        let text = JSON.stringify({ meta: metaOf(), transaction: [bytes.toString("base64"), "base64"], version: 0 });
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
      { numRuns: 5_000 },
    );
    expect(votes).toBeGreaterThan(100);
  });
});

describe("a long block of votes", () => {
  const blockOf = (texts: readonly string[], verify: "full" | "header") => {
    const head = {
      blockhash: toBase58(key(1)),
      previousBlockhash: toBase58(key(2)),
      parentSlot: 6,
      blockTime: 1_800_000_000,
    };
    const text = `{"result":${JSON.stringify({ ...head, rewards: [], transactions: [] })}}`;
    const answer = parseBlockAnswer(Buffer.from(text.replace('"transactions":[', (begin) => begin + texts.join())));
    return readBlock(Object(answer).result, 7, { verify, votes: "summed" });
  };
  const vote = (serial: number, meta: object = {}): string => {
    const bytes = wireOf({});
    bytes[1] = serial;
    return JSON.stringify({ meta: metaOf(meta), transaction: [bytes.toString("base64"), "base64"] });
  };

  test("has them by voter, those told in another way among them", () => {
    // Every third is told with balances in digits, which are read in the other way.
    const digits = { preBalances: ["99999", 27_074_400, 1, 1] };
    const texts = Array.from({ length: 150 }, (_, serial) => vote(serial, serial % 3 === 0 ? digits : {}));
    const { votes, transactions } = blockOf(texts, "header");
    expect(votes).toEqual([{ voter: Uint8Array.from(VOTER), index: 0, count: 150, fee: 750_000n }]);
    expect(transactions).toEqual([]);
  });

  test("has none twice", () => {
    const texts = [...Array.from({ length: 150 }, (_, serial) => vote(serial)), vote(9)];
    expect(() => blockOf(texts, "full")).toThrow("stands in it twice");
  });
});
