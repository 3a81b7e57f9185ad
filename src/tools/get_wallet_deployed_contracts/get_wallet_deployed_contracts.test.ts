import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, tokenRow, transfersOf } from "../../../test/value_rows.ts";
import type { Chain } from "../../chains/chain.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { EMPTY, type Hex, hex, keccak256, toHex } from "../../lib/bytes.ts";
import { NO_SOURCES, type Sources } from "../../sources/index.ts";
import type { VerifiedSource } from "../../sources/source.ts";
import { getWalletDeployedContracts } from "./index.ts";

const DEV = addressOf(0xdef);
const FACTORY = addressOf(0xfac);
const TOKEN = addressOf(0x70);
const PAIR = addressOf(0x9a);
const CLONE = addressOf(0xc1);
const PLAIN = addressOf(0x91);
const GONE = addressOf(0x60);
const HEAD = 110;

const CODE = bytesOf(hex("6001"));
const PROXY = bytesOf(hex(`363d3d373d3d3d363d73${PLAIN}5af43d82803e903d91602b57fd5bf3`));

const created = (address: Hex, block: number, more: object = {}) => ({
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
  code_hash: EMPTY,
  ...more,
});
const byFactory = { method: "create2", factory: bytesOf(FACTORY) };

const chain = fixedChain({
  accounts: {
    [TOKEN]: { code: CODE },
    [PAIR]: { code: CODE },
    [PLAIN]: { code: CODE },
    [CLONE]: { code: PROXY },
  },
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers: transfersOf({ block: 102 }, DEV, [
        { kind: "erc20", token: TOKEN, source: "", destination: DEV, amount: 10n },
        { kind: "erc20", token: TOKEN, source: DEV, destination: FACTORY, amount: 4n },
      ]),
      contracts: [
        created(PLAIN, 101),
        created(TOKEN, 102),
        created(PAIR, 103, { ...byFactory, position: 2, code_hash: keccak256(CODE) }),
        created(CLONE, 103, { ...byFactory, position: 5, code_hash: keccak256(PROXY) }),
        created(GONE, 104),
        created(GONE, 105, { event: "destroyed", method: "none" }),
        created(addressOf(0xbad), 106, { creator: bytesOf(FACTORY) }),
      ],
      pools: [
        {
          network: "demo",
          pool: bytesOf(PAIR),
          family: "uniswap_v2",
          venue: "uni2",
          factory: bytesOf(FACTORY),
          token0: bytesOf(TOKEN),
          token1: bytesOf(PLAIN),
          fee_ppm: 3_000,
          tick_spacing: 0,
          hooks: "",
          block_number: 103,
          tx_index: 0,
          log_index: 0,
          time: dayOf(103),
          tx_hash: blockHash(103_000),
          creator: bytesOf(DEV),
        },
      ],
    },
  );
  await store.writer.insert("tokens", [tokenRow(TOKEN, "JUN", 0)]);
});
afterAll(() => store.close());

const SOURCE: VerifiedSource = {
  provider: "local",
  match: "exact_match",
  runtime_match: "exact_match",
  creation_match: null,
  verified_at: null,
  contract_name: "Any",
  language: "Solidity",
  compiler_version: "0.8.37",
  evm_version: null,
  optimization: null,
  files: [],
  abi: null,
  creation: null,
};

const run = (more: object = {}, on: Chain = chain, sources: Sources = NO_SOURCES) =>
  runTool(
    getWalletDeployedContracts,
    { address: `0x${DEV}`, network: "demo", ...more },
    {
      facts: store.facts,
      chain: () => on,
      networks: ["demo"],
      operator: { ...SILENT_OPERATOR, sources },
      signal: AbortSignal.timeout(30_000),
    },
  );

const dataOf = async (more: object = {}, on: Chain = chain, sources: Sources = NO_SOURCES) => {
  const outcome = await run(more, on, sources);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getWalletDeployedContracts.output.parse(outcome.data);
};

const shown = (address: Hex) => chain.formatAddress(address);

