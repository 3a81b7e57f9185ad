import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bytes, hex } from "../lib/bytes.ts";
import type { Web, WebAnswer, WebFailure } from "../web/web.ts";
import { openSources, type SourceOptions, type Sources } from "./index.ts";
import { compile, compilerVersion } from "./solc.ts";

const CHAIN_ID = 1;
const VAULT = hex("a1".repeat(20));
const OTHER = hex("b2".repeat(20));

const LIBRARY =
  "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\nfunction twice(uint256 x) pure returns (uint256) { return 2 * x; }\n";
const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;
import {twice} from "lib/Twice.sol";
contract Other { function one() external pure returns (uint256) { return 1; } }
contract Keeper {
    uint256 public immutable amount;
    constructor(uint256 amount_) { amount = amount_; }
    function both() external view returns (uint256) { return twice(amount); }
}
`;
const SETTINGS = { optimizer: { enabled: true, runs: 77 }, evmVersion: "paris" };

interface CompiledFixture {
  readonly runtime: Bytes;
  readonly metadata: string;
}

/** Calls the compiler directly, like the deployer of the contract. */
const build = (): CompiledFixture => {
  // A CommonJS package without types; only `compile` is used.
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const sources = { "src/Keeper.sol": { content: SOURCE }, "lib/Twice.sol": { content: LIBRARY } };
  const outputSelection = {
    "*": { "*": ["metadata", "evm.deployedBytecode.object", "evm.deployedBytecode.immutableReferences"] },
  };
  const input = { language: "Solidity", sources, settings: { ...SETTINGS, outputSelection } };
  const keeper = JSON.parse(solc.compile(JSON.stringify(input))).contracts["src/Keeper.sol"].Keeper;
  const { object, immutableReferences } = keeper.evm.deployedBytecode;
  const runtime = Buffer.from(object, "hex");
  // The constructor writes amount = 5 at each position of the immutable.
  const places = Object.values(immutableReferences).flat() as { start: number; length: number }[];
  for (const { start, length } of places) runtime[start + length - 1] = 5;
  if (places.length === 0) throw new Error("the contract under test must have an immutable");
  return { runtime: Uint8Array.from(runtime), metadata: keeper.metadata };
};

let made: CompiledFixture;
let folder: string;
beforeAll(async () => {
  made = build();
  folder = await mkdtemp(join(tmpdir(), "assay-sources-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};

const open = (more: Partial<SourceOptions> = {}): Sources =>
  openSources({ folder, projects: [], sourcify: null, ...more });
const ask = (sources: Sources, address = VAULT, code: Bytes = made.runtime) =>
  sources.find({ chain_id: CHAIN_ID, address, code, signal: AbortSignal.timeout(30_000) });

describe("the operator's folder", () => {
  test("in Sourcify's layout is compiled again and matches exactly", async () => {
    const at = `contracts/full_match/1/0x${VAULT.toUpperCase()}`;
    await write(`${at}/metadata.json`, made.metadata);
    await write(`${at}/sources/src/Keeper.sol`, SOURCE);
    await write(`${at}/sources/lib/Twice.sol`, LIBRARY);
    const answer = await ask(open());
    expect(answer).toMatchObject({
      kind: "verified",
      source: {
        provider: "local",
        match: "exact_match",
        runtime_match: "exact_match",
        contract_name: "Keeper",
        compiler_version: compilerVersion(),
        evm_version: "paris",
        optimization: { enabled: true, runs: 77 },
        files: [
          { path: "src/Keeper.sol", content: SOURCE },
          { path: "lib/Twice.sol", content: LIBRARY },
        ],
      },
    });
  });

  test("in standard JSON finds the contract by its code", async () => {
    const sources = { "src/Keeper.sol": { content: SOURCE }, "lib/Twice.sol": { content: LIBRARY } };
    const input = { language: "Solidity", sources, settings: SETTINGS };
    await write(`1/0x${OTHER}/standard_json_input.json`, JSON.stringify(input));
    expect(await ask(open(), OTHER)).toMatchObject({
      kind: "verified",
      source: { match: "exact_match", contract_name: "Keeper" },
    });
    // Other settings change the code; another comment changes only the metadata.
    const settings = { ...SETTINGS, optimizer: { enabled: false } };
    await write(`1/0x${OTHER}/standard_json_input.json`, JSON.stringify({ ...input, settings }));
    expect(await ask(open(), OTHER)).toEqual({ kind: "unverified" });
    const commented = { ...sources, "lib/Twice.sol": { content: `${LIBRARY}// twice\n` } };
    await write(`1/0x${OTHER}/standard_json_input.json`, JSON.stringify({ ...input, sources: commented }));
    expect(await ask(open(), OTHER)).toMatchObject({ kind: "verified", source: { match: "match" } });
  });

  test("does not verify code that its sources do not produce", async () => {
    const changed = Uint8Array.from(made.runtime);
    changed[0] = 0x61;
    expect(await ask(open(), VAULT, changed)).toEqual({ kind: "unverified" });
  });

  test("proves nothing for missing contracts and other networks", async () => {
    expect(await ask(open(), hex("c3".repeat(20)))).toEqual({ kind: "unverified" });
    const signal = AbortSignal.timeout(5_000);
    expect(await open().find({ chain_id: 10, address: VAULT, code: made.runtime, signal })).toEqual({
      kind: "unverified",
    });
  });

  test("of another compiler stays unknown", async () => {
    const metadata = JSON.parse(made.metadata);
    await write(
      `1/0x${"d4".repeat(20)}/metadata.json`,
      JSON.stringify({ ...metadata, compiler: { version: "0.8.19+commit.7dd6d404" } }),
    );
    await write(`1/0x${"d4".repeat(20)}/sources/src/Keeper.sol`, SOURCE);
    await write(`1/0x${"d4".repeat(20)}/sources/lib/Twice.sol`, LIBRARY);
    expect(await ask(open(), hex("d4".repeat(20)))).toMatchObject({ kind: "unknown", gap: "COMPILER_MISSING" });
  });

  test("cannot be escaped by a path or a link", async () => {
    await write("outside.sol", LIBRARY);
    const metadata = JSON.parse(made.metadata);
    const escaping = { ...metadata, sources: { "../../../outside.sol": {} } };
    await write(`1/0x${"e5".repeat(20)}/metadata.json`, JSON.stringify(escaping));
    expect(await ask(open(), hex("e5".repeat(20)))).toMatchObject({ kind: "unknown", gap: "NOT_COMPILED" });
    const linked = `1/0x${"e6".repeat(20)}`;
    await write(`${linked}/metadata.json`, JSON.stringify({ ...metadata, sources: { "a.sol": {} } }));
    await mkdir(join(folder, linked, "sources"));
    await symlink(join(folder, "outside.sol"), join(folder, linked, "sources", "a.sol"));
    expect(await ask(open(), hex("e6".repeat(20)))).toMatchObject({ kind: "unknown", gap: "NOT_COMPILED" });
  });

  test.each(["{", "[]", "null", '{"language":"Solidity","sources":{"a.sol":{"urls":["ipfs://x"]}}}'])(
    "with the input %s is unreadable",
    async (text) => {
      await write(`1/0x${"f7".repeat(20)}/standard_json_input.json`, text);
      expect((await ask(open(), hex("f7".repeat(20)))).kind).not.toBe("verified");
    },
  );
});

