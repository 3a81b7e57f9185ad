// @long: alone
/** Expected answers about single transactions, creators and names of Solana, worked out by hand. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { solana } from "../../src/chains/networks/known.gen.ts";
import { TOKEN } from "../../src/demo/solana/made_transaction.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { type ActsScenario, QUIET_SLOTS, runScenario } from "../solana/acts_scenario.ts";
import { caughtUp, openTestService, type TestService } from "./served_world.ts";

let story: ActsScenario;
let stage: TestService;

beforeAll(async () => {
  story = await runScenario();
  await story.facade.start();
  const enabled: EnabledNetwork = {
    network: { ...solana, caip2: `solana:${story.facade.genesis.slice(0, 32)}` },
    rpc: [story.facade.url],
    from_block: 0,
    to_block: null,
    poll_ms: 200,
    venues: [],
    openings: "skip",
  };
  stage = await openTestService({ networks: [enabled] });
  await caughtUp(stage.service);
}, 180_000);

afterAll(async () => {
  await stage?.close();
  await story?.facade.close();
});

/** The answer of a tool, which must have data. */
const dataOf = async (tool: string, args: Readonly<Record<string, unknown>>) => {
  const { status, body } = await stage.ask(tool, args);
  expect({ status, answer: body.status === "error" ? body : "data" }).toEqual({ status: 200, answer: "data" });
  return body;
};

const analyze = (tx_hash: string) => dataOf("analyze_transaction", { tx_hash });

describe("analyze_transaction", () => {
  test("shows a payment with its amount, its compute units, and its priority fee", async () => {
    const { alice, bob, hashes } = story;
    const body = await analyze(hashes.paid);
    expect(body).toMatchObject({
      ...{ tx_hash: hashes.paid, network: "solana", status: "success", category: "transfer", finalized: true },
      from: { address: alice.address, is_contract: false },
      to: { address: "11111111111111111111111111111111", is_contract: true },
      method: { selector: "0x02000000", name: "transfer", signature: null, source: "signature_db" },
      transfers: [{ kind: "native", token: "native", from: alice.address, to: bob.address, amount: 2 }],
      // 5,000 for the signature and 10,000 for the price of the limit; three built-in instructions cost 150 units each.
      fee: { native_amount_raw: "15000", compute_units: 450, priority: 0.00001, gas_used: null, energy: null },
      ...{ revert: null, internal_calls: [], approvals: [], risk_flags: [] },
      candidates: [{ network: "solana", status: "success" }],
    });
    expect(body.asset_changes.map(({ address, amount_raw }: Record<string, unknown>) => [address, amount_raw])).toEqual(
      [
        [alice.address, "-2000000000"],
        [bob.address, "2000000000"],
      ],
    );
    // Three slots with a block follow, then forty skipped ones and the last one.
    expect(body.confirmations).toBeGreaterThan(QUIET_SLOTS);
    expect(body.summary_text).toBe(`${alice.address} made a transfer: 1 transfer between 2 addresses.`);
  });

  test("shows token movements between owners, not between token accounts", async () => {
    const { alice, bob, mint, hashes } = story;
    const body = await analyze(hashes.sent);
    expect(body).toMatchObject({
      ...{ category: "transfer", method: { selector: "0x0c", name: "transferChecked" } },
      transfers: [{ kind: "spl", token: mint.address, from: alice.address, to: bob.address, amount: 1.5 }],
    });
    expect(body.asset_changes.map(({ address, amount_raw }: Record<string, unknown>) => [address, amount_raw])).toEqual(
      [
        [alice.address, "-1500000"],
        [bob.address, "1500000"],
      ],
    );
  });

  test("shows a failure with its instruction and the program's message, and only the fee as a movement", async () => {
    const { bob, hashes } = story;
    const body = await analyze(hashes.failed);
    expect(body).toMatchObject({
      ...{ status: "failed", category: "transfer", transfers: [], asset_changes: [], actions: [] },
      from: { address: bob.address },
      fee: { native_amount_raw: "5000", priority: 0 },
      revert: {
        // The token program's error 1.
        reason: "Error processing Instruction 1: custom program error: 0x1; Error: insufficient funds",
        ...{ selector: null, failed_at_depth: 0 },
      },
      // The transfer of the token follows the payment, which `to` and `method` show.
      internal_calls: [{ depth: 0, kind: "call", to: TOKEN, method: "transferChecked", succeeded: false }],
    });
  });

  test("shows a delegate as a permission over the owner's tokens", async () => {
    const { alice, bob, mint, hashes } = story;
    const body = await analyze(hashes.allowed);
    const right = { token: mint.address, owner: bob.address, spender: alice.address, amount: 0.25, kind: "spl" };
    expect(body).toMatchObject({
      ...{ category: "approval", method: { name: "approve" }, transfers: [] },
      approvals: [{ ...right, is_unlimited: false }],
      actions: [{ type: "approve", actor: bob.address, contract: alice.address }],
    });
  });

  test("shows a new mint as a deployment, and minted coins without a source", async () => {
    const { alice, mint, hashes } = story;
    const body = await analyze(hashes.minted);
    expect([body.category, body.method.name]).toEqual(["deploy", "createAccount"]);
    expect(body.actions).toMatchObject([{ type: "deploy", actor: alice.address, contract: mint.address }]);
    const tokens = body.asset_changes.filter(({ token: of }: { token: string }) => of === mint.address);
    expect(tokens).toMatchObject([{ address: alice.address, amount: 5, amount_raw: "5000000" }]);
  });

  test("has no data for an unknown signature, and rejects another form of hash free of charge", async () => {
    const absent = await stage.ask("analyze_transaction", { tx_hash: `${"1".repeat(63)}2` });
    expect([absent.status, absent.body.status]).toEqual([200, "no_data"]);
    const evm = await stage.ask("analyze_transaction", { tx_hash: `0x${"ab".repeat(32)}`, network: "solana" });
    expect([evm.status, evm.body.detail]).toEqual([
      422,
      expect.stringContaining("first signature, base58 of 64 bytes"),
    ]);
  });
});

