import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { is_long } from "./long.ts";

/** The recipes of CONTRIBUTING.md, applied to a copy of the project: how many files a developer must edit, and that nothing else is missing. */

const ROOT = join(import.meta.dirname, "..");
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "assay-recipes-"));
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const path of listed.split("\n").filter((one) => one !== "" && existsSync(join(ROOT, one)))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** A developer's edit: the text of a new file, or a replacement in an existing file. */
type Written = Readonly<Record<string, string | readonly [instead_of: string, text: string]>>;

const TOOL: Written = {
  "src/tools/get_network_head.ts": `import * as z from "zod";
import { data } from "../lib/outcome.ts";
import { metadata, network } from "./fields.ts";
import { metadataFor } from "./metadata.ts";
import { defineTool } from "./tool.ts";

const input = z.strictObject({ network: network() });

const output = z.strictObject({
  type: z.literal("network_head"),
  block_number: z.int().meta({ description: "The newest indexed block." }),
  metadata: metadata({}),
});

export const getNetworkHead = defineTool({
  name: "get_network_head",
  title: "Newest block of a network",
  description: "The newest block that is indexed of a network.",
  credits: 1,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { network: "demo" },
  run: async (asked, context) => {
    const snapshot = await context.facts.snapshot(asked.network, null);
    const chain = context.chain(asked.network);
    return data({
      type: "network_head" as const,
      block_number: snapshot.block.number,
      metadata: metadataFor(chain, snapshot, { echo: {}, methodology: "network-head@1" }),
    });
  },
});
`,
  "src/tools/get_network_head.test.ts": `import { expect, test } from "vitest";
import { fixedChain } from "../../test/fixed_chain.ts";
import { fixedFacts } from "../../test/fixed_facts.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { getNetworkHead } from "./get_network_head.ts";

test("the newest block is the snapshot's", async () => {
  const context = callContext({ facts: fixedFacts(), chain: () => fixedChain() });
  // fixed_facts.ts: block 100.
  expect(await getNetworkHead.run({ network: "demo" }, context)).toMatchObject({
    kind: "data",
    data: { type: "network_head", block_number: 100 },
  });
});
`,
  "src/tools/index.ts": [
    "  getWalletAccountMeta,\n  getWalletOsintRecord,",
    "  getNetworkHead,\n  getWalletAccountMeta,\n  getWalletOsintRecord,",
  ],
};
/** The line needs its import, in the same file. */
const IMPORTED = [
  "import { getTokenFlowIntelligence }",
  'import { getNetworkHead } from "./get_network_head.ts";\nimport { getTokenFlowIntelligence }',
] as const;

const NETWORK: Written = {
  "src/chains/networks/lantern.ts": `import { defineEvm } from "./define.ts";

export const lantern = defineEvm({
  id: "lantern",
  name: "Lantern",
  chain_id: 424_242,
  native: { symbol: "LTN", decimals: 18 },
  wrapped_native: "4200000000000000000000000000000000000006",
  stablecoins: [],
  finality_blocks: 64,
  block_seconds: 2,
});
`,
};

const FORK: Written = {
  "src/protocols/venues.ts": [
    '  ...fork(\n    { venue: "uniswap_v3", family: "uniswap_v3", fee_ppm: null },',
    '  ...fork({ venue: "lantern_swap", family: "uniswap_v3", fee_ppm: null }, { lantern: "1a".repeat(20) }),\n  ...fork(\n    { venue: "uniswap_v3", family: "uniswap_v3", fee_ppm: null },',
  ],
};

/** A made-up shape: PUSH0 zeros, then the address at byte 9, and one byte of its own before RETURN. */
const PROXY: Written = {
  "knowledge/proxies.yaml": [
    "  - id: erc7511\n",
    `  - id: lantern_clone
    name: Minimal proxy of Lantern
    kind: minimal
    upgrade: never
    source: https://lantern.example/proxy
    found_by:
      code: 365f5f375f5f365f73{implementation}5af43d5f5f3e5f3d91602b57fd5b5bf3
    vectors:
      - code: 365f5f375f5f365f73bebebebebebebebebebebebebebebebebebebebe5af43d5f5f3e5f3d91602b57fd5b5bf3
        implementation: bebebebebebebebebebebebebebebebebebebebe

  - id: erc7511
`,
  ],
};

const FEE: Written = {
  "knowledge/fees.yaml": [
    "  - id: arbitrum_layer1\n",
    `  - id: lantern_proof
    family: evm
    stack: Lantern
    name: Proofs
    part: operator
    amount: { receipt: proofFee }
    formula: proofFee
    source: https://lantern.example/fees
    vectors:
      # 21,000 gas at 10 wei + 500.
      - { receipt: { gasUsed: 21000, proofFee: 500 }, gas_price: 10, amount: 500, fee: 210500 }

  - id: arbitrum_layer1
`,
  ],
};