describe("the compiler", () => {
  const sourcesOf = (content: string) => ({ language: "Solidity", sources: { "a.sol": { content } }, settings: {} });

  test("rejects sources that do not compile, and reads no file outside the input", async () => {
    expect(await compile(sourcesOf("contract {"), null)).toEqual({ kind: "refused" });
    expect(await compile(sourcesOf('import "/etc/passwd"; contract A {}'), null)).toEqual({ kind: "refused" });
  });

  test("gets no sources that are too large", async () => {
    expect(await compile(sourcesOf(`//${"x".repeat(9 * 1024 * 1024)}`), null)).toMatchObject({ kind: "stopped" });
  });
});

const KNOWN = {
  match: "match",
  creationMatch: null,
  runtimeMatch: "match",
  chainId: "1",
  address: `0x${"C3".repeat(20)}`,
  verifiedAt: "2024-07-24T12:00:00Z",
  compilation: {
    language: "Solidity",
    name: "Storage",
    fullyQualifiedName: "contracts/Storage.sol:Storage",
    compilerVersion: "0.8.7+commit.e28d00a7",
    compilerSettings: { evmVersion: "london", optimizer: { enabled: true, runs: 200 } },
  },
  sources: { "a.sol": { content: "// a" }, "contracts/Storage.sol": { content: "// storage" } },
  abi: [{ type: "function", name: "store" }],
};

