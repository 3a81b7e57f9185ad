import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf } from "../../../test/value_rows.ts";
import type { Block, BlockRef, Chain, Transaction } from "../../chains/chain.ts";
import { EMPTY, type Hex, hex, keccak256, toHex } from "../../lib/bytes.ts";
import { getContractCreation } from "./index.ts";

const DEV = addressOf(0xdef);
const FACTORY = addressOf(0xfac);
const DIRECT = addressOf(0xd1);
const CHILD = addressOf(0xc1);
const GONE = addressOf(0x60);
const OLD = addressOf(0x01d);
const TARGET = addressOf(0x7a6);
const HEAD = 105;

const INIT = bytesOf(hex(`6080604052a164736f6c6343000819000a${"00".repeat(31)}07`));
const RUNTIME = bytesOf(hex("6001a164736f6c6343000819000a"));
/** EIP-1167, to TARGET. */
const CLONE = bytesOf(hex(`363d3d373d3d3d363d73${TARGET}5af43d82803e903d91602b57fd5bf3`));

const created = (address: Hex, block: number, more: object) => ({
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
  init_hash: keccak256(INIT),
  code_hash: EMPTY,
  ...more,
});

const transaction = (block: number, more: Partial<Transaction>): Transaction => ({
  index: 0,
  hash: blockHash(block * 1_000),
  sender: bytesOf(DEV),
  recipient: null,
  value: 0n,
  nonce: 0,
  input: INIT,
  succeeded: true,
  gas_used: 0n,
  fee: 0n,
  tip: 0n,
  created_contract: null,
  logs: [],
  calls: [],
  ...more,
});

interface CreationFixture {
  /** Transaction of block n. */
  readonly transactions?: Readonly<Record<number, Partial<Transaction>>>;
  /** First block at which OLD has code. */
  readonly old_since?: number;
  readonly first_block?: number;
  readonly has_traces?: boolean;
  readonly can?: Partial<Chain["can"]>;
}

const chainOf = ({
  transactions = {},
  old_since = 0,
  first_block = 0,
  has_traces = true,
  can = {},
}: CreationFixture = {}): Chain => {
  const blocks = [{ number: HEAD, hash: hex("05"), parent_hash: hex("04"), time: 0 }];
  const fixed = fixedChain({ accounts: { [DIRECT]: { code: RUNTIME }, [CHILD]: { code: CLONE } }, can, blocks });
  const refOf = (number: number): BlockRef => ({
    number,
    hash: toHex(blockHash(number)),
    parent_hash: toHex(blockHash(Math.max(0, number - 1))),
    time: dayOf(number),
  });
  return {
    ...fixed,
    ref: async (number) => (number < first_block ? null : refOf(number)),
    account: async (address, signal, at) =>
      address === OLD
        ? { balance: 0n, nonce: 1, code: (at ?? HEAD) >= old_since ? RUNTIME : EMPTY }
        : fixed.account(address, signal, at),
    blocks: async (from): Promise<Block[]> => {
      const given = transactions[from];
      return [
        {
          number: from,
          hash: blockHash(from),
          parent_hash: blockHash(Math.max(0, from - 1)),
          time: dayOf(from),
          producer: bytesOf(DEV),
          base_fee: null,
          transactions: given === undefined ? [] : [transaction(from, given)],
          issuance: [],
          has_traces,
          verified: "none",
        },
      ];
    },
  };
};

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      contracts: [
        created(DIRECT, 101, {}),
        created(CHILD, 102, { method: "create2", factory: bytesOf(FACTORY), position: 3 }),
        created(GONE, 103, { code_hash: keccak256(RUNTIME) }),
        created(GONE, 104, { event: "destroyed", method: "none", init_hash: EMPTY }),
      ],
    },
  );
  await store.writer.insert("labels", [
    {
      network: "demo",
      address: bytesOf(DEV),
      source: "test",
      label: "The developer",
      category: "developer",
      entity: "",
      confidence: 1,
      evidence: "",
      valid_from: 0,
      licence: "",
      published_on: "",
      written_at: 1,
    },
  ]);
});
afterAll(() => store.close());

const run = (contract: Hex, chain: Chain, more: object = {}) =>
  runTool(
    getContractCreation,
    { contract_address: `0x${contract}`, network: "demo", ...more },
    callContext({ facts: store.facts, chain: () => chain }),
  );

const dataOf = async (contract: Hex, world: CreationFixture = {}, more: object = {}) => {
  const outcome = await run(contract, chainOf(world), more);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getContractCreation.output.parse(outcome.data);
};

