import { readFileSync } from "node:fs";
import { decodeAbiParameters, keccak256, parseAbiParameters } from "viem/utils";
import { beforeAll, expect, test } from "vitest";
import type { HexText } from "../../../src/demo/evm/rpc.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const addressOf = (name: string): string => truth.addressOf(name);
const charged = ({ headers }: { readonly headers: Headers }): number => Number(headers.get("x-credits-charged"));
const source = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
  stage.ask("get_contract_source_code", { contract_address: addressOf(name), network: "demo", ...more });
const solidity = (file: string): string => readFileSync(new URL(`../../../contracts/${file}`, import.meta.url), "utf8");
const codeOf = async (name: string): Promise<HexText> =>
  // eth_getCode answers with hex text.
  (await stage.world.rpc.call("eth_getCode", addressOf(name), "latest")) as HexText;

test("shows Harbor with its source, which compiles to exactly the code on the chain", async () => {
  const answer = await source("harbor");
  expect(charged(answer)).toBe(8);
  expect(answer.body).toMatchObject({
    type: "contract_source",
    is_verified: true,
    match: "exact_match",
    creation_match: "exact_match",
    runtime_match: "exact_match",
    source_provider: "local",
    contract_name: "PlainToken",
    language: "Solidity",
    compiler_version: "0.8.37",
    evm_version: "paris",
    optimization: { enabled: true, runs: 200 },
    license: "Apache-2.0",
    proxy: { is_proxy: false, kind: null, implementations: [] },
    bytecode: { code_hash: keccak256(await codeOf("harbor")) },
    recovered_selectors: [],
  });
  expect(answer.body.files.map(({ path, content }: { path: string; content: string }) => [path, content])).toEqual([
    ["PlainToken.sol", solidity("PlainToken.sol")],
    ["Token20.sol", solidity("Token20.sol")],
  ]);
  const names = answer.body.abi.map(({ name }: { name?: string }) => name);
  expect(names).toEqual(expect.arrayContaining(["transfer", "approve", "burn", "Transfer"]));
  // The story's arguments of the constructor.
  const types = parseAbiParameters("string,string,uint8,uint256,address");
  const args = decodeAbiParameters(types, answer.body.constructor_args);
  expect(args).toEqual(["Harbor", "HRB", 18, 10n ** 25n, addressOf("dave")]);
  // The two tokens of the factory are the same contract; the hash of their code is known from their creations.
  expect([...answer.body.bytecode.similar_verified].sort()).toEqual([addressOf("meadow"), addressOf("orchard")].sort());
});

test("matches the source of a contract with immutables with the code that its constructor filled in", async () => {
  const { body } = await source("eth_registrar");
  expect(body).toMatchObject({ is_verified: true, match: "exact_match", contract_name: "EthRegistrar" });
});

test("shows a proxy with its own source and the name of its implementation", async () => {
  const { body } = await source("usdc", { include_abi: false });
  expect(body).toMatchObject({
    is_verified: true,
    contract_name: "Proxy",
    abi: null,
    proxy: {
      is_proxy: true,
      kind: "eip1967",
      implementations: [{ address: addressOf("usdc_implementation"), name: "FiatToken", is_verified: true }],
    },
  });
  expect((await source("judys_safe")).body.proxy).toMatchObject({
    kind: "safe",
    implementations: [{ address: addressOf("safe_singleton"), name: null, is_verified: false }],
  });
});

test("returns data for a contract without known source: the selectors of its code", async () => {
  const answer = await source("pair_weth_usdc");
  expect(charged(answer)).toBe(8);
  expect(answer.body).toMatchObject({ is_verified: false, match: null, abi: null, files: [], unavailable: [] });
  // Function names of UniswapV2Pair.sol; selectors as its interface has them.
  expect(answer.body.recovered_selectors).toEqual(
    expect.arrayContaining([
      { selector: "0x0902f1ac", signature: "getReserves()" },
      { selector: "0x022c0d9f", signature: "swap(uint256,uint256,address,bytes)" },
      { selector: "0xa9059cbb", signature: "transfer(address,uint256)" },
      { selector: "0xba9a7a56", signature: null }, // MINIMUM_LIQUIDITY()
    ]),
  );
});

test("returns a single file", async () => {
  const { body } = await source("harbor", { file_path: "Token20.sol", max_bytes: 1_000 });
  const [first, second] = body.files;
  expect(first).toMatchObject({ path: "PlainToken.sol", content: null });
  expect(second.content).toBe(solidity("Token20.sol").slice(0, 1_000));
  expect(second.truncated).toBe(true);
});

test("returns data for a destroyed contract, and refunds an account without code", async () => {
  expect((await source("ephemeral_gone")).body).toMatchObject({ is_verified: null, bytecode: { size: 0 } });
  const person = await source("alice");
  expect(person.body).toMatchObject({ status: "error", code: "NOT_A_CONTRACT" });
  expect(charged(person)).toBe(0);
});

test.each([
  ["max_bytes", { max_bytes: 999 }],
  ["max_bytes", { max_bytes: 1_000_001 }],
  ["file_path", { file_path: "" }],
  ["include_abi", { include_abi: "yes" }],
  ["network", { network: "all" }],
])("rejects a wrong %s", async (field, wrong) => {
  const answer = await source("harbor", wrong);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain(field);
});

test("states whether a token's source is known", async () => {
  const verified = async (name: string) =>
    (await stage.ask("get_token_info", { token_address: addressOf(name), network: "demo" })).body.is_verified;
  expect(await verified("harbor")).toBe(true);
  expect(await verified("usdt")).toBe(false); // compiled by solc 0.4, which is not here
});