describe("rows", () => {
  test("are sorted newest first, each with its kind", async () => {
    const { data, summary } = await dataOf();
    expect(data.map(({ contract_address }) => contract_address)).toEqual([GONE, CLONE, PAIR, TOKEN, PLAIN].map(shown));
    expect(data.map(({ kind }) => kind)).toEqual(["contract", "proxy", "pool", "erc20", "contract"]);
    expect(data.map(({ via }) => via)).toEqual([null, shown(FACTORY), shown(FACTORY), null, null]);
    expect(data.map(({ is_self_destructed }) => is_self_destructed)).toEqual([true, false, false, false, false]);
    expect(summary).toEqual({
      total: 5,
      tokens: 1,
      verified: null,
      destroyed: 1,
      distinct_code: 2, // CODE and PROXY; the code of the one that is gone is not known
      first_at: "2026-01-02T00:00:00Z",
      last_at: "2026-01-05T00:00:00Z",
    });
  });

  test("count contracts with the same code, from the index or the deployed code", async () => {
    const { data } = await dataOf();
    const plain = data.find(({ contract_address }) => contract_address === shown(PLAIN));
    expect(plain).toMatchObject({ code_hash: `0x${toHex(keccak256(CODE))}`, same_code_count: 3 });
    const gone = data.find(({ contract_address }) => contract_address === shown(GONE));
    expect(gone).toMatchObject({ code_hash: null, same_code_count: null });
  });

  test("a token has its name and its holders", async () => {
    const { data } = await dataOf({ kind: "token" });
    expect(data).toHaveLength(1);
    // Eight days old, in a pool that never had liquidity.
    const token = { holders_count: 2, liquidity_usd: 0, outcome: "alive" };
    expect(data[0]).toMatchObject({ name: "JUN", symbol: "JUN", token });
  });

  test("can leave out what factories created, and tokens", async () => {
    const direct = await dataOf({ include_factory_created: false });
    expect(direct.data.map(({ contract_address }) => contract_address)).toEqual([GONE, TOKEN, PLAIN].map(shown));
    expect(direct.summary.total).toBe(3);
    const plain = await dataOf({ include_factory_created: false, kind: "contract" });
    expect(plain.data.map(({ contract_address }) => contract_address)).toEqual([GONE, PLAIN].map(shown));
  });

  test("without a node keep what the index knows and leave the rest open", async () => {
    const { data, unavailable, summary } = await dataOf({}, fixedChain({ down: true }));
    expect(data.map(({ is_self_destructed }) => is_self_destructed)).toEqual([null, null, null, null, null]);
    expect(unavailable.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["data[].is_proxy", "data[].is_self_destructed", "summary.destroyed"]),
    );
    expect(summary).toMatchObject({ total: 5, destroyed: null, distinct_code: null });
  });
});

describe("sources", () => {
  test("are reported for deployed code and counted over all pages", async () => {
    const verified = new Set([TOKEN, PLAIN]);
    const sources: Sources = {
      stores: () => ["local"],
      find: async ({ address }) =>
        verified.has(address) ? { kind: "verified", source: SOURCE } : { kind: "unverified" },
    };
    const { data, summary, unavailable } = await dataOf({}, chain, sources);
    expect(data.map(({ is_verified }) => is_verified)).toEqual([null, false, false, true, true]); // GONE has no code
    expect(summary.verified).toBe(2);
    expect(unavailable).toContainEqual({
      field: "data[].is_verified",
      reason: "the code was destroyed, or no node of this network answered",
    });
  });

  test("stay unknown without a store", async () => {
    const { data, summary } = await dataOf();
    expect(data.map(({ is_verified }) => is_verified)).toEqual([null, null, null, null, null]);
    expect(summary.verified).toBeNull();
  });
});

describe("pages", () => {
  test("neither repeat nor skip a contract", async () => {
    const whole = await dataOf();
    const pages = await Promise.all([1, 2, 3].map((page) => dataOf({ page, records_per_page: 2 })));
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data);
    expect(pages.map(({ pagination }) => pagination.has_more_data)).toEqual([true, true, false]);
    expect(pages.map(({ pagination }) => pagination.is_complete)).toEqual([false, false, true]);
    expect(pages.map(({ summary }) => summary)).toEqual([whole.summary, whole.summary, whole.summary]);
  });

  test("beyond the last are no data", async () => {
    expect(await run({ page: 7 })).toMatchObject({ kind: "no_data", type: "deployed_contracts" });
  });
});

describe("nothing", () => {
  test("an account that deployed nothing has no data", async () => {
    expect(await run({ address: `0x${PLAIN}` })).toMatchObject({ kind: "no_data", type: "deployed_contracts" });
  });

  test("has no data before its first deployment", async () => {
    expect(await run({ as_of_block: 100 })).toMatchObject({ kind: "no_data" });
    expect((await dataOf({ as_of_block: 102 })).summary.total).toBe(2);
  });

  test("without inner calls nothing found is nothing proven, unless factories are left out", async () => {
    const blind = await openTestFacts();
    try {
      await blind.seed({ network: "demo", from: 100, to: 110, has_traces: false }, {});
      const ask = (include_factory_created: boolean) =>
        runTool(
          getWalletDeployedContracts,
          { address: `0x${DEV}`, network: "demo", include_factory_created },
          callContext({ facts: blind.facts, chain: () => chain }),
        );
      expect(await ask(true)).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
      expect(await ask(false)).toMatchObject({ kind: "no_data" });
    } finally {
      await blind.close();
    }
  });
});

test("the same question has the same answer, byte for byte", async () => {
  expect(JSON.stringify(await dataOf())).toBe(JSON.stringify(await dataOf()));
});