/** Responses of a Sourcify server; tests have no internet access. */
const webOf = (answers: (url: string) => Partial<WebAnswer> | WebFailure): { web: Web; asked: string[] } => {
  const asked: string[] = [];
  const web: Web = {
    fetch: async ({ url }) => {
      asked.push(url);
      const answer = answers(url);
      if (answer.kind === "refused" || answer.kind === "unreachable") return answer;
      const whole = { status: 200, final_url: url, redirects: [], headers: {}, body: new Uint8Array(0), is_cut: false };
      return { kind: "answer", ...whole, tls: null, elapsed_ms: 1, ...answer };
    },
  };
  return { web, asked };
};
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const ORIGIN = "https://sourcify.example";
const askSourcify = (answers: Parameters<typeof webOf>[0], more: Partial<SourceOptions> = {}) => {
  const { web, asked } = webOf(answers);
  const sources = open({ folder: null, sourcify: { web, origin: ORIGIN }, ...more });
  return { asked, sources, answer: ask(sources, hex("c3".repeat(20))) };
};

describe("Sourcify", () => {
  test("is queried by chain and address, and its answer is used", async () => {
    const { answer, asked } = askSourcify(() => ({ body: json(KNOWN) }));
    expect(await answer).toMatchObject({
      kind: "verified",
      source: {
        provider: "sourcify",
        match: "match",
        creation_match: null,
        runtime_match: "match",
        verified_at: "2024-07-24T12:00:00Z",
        contract_name: "Storage",
        compiler_version: "0.8.7+commit.e28d00a7",
        evm_version: "london",
        optimization: { enabled: true, runs: 200 },
        files: [{ path: "contracts/Storage.sol" }, { path: "a.sol" }],
      },
    });
    expect(asked).toEqual([`${ORIGIN}/v2/contract/1/0x${"c3".repeat(20)}?fields=abi,compilation,sources`]);
  });

  test("that does not know the contract proves that it has no source", async () => {
    const { chainId, address } = KNOWN;
    const { answer } = askSourcify(() => ({ status: 404, body: json({ match: null, chainId, address }) }));
    expect(await answer).toEqual({ kind: "unverified" });
  });

  test.each([
    ["is unreachable", { kind: "unreachable" as const, reason: "no response", redirects: [] }],
    ["fails", { status: 500, body: json(KNOWN) }],
    ["limits us", { status: 429, body: json({}) }],
    ["sends no JSON", { body: Buffer.from("<html>") }],
    ["describes another contract", { body: json({ ...KNOWN, address: `0x${VAULT}` }) }],
    ["describes another chain", { body: json({ ...KNOWN, chainId: "10" }) }],
    ["returns 404 without details", { status: 404, body: json({}) }],
  ])("that %s leaves it unknown", async (_, answered) => {
    expect(await askSourcify(() => answered).answer).toMatchObject({ kind: "unknown", gap: "UNREACHABLE" });
  });

  test("whose sources are too large is queried without them", async () => {
    const { sources: _, ...small } = KNOWN;
    const { answer } = askSourcify((url) => (url.endsWith("sources") ? { is_cut: true } : { body: json(small) }));
    expect(await answer).toMatchObject({ kind: "verified", source: { files: [], abi: KNOWN.abi } });
  });

  test("may return nonsense in every field", async () => {
    const odd = { ...KNOWN, verifiedAt: "yesterday", compilation: [], sources: { "a.sol": 7, b: null }, abi: "x" };
    expect(await askSourcify(() => ({ body: json(odd) })).answer).toMatchObject({
      kind: "verified",
      source: { verified_at: null, contract_name: null, language: "other", optimization: null, files: [], abi: null },
    });
  });

  test("is not queried for a source in the operator's folder", async () => {
    const { sources, asked, answer } = askSourcify(() => ({ body: json(KNOWN) }), { folder });
    await answer;
    expect(asked).toHaveLength(1);
    expect(await ask(sources)).toMatchObject({ kind: "verified", source: { provider: "local" } });
    expect(asked).toHaveLength(1);
  });

  test("is queried once for a verified source", async () => {
    const { sources, asked, answer } = askSourcify(() => ({ body: json(KNOWN) }));
    const first = await answer;
    expect(await ask(sources, hex("c3".repeat(20)))).toEqual(first);
    expect(asked).toHaveLength(1);
  });
});

test("knows nothing without providers", async () => {
  expect(await ask(open({ folder: null }))).toMatchObject({ kind: "unknown", gap: "NOT_CONFIGURED" });
});

test("returns at once when the caller aborts", async () => {
  const sources = open();
  const stop = new AbortController();
  const asking = sources.find({ chain_id: CHAIN_ID, address: VAULT, code: made.runtime, signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(asking).rejects.toThrow("enough");
});