describe("creators", () => {
  test("deployed a mint that they paid for, which has no code and is live", async () => {
    const { alice, mint, hashes } = story;
    const body = await dataOf("get_wallet_deployed_contracts", { address: alice.address, network: "solana" });
    expect(body.data).toMatchObject([
      {
        ...{ contract_address: mint.address, kind: "spl_mint", via: null, tx_hash: hashes.minted },
        ...{ code_hash: null, is_proxy: null, is_verified: null, is_self_destructed: false },
        // Alice and Bob; it was never listed anywhere.
        token: { holders_count: 2, outcome: null },
      },
    ]);
    expect(body.summary).toMatchObject({ total: 1, tokens: 1, verified: null, destroyed: 0, distinct_code: null });
    const unknown = body.unavailable.map(({ field }: { field: string }) => field);
    expect(unknown).toEqual(expect.arrayContaining(["data[].code_hash", "summary.verified", "summary.distinct_code"]));
    const [{ created_at }] = body.data;
    const info = await dataOf("get_token_info", { token_address: mint.address, network: "solana" });
    expect([info.creator, info.created_at]).toEqual([alice.address, created_at]);
  });

  test("have no data without a mint", async () => {
    const asked = { address: story.bob.address, network: "solana" };
    const { status, body } = await stage.ask("get_wallet_deployed_contracts", asked);
    expect([status, body.status]).toEqual([200, "no_data"]);
  });
});

describe("analyze_token_developer", () => {
  test("shows the creator of the mint, its remaining holding, and who can mint more", async () => {
    const { alice, mint, hashes } = story;
    const body = await dataOf("analyze_token_developer", { token_address: mint.address, network: "solana" });
    expect(body).toMatchObject({
      token: { address: mint.address, network: "solana", creation_tx: hashes.minted },
      developer: { address: alice.address, is_contract_factory: false },
      // 3.5 of 5 million base units are left.
      holdings: { developer_balance: 3.5, developer_balance_raw: "3500000", developer_percent: 70 },
      developer_actions: { ownership: "eoa", mint_after_launch_raw: null },
      history: { tokens_launched: 1, rugged: 0 },
      networks_searched: ["solana"],
    });
    // The mint and the token accounts that Alice paid for are no wallets; Bob got tokens and is one.
    expect(body.holdings.linked_wallets).toMatchObject([
      { address: story.bob.address, relation: "received_before_trade" },
    ]);
  });
});

describe("resolve_name", () => {
  test("resolves a name that ends in .sol to its owner, whose primary name it is", async () => {
    const { alice } = story;
    const named = {
      ...{ normalized_name: "alice.sol", service: "sns", network: "solana", address: alice.address },
      ...{ owner: alice.address, addresses: { "501": alice.address }, reverse_verified: true, alternatives: [] },
      ...{ expires_at: null, via_ccip: false },
    };
    expect(await dataOf("resolve_name", { name: "Alice.sol" })).toMatchObject({ ...named, name: "Alice.sol" });
    expect(await dataOf("resolve_name", { name: alice.address })).toMatchObject({ ...named, name: alice.address });
  });

  test("has no data for an unregistered name, and for an address without one", async () => {
    for (const name of ["nobody.sol", "a.b.c.sol", story.bob.address]) {
      const { status, body } = await stage.ask("resolve_name", { name });
      expect([name, status, body.status]).toEqual([name, 200, "no_data"]);
    }
  });
});

test("lists the name among the public facts of the address, and on its profile", async () => {
  const { alice } = story;
  const osint = await dataOf("get_wallet_osint_record", { wallet_address: alice.address });
  expect(osint.names).toEqual({ ens: null, basename: null, sns: "alice.sol" });
  expect(osint.records).toMatchObject([{ kind: "name", value: "alice.sol", source: "sns", network: "solana" }]);
  const profile = await dataOf("get_wallet_address_profile", { address: alice.address, network: "solana" });
  expect(profile.identity.names).toMatchObject({ ens: null, sns: "alice.sol" });
  expect(profile.deployed_contracts_count).toBe(1);
});
