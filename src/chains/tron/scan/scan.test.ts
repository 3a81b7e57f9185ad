import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/long.ts";
import { EDITS, edited } from "../../../../test/tron/edits.ts";
import { begin, counts, expectSame, NUMBER } from "../../../../test/tron/reader_comparison.ts";
import { readRecordedTron } from "../../../../test/tron/recorded.ts";
import {
  ALICE,
  BOB,
  blockWithInfos,
  CONTRACTS,
  type ContractValues,
  INNER,
  infoOf,
  listedOf,
  rawOf,
} from "../../../../test/tron/wire_blocks.ts";
import type { TronJson } from "../../../demo/tron/shapes.ts";
import { parseBlocks, parseInfos } from "./answers.ts";

const read = (transactions: readonly string[], infos: readonly string[] = []) => {
  begin();
  expectSame(`{"block":[{"transactions":[${transactions.join(" , ")}]}]}`, `[${infos.join()}]`);
  return { ...counts };
};

const listed = (contract = CONTRACTS[0], serial = 0, more: TronJson = {}): TronJson =>
  listedOf(rawOf(contract ?? [1, []], serial), more);
type ProtobufFields = Readonly<Record<number, string | bigint>>;
const rawBy = (type: number, fields: ProtobufFields, more: ContractValues = []): string =>
  rawOf([type, [...Object.entries(fields).map(([field, value]) => [Number(field), value] as const), ...more]]);
const ALL = CONTRACTS.map((one, serial) => listed(one, serial));
const TEXT = JSON.stringify(listed(CONTRACTS[2]));
const INFO = JSON.stringify(infoOf("ab".repeat(32), NUMBER, INNER));

