import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf } from "../../../test/value_rows.ts";
import type { Chain } from "../../chains/chain.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { EMPTY, type Hex, hex, keccak256, toHex } from "../../lib/bytes.ts";
import { NO_SOURCES, type Sources } from "../../sources/index.ts";
import { type SourceAnswer, unknownBecause, type VerifiedSource } from "../../sources/source.ts";
import { getContractSourceCode } from "./index.ts";

const DEV = addressOf(0xdef);
const TOKEN = addressOf(0x70);
const TWIN = addressOf(0x71);
const STRANGER_TWIN = addressOf(0x72);
const CLONE = addressOf(0xc1);
const GONE = addressOf(0x60);
const PERSON = addressOf(0xee);
const HEAD = 105;

/** A dispatcher for transfer(address,uint256) and an unknown function, then solc's metadata without a hash. */
const CODE = bytesOf(hex("8063a9059cbb14610010578063deadbeef1461002057a164736f6c6343000825000a"));
const CLONE_CODE = bytesOf(hex(`363d3d373d3d3d363d73${TOKEN}5af43d82803e903d91602b57fd5bf3`));

const chain = fixedChain({
  accounts: {
    [TOKEN]: { code: CODE },
    [TWIN]: { code: CODE },
    [STRANGER_TWIN]: { code: CODE },
    [CLONE]: { code: CLONE_CODE },
    [addressOf(0x77)]: { code: bytesOf(hex(`ef0100${TOKEN}`)) },
  },
});

const created = (address: Hex, block: number, code_hash: Uint8Array) => ({
  network: "demo",
  address: bytesOf(address),
  block_number: block,
  tx_index: 0,
  position: 0,
  time: dayOf(block),
  tx_hash: blockHash(block * 1_000),
  event: "created" as const,
  method: "create" as const,
  creator: bytesOf(DEV),
  factory: EMPTY,
  init_hash: EMPTY,
  code_hash,
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const contracts = [
    created(TOKEN, 101, keccak256(CODE)),
    created(TWIN, 102, keccak256(CODE)),
    created(STRANGER_TWIN, 103, keccak256(CODE)),
    created(GONE, 104, keccak256(bytesOf(hex("6001")))),
  ];
  await store.seed({ network: "demo", from: 100, to: HEAD }, { blocks: dailyBlocks(HEAD), contracts });
});
afterAll(() => store.close());

const FIRST = "// SPDX-License-Identifier: MIT OR Apache-2.0\ncontract Juniper {}\n"; // 66 bytes
const SECOND = `${"é".repeat(600)}\n`; // 1,201 bytes
const JUNIPER: VerifiedSource = {
  provider: "sourcify",
  match: "match",
  runtime_match: "match",
  creation_match: "exact_match",
  verified_at: "2024-07-24T12:00:00Z",
  contract_name: "Juni\u202eper",
  language: "Solidity",
  compiler_version: "0.8.37+commit.f401782d",
  evm_version: "paris",
  optimization: { enabled: true, runs: 200 },
  files: [
    { path: "src/Juniper.sol", content: FIRST },
    { path: "src/Long.sol", content: SECOND },
  ],
  abi: [{ type: "function", name: "a\u200bb", inputs: [{ name: "to", type: "address" }] }, "odd"],
  creation: null,
};

/** A store of sources that says the same about each of these contracts. */
const storeOf = (answers: Readonly<Record<string, SourceAnswer>>): Sources => ({
  stores: () => ["sourcify"],
  find: async ({ address }) => answers[address] ?? { kind: "unverified" },
});
const VERIFIED: SourceAnswer = { kind: "verified", source: JUNIPER };
const known = storeOf({ [TOKEN]: VERIFIED, [TWIN]: VERIFIED });

interface SourceCodeSetup {
  readonly sources?: Sources;
  readonly on?: Chain;
}

