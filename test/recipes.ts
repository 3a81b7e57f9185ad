/** The recipes of CONTRIBUTING.md: the text that each adds by hand. */

/** By path: the text of a new file, or a replacement in an existing one. */
export type FileEdits = Readonly<Record<string, string | readonly [instead_of: string, text: string]>>;

const TOOL: FileEdits = {
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
export const IMPORTED = [
  "import { getTokenFlowIntelligence }",
  'import { getNetworkHead } from "./get_network_head.ts";\nimport { getTokenFlowIntelligence }',
] as const;

const NETWORK: FileEdits = {
  "knowledge/networks/lantern.yaml": `id: lantern
name: Lantern
chain_id: 424242
native: { symbol: LTN, decimals: 18 }
wrapped_native: op_weth
finality_blocks: 64
block_seconds: 2
`,
};

/** A fork of a known family of pools. */
const FORK: FileEdits = {
  "knowledge/protocols/lantern_swap.yaml": `name: Lantern Swap
source: https://lantern.example/deployments
pools:
  - venue: lantern_swap
    family: uniswap_v3
    source: https://lantern.example/deployments
    factories: { lantern: 1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b }
`,
};

const AGGREGATOR: FileEdits = {
  "knowledge/protocols/lantern_route.yaml": `name: Lantern Route
category: dex
source: https://lantern.example/router
contracts:
  - role: router
    at: { ethereum: [1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c] }
    label: { name: Lantern router, evidence: lantern.example }
acts:
  - type: swap
    events: ["LanternRouted(address,address,uint256,uint256)"]
    functions: ["lanternRoute(address,address,uint256,uint256,bytes)"]
`,
};

/** A coin with a way of freezing of its own. */
const STABLECOIN: FileEdits = {
  "knowledge/issuers/lusdx.yaml": `symbol: LUSDX
issuer: Lantern
peg: USD
source: https://lantern.example/coin
families:
  - id: lantern
    source: https://lantern.example/coin
    views: [isDimmed(address)]
    events:
      - { effect: freeze, event: Dimmed(address), account_at: topic1 }
      - { effect: unfreeze, event: Undimmed(address), account_at: topic1 }
    powers: { freeze: true, seize_or_destroy: false, pause: null, upgradeable: null }
contracts:
  - families: [lantern]
    decimals: 6
    at: { ethereum: 1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d, lantern: 1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1f }
`,
};

/** A made-up shape: PUSH0 zeros, then the address at byte 9, and one byte of its own before RETURN. */
const PROXY: FileEdits = {
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

const FEE: FileEdits = {
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

/** A fork of a known family: contracts alone. */
const LENDING: FileEdits = {
  "knowledge/protocols/lantern_lend.yaml": `name: Lantern Lend
category: lending
source: https://lantern.example/deployments
contracts:
  - role: market
    at: { ethereum: [1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a] }
    label: { name: Lantern Lend pool, evidence: lantern.example }
`,
};

/** A column of a question, as code reads it. */
const FIELD: FileEdits = {
  "src/domain/address/cohorts/members.sql": ["AS address, c.rank", "AS trader, c.rank"],
  "src/domain/address/cohorts/lists.ts": ["rows.map(({ address }) => address)", "rows.map(({ trader }) => trader)"],
};

/** Rows of the table of CONTRIBUTING.md. */
export const OF_KNOWLEDGE: Readonly<Record<string, FileEdits>> = {
  "a lending market": LENDING,
  "a fork of a DEX": FORK,
  "an aggregator": AGGREGATOR,
  "a stablecoin, with its freeze family": STABLECOIN,
  "a network": NETWORK,
  "a proxy shape": PROXY,
  "a part of a fee": FEE,
};
export const RECIPES: Readonly<Record<string, FileEdits>> = { TOOL, FIELD, ...OF_KNOWLEDGE };