describe("a transaction by its text", () => {
  test("equals the one by its objects, and so does its block", () => {
    const { block, infos } = blockWithInfos(NUMBER, ALL);
    for (const space of [0, 2]) {
      begin();
      expectSame(JSON.stringify({ block: [block] }, null, space), JSON.stringify(infos, null, space));
      // Contracts of the last three kinds are read from the raw data; the block is read twice.
      expect(counts).toEqual({ transactions: 8, contracts: 5, infos: 8, left: 0, blocks: 2 });
    }
  });

  test("is read in any order of its names, and with results and signatures of all kinds", () => {
    const reversed = (fields: TronJson) => Object.fromEntries(Object.entries(fields).reverse());
    const told = [
      reversed(listed()),
      listed(undefined, 0, { ret: [{ contractRet: "REVERT", fee: 3 }] }),
      listed(undefined, 0, { ret: [{ fee: 999_999_999_999_999, contractRet: "OUT_OF_ENERGY" }] }),
      listed(undefined, 0, { ret: [{ fee: 0 }] }),
      listed(undefined, 0, { ret: [{}] }),
      listed(undefined, 0, { ret: [] }),
      listed(undefined, 0, { ret: undefined, signature: undefined }),
      listed(undefined, 0, { signature: [] }),
      listed(undefined, 0, { signature: ["", "00", "AB".repeat(300)] }),
      { ...listed(), raw_data_hex: String(listed().raw_data_hex).toUpperCase() },
      listed(undefined, 0, { raw_data: { n: 12345678901234567890n } }),
    ];
    const write = (one: TronJson) => JSON.stringify(one, (_, value) => (typeof value === "bigint" ? "LONG" : value));
    const texts = told.map((one) => write(one).replace('"LONG"', "12345678901234567890"));
    expect(read(texts)).toMatchObject({ transactions: told.length, contracts: told.length, left: 0 });
  });

  test("is left to its objects if it has an unusual form", () => {
    const texts = [
      TEXT.replace('"txID":', '"txID":1,"txID":'),
      TEXT.replace('"txID"', '"\\u0074xID"'),
      TEXT.replace('"raw_data_hex":"', '"raw_data_hex":"\\u0030'),
      TEXT.replace('"raw_data_hex":"', '"raw_data_hex":"0'),
      TEXT.replace('"raw_data_hex":"', '"raw_data_hex":"zz'),
      TEXT.replace('"txID":"', '"txID":"00'),
      TEXT.replace(/"txID":"../, '"txID":"zz'),
      TEXT.replace(/"txID":"\w+"/, '"txID":null'),
      TEXT.replace('"signature":["', '"signature":["0'),
      TEXT.replace('"signature":["', '"signature":["zz'),
      TEXT.replace('"signature":[', '"signature":[null,'),
      TEXT.replace('"signature":[', `"signature":[${'"00",'.repeat(64)}`),
      TEXT.replace('"signature":', '"signature":[],"signature":'),
      TEXT.replace('"SUCCESS"', '"OUT_OF_TIME"'),
      TEXT.replace('"SUCCESS"', '"constructor"'),
      TEXT.replace('"SUCCESS"', "1"),
      TEXT.replace('"contractRet":', '"withdraw_amount":3,"contractRet":'),
      TEXT.replace('"contractRet":', '"contractRet":"REVERT","contractRet":'),
      TEXT.replace('"contractRet":', '"fee":1,"fee":2,"contractRet":'),
      TEXT.replace('"contractRet":', '"fee":-1,"contractRet":'),
      TEXT.replace('"contractRet":', '"fee":1000000000000000,"contractRet":'),
      TEXT.replace('"ret":[', '"ret":[{},'),
      TEXT.replace('"ret":[', '"ret":[],"ret":['),
      TEXT.replace('"ret":[{"contractRet":"SUCCESS"}]', '"ret":null'),
      "null",
      "[]",
      '"x"',
      "{}",
    ];
    for (const text of texts) {
      expect(text).not.toBe(TEXT);
      expect(read([text, TEXT]), text).toMatchObject({ transactions: 1, left: 1 });
    }
  });

  test("has its contract read from its raw data if that has an uncommon form", () => {
    const raw = rawBy(1, { 1: ALICE, 2: BOB, 3: 1n });
    const odd = [
      rawBy(1, { 1: ALICE, 2: "40".repeat(21), 3: 1n }),
      rawBy(1, { 1: ALICE.slice(2), 2: BOB, 3: 1n }),
      rawBy(1, { 1: ALICE, 2: BOB, 3: 1n }, [[3, 2n]]),
      rawBy(1, { 1: ALICE, 2: BOB, 3: -1n }),
      rawBy(1, { 1: ALICE, 2: BOB, 3: "01" }),
      rawBy(31, { 1: ALICE, 2: BOB, 4: 1n }),
      rawBy(31, { 1: ALICE, 2: BOB, 5: 1n }),
      rawBy(31, { 1: ALICE, 2: BOB, 6: 1n }),
      rawBy(2, { 2: ALICE, 3: BOB, 4: 1n }),
      rawBy(2, { 1: 1n, 2: ALICE, 3: BOB }),
      rawBy(0, { 1: ALICE, 2: BOB }),
      raw.slice(0, -2),
      `${raw}80`,
      `${raw}0b`,
      `${raw}${raw}`,
      `${raw}5a00`,
      `${raw}5801`,
      "",
    ];
    expect(read([raw].map((hex) => JSON.stringify(listedOf(hex)))).contracts).toBe(1);
    for (const hex of odd)
      expect(read([JSON.stringify(listedOf(hex))]), hex).toMatchObject({ transactions: 1, contracts: 0 });
  });
});

describe("an info by its text", () => {
  test("equals the one by its objects", () => {
    const told = [
      INFO,
      JSON.stringify(infoOf("ab".repeat(32), 0, { result: "FAILED", log: [], receipt: {} })),
      INFO.replace('"result":"SUCCESS"', '"result":"OUT_OF_ENERGY"'),
      INFO.replace('"result":"SUCCESS"', '"result":"DEFAULT"'),
      INFO.replace('"fee":266000', '"fee":999999999999999'),
      INFO.replace('"fee"', '"fees":[1e9,-0.5,12345678901234567890,"\\ud800"],"was"'),
      INFO.replace("dd".repeat(32), "DD".repeat(32)),
      `{"id":"${"0".repeat(64)}","blockNumber":1}`,
    ];
    expect(read([], told)).toMatchObject({ infos: told.length, left: 0 });
  });

  test("is left to its objects if it has an unusual form", () => {
    const texts = [
      INFO.replace('"id":', '"id":1,"id":'),
      INFO.replace('"id":"', '"id":"00'),
      INFO.replace('"id":"ab', '"id":"zz'),
      INFO.replace('"id":"ab', '"id":"\\u0061b'),
      INFO.replace('"fee":', '"fee":1,"fee":'),
      INFO.replace('"fee":266000', '"fee":"266000"'),
      INFO.replace('"fee":266000', '"fee":1000000000000000'),
      INFO.replace('"fee":266000', '"fee":-1'),
      INFO.replace('"fee":266000', '"fee":1.0'),
      INFO.replace('"fee":266000', '"fee":null'),
      INFO.replace('"fee"', '"f\\u0065e"'),
      INFO.replace('"blockNumber"', '"block"'),
      INFO.replace('"energy_usage_total":130285', '"energy_usage_total":1e5'),
      INFO.replace('"energy_usage_total":', '"energy_usage_total":1,"energy_usage_total":'),
      INFO.replace('"result":"SUCCESS"', '"result":1'),
      INFO.replace('"result":"SUCCESS"', '"result":"SUCCES\\u0053"'),
      INFO.replace('"receipt":', '"receipt":null,"receipt":'),
      INFO.replace('"receipt":{', '"receipt":[{').replace('},"log"', '}],"log"'),
      INFO.replace('"fee"', '"result":true,"fee"'),
      INFO.replace('"log":', '"log":[],"log":'),
      INFO.replace('"log":[', '"log":[null,'),
      INFO.replace('"log":[', '"log":[{},'),
      INFO.replace('"topics":[', `"topics":[${`"${"00".repeat(32)}",`.repeat(3)}`),
      INFO.replace('"topics":["', '"topics":["00'),
      INFO.replace('"topics":["d', '"topics":["z'),
      INFO.replace('"data":"00ff"', '"data":"00f"'),
      INFO.replace('"data":"00ff"', '"data":"zzff"'),
      INFO.replace('"data":"00ff"', '"data":null'),
      INFO.replace('"address":"41', '"address":"42'),
      INFO.replace('"address":"41', '"address":"'),
      INFO.replace('"address":"c0', '"address":"c'),
      INFO.replace('"internal_transactions":', '"internal_transactions":[],"internal_transactions":'),
      "null",
      "7",
      "{}",
    ];
    // The second log then names its contract without a prefix, as the first one does.
    const still_told = INFO.replace('"address":"41', '"address":"');
    for (const text of texts) {
      expect(text).not.toBe(INFO);
      const is_left = text !== still_told;
      expect(read([], [text, INFO]), text).toMatchObject({ infos: is_left ? 1 : 2, left: is_left ? 1 : 0 });
    }
  });
});

describe("an answer", () => {
  test("of another shape is parsed at once, and invalid JSON anywhere is rejected", () => {
    const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const answers = [
      "",
      "{}",
      "[]",
      "null",
      '{"Error":"class java.lang.NullPointerException : null"}',
      '{"block":{}}',
      '{"block":[]}',
      '{"block":[1,{}]}',
      '{"block":[{"transactions":null}]}',
      '{"block":[{"transactions":{}}]}',
      '{"block":[{"transactions":[]}],"Error":"x"}',
      `{"block":[{"transactions":[${TEXT}]}],"block":[]}`,
      `{"block":[{"transactions":[${TEXT}],"transactions":[]}]}`,
      `{"bloc\\u006b":[{"transactions":[${TEXT}]}]}`,
      `{"block":[{"a":1},{"transactions":[${TEXT}],"b":2},{"transactions":[ ],"c":3},{"transactions":[${TEXT},1]}]}`,
      `{"block":[{"transactions":[${TEXT}]}]}x`,
      `{"block":[{"transactions":[${TEXT}]}]`,
      `{"block":[{"transactions":[${TEXT},]}]}`,
      `{"block":[{"transactions":[${TEXT.replace('"Permission_id"', "Permission_id")}]}]}`,
      `{"block":[{"transactions":[${TEXT.replace('"Permission_id":', '"Permission_id":0')}]}]}`,
      `{"block":[{"transactions":[{1234567890123456:1},1234567890123456]}]}`,
      `{"block":[{"transactions":[{"x":${deep(40)}}]}]}`,
      `{"block":[{"transactions":[{"x":${deep(5_000)}}]}]}`,
      `[${INFO}] `,
      `[${INFO},]`,
      `[${INFO}]]`,
      `[${INFO}`,
      ...Array.from({ length: 40 }, (_, i) => `[${INFO}]`.slice(0, i * 20)),
    ];
    for (const text of answers) expectSame(text, text);
    expect(() => parseBlocks(Buffer.from(`{"block":${deep(5_000)}}`))).toThrow("nested too deeply");
    const { length } = parseInfos(Buffer.from(`[${"1,".repeat(300_000)}1]`)) as unknown[]; // the text is a list
    expect(length).toBe(300_001);
  });

  test("equals the one by its objects, whatever is written into it", () => {
    const drawn = fc.record({
      kinds: fc.array(fc.nat(CONTRACTS.length - 1), { maxLength: 3 }),
      byte: fc.option(fc.record({ at: fc.nat(300), value: fc.integer({ min: 0, max: 255 }) })),
      of_block: EDITS,
      of_infos: EDITS,
    });
    begin();
    fc.assert(
      fc.property(drawn, ({ kinds, byte, of_block, of_infos }) => {
        const transactions = kinds.map((kind, serial) => {
          const raw = Buffer.from(rawOf(CONTRACTS[kind] ?? [1, []], serial), "hex");
          if (byte !== null && byte.at < raw.length) raw[byte.at] = byte.value;
          return listedOf(raw.toString("hex"));
        });
        const { block, infos } = blockWithInfos(NUMBER, transactions);
        expectSame(edited(JSON.stringify({ block: [block] }), of_block), edited(JSON.stringify(infos), of_infos));
      }),
      { numRuns: sized({ slice: 1_000, long: 100_000 }) },
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(80);
  });
});

const recorded = readRecordedTron();

describe.skipIf(recorded === null)("recorded transactions", () => {
  test("equal those by their objects, and are read from their text", () => {
    const told = recorded ?? [];
    expect(told).toHaveLength(2);
    const infos = told.map(({ txID }, i) => infoOf(txID, NUMBER + i));
    const texts = [told, infos].map((list) => list.map((one) => JSON.stringify(one, null, 2)));
    expect(read(texts[0] ?? [], texts[1])).toMatchObject({ transactions: 2, contracts: 2, infos: 2, left: 0 });
  });
});