const run = (address: Hex, more: object = {}, { sources = known, on = chain }: SourceCodeSetup = {}) =>
  runTool(
    getContractSourceCode,
    { contract_address: `0x${address}`, network: "demo", ...more },
    {
      facts: store.facts,
      chain: () => on,
      networks: ["demo"],
      operator: { ...SILENT_OPERATOR, sources },
      signal: AbortSignal.timeout(30_000),
    },
  );

const dataOf = async (address: Hex, more: object = {}, setting: SourceCodeSetup = {}) => {
  const outcome = await run(address, more, setting);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getContractSourceCode.output.parse(outcome.data);
};

const shown = (address: Hex) => chain.formatAddress(address);

describe("a verified contract", () => {
  test("shows how it is verified, its files and its ABI, with hidden characters taken out", async () => {
    const answer = await dataOf(TOKEN);
    expect(answer).toMatchObject({
      is_verified: true,
      match: "match",
      creation_match: "exact_match",
      runtime_match: "match",
      verified_at: "2024-07-24T12:00:00Z",
      source_provider: "sourcify",
      contract_name: "Juniper",
      compiler_version: "0.8.37+commit.f401782d",
      license: "MIT OR Apache-2.0",
      files: [
        { path: "src/Juniper.sol", bytes: 66, content: FIRST, truncated: false },
        { path: "src/Long.sol", bytes: 1_201, content: SECOND, truncated: false },
      ],
      abi: [{ type: "function", name: "ab", inputs: [{ name: "to", type: "address" }] }],
      proxy: { is_proxy: false, kind: null, implementations: [] },
      recovered_selectors: [],
    });
    expect(answer.metadata.sources).toEqual([{ id: "sourcify", version: "v2", updated_at: null }]);
    expect(answer.metadata.warnings).toEqual([]);
  });

  test("shows files until the bytes are used up, cut at a character", async () => {
    const { files } = await dataOf(TOKEN, { max_bytes: 1_001 });
    // 66 + 934 of 935 bytes left: 467 letters of two bytes, for half of one is not shown.
    expect(files.map(({ truncated }) => truncated)).toEqual([false, true]);
    expect(files[1]?.content).toBe("é".repeat(467));
  });

  test("shows a single file, and warns about a missing one", async () => {
    const { files } = await dataOf(TOKEN, { file_path: "src/Long.sol" });
    expect(files.map(({ path, content }) => [path, content])).toEqual([
      ["src/Juniper.sol", null],
      ["src/Long.sol", SECOND],
    ]);
    const none = await dataOf(TOKEN, { file_path: "src/juniper.sol" });
    expect(none.files.map(({ content }) => content)).toEqual([null, null]);
    expect(none.metadata.warnings.map(({ code }) => code)).toEqual(["FILE_NOT_FOUND"]);
  });

  test("says when its text was cleaned", async () => {
    const files = [{ path: "a.sol", content: "a\u202e\u200bb\n\tc\r\n" }];
    const sources = storeOf({ [TOKEN]: { kind: "verified", source: { ...JUNIPER, files } } });
    const answer = await dataOf(TOKEN, {}, { sources });
    expect(answer.files).toEqual([{ path: "a.sol", bytes: 13, content: "ab\n\tc\n", truncated: false }]);
    expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["SOURCE_TEXT_CLEANED"]);
  });

  test("shows no ABI when none is wanted, or when it is deeper than any", async () => {
    const unwanted = await dataOf(TOKEN, { include_abi: false });
    expect(unwanted.abi).toBeNull();
    expect(unwanted.unavailable.map(({ field }) => field)).not.toContain("abi");
    let deep: unknown = {};
    for (let i = 0; i < 100; i += 1) deep = { components: [deep] };
    const sources = storeOf({ [TOKEN]: { kind: "verified", source: { ...JUNIPER, abi: [deep] } } });
    const answer = await dataOf(TOKEN, {}, { sources });
    expect(answer.abi).toBeNull();
    expect(answer.unavailable.map(({ field }) => field)).toContain("abi");
  });

  test("names the verified ones among the contracts with the same code", async () => {
    expect((await dataOf(TOKEN)).bytecode.similar_verified).toEqual([shown(TWIN)]);
    expect((await dataOf(STRANGER_TWIN)).bytecode.similar_verified).toEqual([shown(TOKEN), shown(TWIN)]);
    // At block 101 only the first of them exists.
    expect((await dataOf(TOKEN, { as_of_block: 101 })).bytecode.similar_verified).toEqual([]);
  });
});