/** A fork of a known family: only contracts. */
const LENDING: Written = {
  "knowledge/protocols/lantern_lend.yaml": `name: Lantern Lend
site: https://lantern.example
category: lending
contracts:
  - version: null
    role: market
    source: https://lantern.example/deployments
    at: { ethereum: [1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a] }
    labels: [{ network: ethereum, label: Lantern Lend pool, evidence: lantern.example }]
acts: []
`,
};

/** A column of a query, as code reads it. */
const FIELD: Written = {
  "src/domain/address/cohorts/members.sql": ["AS address, c.rank", "AS trader, c.rank"],
  "src/domain/address/cohorts/lists.ts": ["rows.map(({ address }) => address)", "rows.map(({ trader }) => trader)"],
};

const put = (path: string, instead_of: string, text: string): void => {
  const before = readFileSync(join(copy, path), "utf8");
  expect([path, before.split(instead_of).length]).toEqual([path, 2]);
  writeFileSync(
    join(copy, path),
    before.replace(instead_of, () => text),
  );
};

const write = (recipe: Written): void => {
  for (const [path, text] of Object.entries(recipe)) {
    if (typeof text === "string") writeFileSync(join(copy, path), text);
    else put(path, text[0], text[1]);
  }
};

/** Runs a script of the copy, as a developer would. Its output is shown if it fails. */
const run = (...args: readonly string[]): void => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_)/.test(name)));
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", env });
  expect({ args, status, said: status === 0 ? "" : `${stdout}${stderr}`.slice(-3_000) }).toEqual({
    args,
    status: 0,
    said: "",
  });
};

const VITEST = "node_modules/vitest/vitest.mjs";
const TESTS = [
  "src/tools/get_network_head.test.ts",
  "src/chains/networks/networks.test.ts",
  "src/protocols/index.test.ts",
  "src/chains/fee_vectors.test.ts",
  "src/domain/address/code/proxies.test.ts",
  "src/domain/address/code/proxies_on_anvil.test.ts",
];

const RECIPES = { TOOL, NETWORK, FORK, PROXY, FEE, LENDING, FIELD };

test("touches as many files by hand as each recipe states, and generates the rest", () => {
  const files = Object.fromEntries(Object.entries(RECIPES).map(([name, recipe]) => [name, Object.keys(recipe).length]));
  expect(files).toEqual({ TOOL: 3, NETWORK: 1, FORK: 1, PROXY: 1, FEE: 1, LENDING: 1, FIELD: 2 });
  for (const recipe of Object.values(RECIPES)) write(recipe);
  put("src/tools/index.ts", ...IMPORTED);
  run("scripts/build.mjs", "--untyped");
  run("dist/scripts/gen.js", "--knowledge", "--store");
  const generated = (name: string): string => readFileSync(join(copy, `src/knowledge/${name}.gen.ts`), "utf8");
  expect(generated("proxies")).toContain('id: "lantern_clone"');
  expect(generated("fees")).toContain('amount: { field: "proofFee" }');
  expect(generated("protocols")).toContain('"entity":"Lantern Lend"');
  expect(readFileSync(join(copy, "assembly/fee_fields.gen.ts"), "utf8")).toContain(" proofFee");
  expect(readFileSync(join(copy, "src/chains/networks/list.gen.ts"), "utf8")).toContain("  lantern,\n");
  expect(readFileSync(join(copy, "src/store/queries.gen.ts"), "utf8")).toMatch(
    /"cohorts\/members": \{[^}]*\};\s+readonly row: \{\s+readonly trader: Hex;/,
  );
}, 600_000);

test.skipIf(!is_long)(
  "passes the type check and the tests of the copy",
  () => {
    run("node_modules/typescript/bin/tsc", "--noEmit");
    run(VITEST, "run", ...TESTS);
  },
  600_000,
);

test.skipIf(!is_long)(
  "generates pages, prices and the OpenAPI document of the copy, and passes the tests of all tools",
  () => {
    run("scripts/build.mjs");
    run("dist/scripts/gen.js", "--docs");
    expect(existsSync(join(copy, "docs/tools/get_network_head.md"))).toBe(true);
    expect(readFileSync(join(copy, "docs/networks.md"), "utf8")).toContain("lantern");
    expect(readFileSync(join(copy, "docs/fees.md"), "utf8")).toContain("[Proofs](https://lantern.example/fees)");
    expect(readFileSync(join(copy, "docs/protocols.md"), "utf8")).toContain("| Lantern Lend | ethereum |");
    for (const path of ["sdk/src/tools.gen.ts", "sdk-python/src/assay_sdk/_async_tools_gen.py"])
      expect([path, readFileSync(join(copy, path), "utf8").includes("get_network_head")]).toEqual([path, true]);
    execFileSync("git", ["init", "-q"], { cwd: copy });
    run(VITEST, "run", "test/catalog.test.ts", "test/tidy.test.ts");
  },
  600_000,
);
