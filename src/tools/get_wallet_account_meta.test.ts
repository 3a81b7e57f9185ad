import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../test/fixed_chain.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { bytesOf, dailyBlocks } from "../../test/value_rows.ts";
import { selectorOf, tailOf, wordOf } from "../domain/abi.ts";
import { concatHex, type Hex, hex } from "../lib/bytes.ts";
import { getWalletAccountMeta } from "./get_wallet_account_meta.ts";

const PERSON = hex("20".repeat(20));
const CONTRACT = hex("30".repeat(20));
const TARGET = hex("40".repeat(20));
const OWNERS = ["51".repeat(20), "52".repeat(20), "53".repeat(20)].map(hex);
const BLOCK = { number: 104, hash: hex("04".repeat(32)), parent_hash: hex("03".repeat(32)), time: 1_767_571_200 };
/** EIP-1967, "Logic contract address" and "Beacon contract address". */
const IMPLEMENTATION_SLOT = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const BEACON_SLOT = "a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 100, to: 104 }, { blocks: dailyBlocks(104) });
  await store.writer.insert("labels", [
    {
      network: "demo",
      address: bytesOf(PERSON),
      source: "test",
      label: "A person",
      category: "public_figure",
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

const contextOf = (states: Readonly<Record<string, FixedState>>) =>
  callContext({
    facts: store.facts,
    chain: (id: string) => fixedChain({ blocks: [BLOCK], ...states[id], network: { ...states[id]?.network, id } }),
    networks: Object.keys(states),
  });

const runOn = (address: Hex, states: Readonly<Record<string, FixedState>>, network = "all") =>
  runTool(getWalletAccountMeta, { address: `0x${address}`, network }, contextOf(states));

const accountOf = async (address: Hex, state: FixedState) => {
  const outcome = await runOn(address, { demo: state });
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  const [account] = getWalletAccountMeta.output.parse(outcome.data).accounts;
  return account;
};

const withCode = (code: Hex, rest: FixedState = {}): FixedState => ({
  ...rest,
  accounts: { [CONTRACT]: { code: bytesOf(code) } },
});

/** Answers by function signature. */
const answering = (answers: Readonly<Record<string, Hex>>): Pick<FixedState, "answer"> => ({
  answer: ({ data }) => {
    const found = Object.entries(answers).find(([signature]) => selectorOf(signature) === data);
    return found === undefined ? { ok: false, data: "" } : { ok: true, data: found[1] };
  },
});

test("a plain account has a balance, nonce and label", async () => {
  expect(
    await accountOf(PERSON, { accounts: { [PERSON]: { balance: 1_500_000_000_000_000_000n, nonce: 3 } } }),
  ).toEqual({
    network: "demo",
    chain_id: "eip155:31337",
    block_number: 104,
    exists: true,
    account_type: "eoa",
    is_contract: false,
    native_balance: 1.5,
    native_balance_raw: "1500000000000000000",
    native_symbol: "ETH",
    usd_value: null,
    nonce: 3,
    code_hash: null,
    delegated_to: null,
    proxy_implementation: null,
    safe: null,
    erc4337: null,
    owner_program: null,
    executable: null,
    lamports: null,
    data_len: null,
    rent_epoch: null,
    activated: null,
    frozen_v2: null,
    bandwidth: null,
    energy: null,
    owner_permission: null,
    active_permissions: null,
    label: "A person",
  });
});

const NOTHING_MORE = { exists: true, kind: null, program: null, resources: null, nonce: 0, code: bytesOf("") };

test("names the program that owns an account, and its code has no hash of the EVM", async () => {
  const program = { owner_program: TARGET, executable: true, data_len: 36, rent_epoch: 2n ** 64n - 1n };
  const described = {
    ...NOTHING_MORE,
    kind: "program" as const,
    balance: 1_141_440n,
    code: bytesOf(hex("02")),
    program,
  };
  const network = { has_nonces: false, native: { symbol: "SOL", decimals: 9 } };
  expect(await accountOf(CONTRACT, { network, described: { [CONTRACT]: described } })).toMatchObject({
    account_type: "program",
    is_contract: true,
    native_balance: 0.00114144,
    nonce: null,
    code_hash: null,
    owner_program: `0x${TARGET}`,
    executable: true,
    lamports: 1_141_440,
    data_len: 36,
    rent_epoch: "18446744073709551615",
    activated: null,
  });
});

test("reports stakes, resources and permissions, and no negative remainder of a resource", async () => {
  const keys = OWNERS.map((address) => ({ address, weight: 2 }));
  const shared = { name: "owner", threshold: 4, keys };
  const resources = {
    frozen_v2: [{ resource: "energy" as const, amount: 2_400_000_000n }],
    bandwidth: { free_limit: 600, free_used: 268, staked_limit: 10, staked_used: 30 },
    energy: { limit: 24_000, used: 65 },
    caller_energy_percent: null,
    owner_permission: shared,
    active_permissions: [{ ...shared, id: 2, operations: hex("7f".repeat(32)) }],
  };
  const described = { ...NOTHING_MORE, kind: "tron_multisig" as const, balance: 5n, resources };
  const network = { has_nonces: false, native: { symbol: "TRX", decimals: 6 } };
  const shown = { name: "owner", threshold: 4, keys: OWNERS.map((owner) => ({ address: `0x${owner}`, weight: 2 })) };
  expect(await accountOf(PERSON, { network, described: { [PERSON]: described } })).toMatchObject({
    account_type: "tron_multisig",
    activated: true,
    frozen_v2: [{ resource: "energy", amount: 2_400, amount_raw: "2400000000" }],
    // 600 - 268 free, and nothing of the stake.
    bandwidth: { available: 332 },
    energy: { limit: 24_000, used: 65, available: 23_935 },
    owner_permission: shown,
    active_permissions: [{ ...shown, id: 2, operations: hex("7f".repeat(32)) }],
    owner_program: null,
  });
});

test("an account that its chain does not keep is no data, whatever tokens may have been sent there", async () => {
  const described = { ...NOTHING_MORE, exists: false, balance: 0n };
  const outcome = await runOn(PERSON, { demo: { described: { [PERSON]: described } } });
  expect(outcome).toMatchObject({ kind: "no_data", type: "account_meta" });
});

test("a delegated account names its delegate and is not a contract", async () => {
  expect(await accountOf(CONTRACT, withCode(hex(`ef0100${TARGET}`)))).toMatchObject({
    account_type: "eoa_7702",
    is_contract: false,
    delegated_to: `0x${TARGET}`,
  });
  // A byte more is ordinary code.
  expect(await accountOf(CONTRACT, withCode(hex(`ef0100${TARGET}00`)))).toMatchObject({
    account_type: "contract",
    delegated_to: null,
  });
});

test("the target of a proxy is found in its slot, behind its beacon and in its code", async () => {
  // f4 is DELEGATECALL: the slots of code without it are not read.
  const direct = withCode(hex("f4"), { storage: { [`${CONTRACT}:${IMPLEMENTATION_SLOT}`]: wordOf(TARGET) } });
  const beacon = withCode(hex("f4"), {
    storage: { [`${CONTRACT}:${BEACON_SLOT}`]: wordOf(PERSON) },
    ...answering({ "implementation()": wordOf(TARGET) }),
  });
  const minimal = withCode(hex(`363d3d373d3d3d363d73${TARGET}5af43d82803e903d91602b57fd5bf3`));
  for (const state of [direct, beacon, minimal]) {
    expect((await accountOf(CONTRACT, state))?.proxy_implementation).toBe(`0x${TARGET}`);
  }
  for (const code of [hex("00"), hex("f4")]) {
    expect((await accountOf(CONTRACT, withCode(code)))?.proxy_implementation).toBeNull();
  }
});

const safeAnswers = (threshold: bigint) => ({
  "VERSION()": concatHex(wordOf(32n), tailOf(new TextEncoder().encode("1.4.1"))),
  "getThreshold()": wordOf(threshold),
  "getOwners()": concatHex(wordOf(32n), wordOf(3n), ...OWNERS.map(wordOf)),
});

test("a Safe has owners and a threshold, and a contradictory one is only a contract", async () => {
  const storage = { [`${CONTRACT}:${wordOf(0n)}`]: wordOf(TARGET) };
  expect(await accountOf(CONTRACT, withCode(hex("00"), { storage, ...answering(safeAnswers(2n)) }))).toMatchObject({
    account_type: "safe",
    safe: { version: "1.4.1", threshold: 2, owners: OWNERS.map((owner) => `0x${owner}`) },
    proxy_implementation: `0x${TARGET}`,
  });
  for (const threshold of [0n, 4n]) {
    const account = await accountOf(CONTRACT, withCode(hex("00"), answering(safeAnswers(threshold))));
    expect(account).toMatchObject({ account_type: "contract", safe: null });
  }
});

test("distinguishes smart accounts and tokens from other contracts", async () => {
  const smart = withCode(hex("00"), answering({ "entryPoint()": wordOf(TARGET) }));
  expect(await accountOf(CONTRACT, smart)).toMatchObject({
    account_type: "erc4337",
    erc4337: { entry_point: `0x${TARGET}` },
  });
  const token = withCode(hex("00"), { tokens: { [CONTRACT]: { standard: "erc20" } } });
  expect(await accountOf(CONTRACT, token)).toMatchObject({ account_type: "token", is_contract: true });
});

test("only networks on which the account exists are listed, indexed or not", async () => {
  const states = { demo: {}, other: { accounts: { [PERSON]: { nonce: 1 } } } };
  const outcome = await runOn(PERSON, states);
  expect(outcome).toMatchObject({ kind: "data", data: { accounts: [{ network: "other", label: null }] } });
});

test("an account that exists nowhere is no data, but not while a network is silent", async () => {
  expect(await runOn(PERSON, { demo: {} })).toMatchObject({ kind: "no_data", type: "account_meta" });
  expect(await runOn(PERSON, { demo: {}, other: { down: true } })).toMatchObject({
    kind: "error",
    code: "UPSTREAM_UNAVAILABLE",
  });
  await expect(runOn(PERSON, { other: { down: true } }, "other")).rejects.toMatchObject({
    code: "UPSTREAM_UNAVAILABLE",
  });
});

test("found beside a silent network is data with a warning", async () => {
  const outcome = await runOn(PERSON, { demo: { accounts: { [PERSON]: { nonce: 1 } } }, other: { down: true } });
  expect(outcome).toMatchObject({
    kind: "data",
    data: { metadata: { chain: "all", warnings: [{ code: "NETWORK_UNAVAILABLE" }] } },
  });
});

test("the same account at the same block gives the same bytes", async () => {
  const states = { demo: withCode(hex("00"), answering(safeAnswers(2n))) };
  expect(JSON.stringify(await runOn(CONTRACT, states))).toBe(JSON.stringify(await runOn(CONTRACT, states)));
});