describe("a contract without a source", () => {
  test("shows facts of its code and the functions that it answers to", async () => {
    expect(await dataOf(STRANGER_TWIN)).toMatchObject({
      is_verified: false,
      match: null,
      source_provider: null,
      files: [],
      abi: null,
      bytecode: { size: CODE.length, code_hash: `0x${toHex(keccak256(CODE))}`, metadata_hash: null },
      recovered_selectors: [
        { selector: "0xa9059cbb", signature: "transfer(address,uint256)" },
        { selector: "0xdeadbeef", signature: null },
      ],
      unavailable: [],
    });
  });

  test("that is a proxy shows what it runs, with its name", async () => {
    expect((await dataOf(CLONE)).proxy).toEqual({
      is_proxy: true,
      kind: "minimal",
      implementations: [{ address: shown(TOKEN), name: "Juniper", is_verified: true }],
    });
  });

  test("is not called unverified when no source store answered", async () => {
    const answer = await dataOf(TOKEN, {}, { sources: NO_SOURCES });
    expect(answer.is_verified).toBeNull();
    expect(answer.recovered_selectors).toHaveLength(2);
    expect(answer.unavailable.map(({ field }) => field)).toEqual(["is_verified"]);
    expect(answer.metadata.sources).toEqual([]);
  });

  test("that was destroyed is known by what the index kept", async () => {
    expect(await dataOf(GONE)).toMatchObject({
      is_verified: null,
      proxy: { is_proxy: null },
      bytecode: { size: 0, code_hash: `0x${toHex(keccak256(bytesOf(hex("6001"))))}` },
    });
  });
});

describe("no answer", () => {
  test("a store that does not answer is an error, with nothing kept here", async () => {
    const sources = storeOf({ [TOKEN]: unknownBecause("UNREACHABLE", "Sourcify did not give a valid response") });
    expect(await run(TOKEN, {}, { sources })).toMatchObject({ kind: "error", code: "UPSTREAM_UNAVAILABLE" });
  });

  test("an account without code, or one that only delegates, is no contract", async () => {
    for (const address of [PERSON, addressOf(0x77)]) {
      expect(await run(address)).toMatchObject({ kind: "error", code: "NOT_A_CONTRACT" });
    }
  });

  test("a silent node is an error", async () => {
    await expect(run(TOKEN, {}, { on: fixedChain({ down: true }) })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });
});

test("a node without old states is read at its newest block, and the answer says so", async () => {
  // The node is far ahead of the index.
  const blocks = [{ number: HEAD + 1_000, hash: hex("05"), parent_hash: hex("04"), time: 0 }];
  const on = fixedChain({ accounts: { [TOKEN]: { code: CODE } }, can: { archive: false }, blocks });
  expect((await dataOf(TOKEN, {}, { on })).metadata.warnings.map(({ code }) => code)).toEqual(["READ_AT_HEAD"]);
  // Of an earlier block it knows nothing.
  expect(await run(TOKEN, { as_of_block: HEAD - 1 }, { on })).toMatchObject({
    ...{ kind: "error", code: "COVERAGE_INCOMPLETE", message: expect.stringContaining(`state of block ${HEAD - 1}`) },
  });
});

test("the same question has the same answer, byte for byte", async () => {
  expect(JSON.stringify(await dataOf(TOKEN))).toBe(JSON.stringify(await dataOf(TOKEN)));
});