describe("contracts in the index", () => {
  test("a direct creation names deployer, hashes and the constructor's argument 7", async () => {
    const answer = await dataOf(DIRECT, { transactions: { 101: { created_contract: bytesOf(DIRECT) } } });
    expect(answer).toMatchObject({
      deployer: { address: chainOf().formatAddress(DEV), label: "The developer", tags: ["developer"] },
      factory: null,
      creation_tx_hash: `0x${toHex(blockHash(101_000))}`,
      block_number: 101,
      timestamp: "2026-01-02T00:00:00Z",
      method: "create",
      init_code_hash: `0x${toHex(keccak256(INIT))}`,
      runtime_code_hash: `0x${toHex(keccak256(RUNTIME))}`,
      is_proxy: false,
      is_self_destructed: false,
      constructor_args_raw: `0x${"00".repeat(31)}07`,
      found_in: "index",
      unavailable: [],
    });
  });

  test("reports a factory's clone as a proxy, and an unproven salt as unknown", async () => {
    const answer = await dataOf(CHILD, { transactions: { 102: { input: bytesOf(hex("aabbccdd")) } } });
    expect(answer).toMatchObject({
      factory: chainOf().formatAddress(FACTORY),
      method: "create2",
      salt: null,
      is_proxy: true,
      implementation: chainOf().formatAddress(TARGET),
      constructor_args_raw: null,
    });
    expect(answer.unavailable.map(({ field }) => field)).toEqual(["salt", "constructor_args_raw"]);
  });

  test("a destroyed contract is data, with the hash it had", async () => {
    const answer = await dataOf(GONE);
    expect(answer).toMatchObject({
      is_self_destructed: true,
      runtime_code_hash: `0x${toHex(keccak256(RUNTIME))}`,
      block_number: 103,
    });
    // The block in this world holds no such transaction.
    expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["CREATION_INPUT_UNREAD"]);
  });

  test("reports no contract before its creation", async () => {
    const chain = { ...chainOf(), account: fixedChain().account };
    expect(await run(DIRECT, chain, { as_of_block: 100 })).toMatchObject({ kind: "error", code: "NOT_A_CONTRACT" });
  });
});

describe("contracts older than the index", () => {
  test("the first block with code is found, and the transaction in it", async () => {
    const answer = await dataOf(OLD, { old_since: 37, transactions: { 37: { created_contract: bytesOf(OLD) } } });
    expect(answer).toMatchObject({ found_in: "node", block_number: 37, method: "create", factory: null });
    expect(answer.init_code_hash).toBe(`0x${toHex(keccak256(INIT))}`);
  });

  test("a creation by a factory is found among the inner calls", async () => {
    const call = {
      kind: "create" as const,
      sender: bytesOf(FACTORY),
      recipient: bytesOf(OLD),
      value: 0n,
      init_hash: keccak256(INIT),
      code_hash: null,
    };
    const answer = await dataOf(OLD, { old_since: 37, transactions: { 37: { calls: [call] } } });
    expect(answer).toMatchObject({ factory: chainOf().formatAddress(FACTORY), method: "create" });
  });

  test("code in the chain's first block is genesis, also where the chain starts at a later number", async () => {
    expect(await dataOf(OLD, { old_since: 0 })).toMatchObject({ method: "genesis", block_number: 0, deployer: null });
    const late = await dataOf(OLD, { old_since: 0, first_block: 64 });
    expect(late).toMatchObject({ method: "genesis", block_number: 64, creation_tx_hash: null });
  });

  test("code that no transaction brought is a predeploy, and unknown without inner calls", async () => {
    expect(await dataOf(OLD, { old_since: 20 })).toMatchObject({ method: "predeploy", block_number: 20 });
    const blind = await dataOf(OLD, { old_since: 20, has_traces: false });
    expect(blind.method).toBeNull();
    expect(blind.unavailable.map(({ field }) => field)).toContain("method");
  });

  test("without old states the question stays open", async () => {
    const outcome = await run(OLD, chainOf({ can: { archive: false } }));
    expect(outcome).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
  });
});

describe("what is no contract", () => {
  test("an account without code", async () => {
    expect(await run(DEV, chainOf())).toMatchObject({ kind: "error", code: "NOT_A_CONTRACT" });
  });

  test("an account that only delegates (EIP-7702)", async () => {
    const code = bytesOf(hex(`ef0100${TARGET}`));
    const outcome = await run(DEV, fixedChain({ accounts: { [DEV]: { code } } }));
    expect(outcome).toMatchObject({ kind: "error", code: "NOT_A_CONTRACT" });
  });

  test("a node that does not answer is a failure, not an absence", async () => {
    await expect(run(DEV, fixedChain({ down: true }))).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

test("the same question has the same answer, byte for byte", async () => {
  expect(JSON.stringify(await dataOf(CHILD))).toBe(JSON.stringify(await dataOf(CHILD)));
});
