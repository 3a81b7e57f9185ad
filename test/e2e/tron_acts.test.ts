// @long: alone
/** Single transactions of Tron: answers compared with the node's own JSON. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import { formatAddress } from "../../src/chains/tron/address.ts";
import type { TronJson } from "../../src/demo/tron/shapes.ts";
import { hex, keccak256, toHex } from "../../src/lib/bytes.ts";
import { startTronWorld, type TronWorld } from "../tron/traffic.ts";
import { caughtUp, openTestService, type TestService } from "./served_world.ts";

const ID = "demo-tron";
/** The address of twenty zero bytes, which stands for no address. */
const VOID = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";

let world: TronWorld;
let stage: TestService;
/** Every transaction of the chain with its info, as returned by the node. */
let told: readonly { readonly transaction: TronJson; readonly info: TronJson }[];

const base58 = (name: string): string => formatAddress(hex(world.stage.address(name).slice(2).toLowerCase()));

const requestNode = async (path: string, question: TronJson): Promise<TronJson> => {
  const answer = await fetch(`${world.facade.url}${path}`, { method: "POST", body: JSON.stringify(question) });
  return (await answer.json()) as TronJson; // java-tron answers objects and lists
};

const readChain = async (): Promise<typeof told> => {
  const { block_header } = (await requestNode("/wallet/getblock", {})) as { block_header: { raw_data: TronJson } };
  const numbers = Array.from({ length: Number(block_header.raw_data.number) }, (_, i) => i + 1);
  const blocks = await Promise.all(
    numbers.map(async (num) => {
      const { transactions = [] } = await requestNode("/wallet/getblockbynum", { num });
      const infos = (await requestNode("/wallet/gettransactioninfobyblocknum", {
        num,
      })) as unknown as readonly TronJson[];
      return (transactions as readonly TronJson[]).map((transaction, i) => ({ transaction, info: infos[i] ?? {} }));
    }),
  );
  return blocks.flat();
};

beforeAll(async () => {
  world = await startTronWorld({ seed: 9, acts: 20 });
  const network = networkFromConfig({
    id: ID,
    family: "tron",
    chain_id: world.facade.chain_id,
    native: { symbol: "TRX", decimals: 6 },
    wrapped_native: base58("wtrx"),
    stablecoins: [{ symbol: "USDT", address: base58("usdt") }],
    finality_blocks: 5,
  });
  const rpc = [world.facade.url];
  const enabled = { network, rpc, from_block: 0, to_block: null, poll_ms: 200, venues: [], openings: "skip" } as const;
  stage = await openTestService({ networks: [enabled] });
  await caughtUp(stage.service);
  told = await readChain();
}, 300_000);

afterAll(async () => {
  await stage?.close();
  await world?.stop();
});

interface ActContract {
  readonly type: string;
  readonly parameter: { readonly value: TronJson };
}
const contractOf = ({ transaction }: (typeof told)[number]): ActContract =>
  (transaction.raw_data as { contract: readonly [ActContract] }).contract[0]; // as `transactionOf` makes them

const firstOf = (
  type: string,
  accepts: (value: TronJson, info: TronJson) => boolean = () => true,
): (typeof told)[number] => {
  const found = told.find((one) => {
    const contract = contractOf(one);
    return contract.type === type && accepts(contract.parameter.value, one.info);
  });
  if (found === undefined) throw new Error(`there is no ${type}`);
  return found;
};

const analyze = async (one: (typeof told)[number]) => {
  const { status, body } = await stage.ask("analyze_transaction", { tx_hash: String(one.transaction.txID) });
  expect({ status, answer: body.status === "error" ? body : "data" }).toEqual({ status: 200, answer: "data" });
  return body;
};

const calls = (selector: string, name: string) => (value: TronJson) =>
  String(value.data).startsWith(selector) &&
  value.contract_address === `41${world.stage.address(name).slice(2).toLowerCase()}`;

describe("analyze_transaction on Tron", () => {
  test("shows a TRC-20 transfer with its energy, its kind, and the gains", async () => {
    const one = firstOf("TriggerSmartContract", calls("a9059cbb", "usdt"));
    const body = await analyze(one);
    const { receipt, fee } = one.info as { receipt: { energy_usage_total: number }; fee: number };
    expect(body).toMatchObject({
      ...{ network: ID, tx_hash: one.transaction.txID, status: "success", category: "transfer" },
      ...{ from: { address: base58("carol") }, to: { address: base58("usdt"), is_contract: true } },
      method: { selector: "0xa9059cbb", name: "transfer" },
      transfers: [{ kind: "trc20", token: base58("usdt"), from: base58("carol"), to: base58("bob"), amount: 5_000 }],
      fee: { native_amount_raw: String(fee), energy: receipt.energy_usage_total, bandwidth: 0, gas_used: null },
      candidates: [{ network: ID, status: "success" }],
    });
    expect(body.asset_changes.map(({ address, amount }: TronJson) => [address, amount])).toEqual([
      [base58("carol"), -5_000],
      [base58("bob"), 5_000],
    ]);
  });

  test("names payments of TRX and of TRC-10 by their contracts", async () => {
    const paid = firstOf("TransferContract");
    const { amount } = contractOf(paid).parameter.value;
    expect(await analyze(paid)).toMatchObject({
      ...{ category: "transfer", method: { selector: null, name: "TransferContract" } },
      transfers: [{ kind: "native", token: "native", amount_raw: String(amount) }],
    });
    const sent = firstOf("TransferAssetContract");
    expect(await analyze(sent)).toMatchObject({
      ...{ category: "transfer", transfers: [{ kind: "trc10", token: "1000001", from: base58("alice") }] },
    });
  });

  test("subtracts a stake from the balance, and moves nothing for a vote", async () => {
    expect(await analyze(firstOf("FreezeBalanceV2Contract"))).toMatchObject({
      ...{ category: "stake", method: { name: "FreezeBalanceV2Contract" } },
      transfers: [{ kind: "native", from: base58("alice"), to: VOID, amount: 700 }],
      asset_changes: [{ address: base58("alice"), amount: -700 }],
    });
    expect(await analyze(firstOf("VoteWitnessContract"))).toMatchObject({ category: "governance", transfers: [] });
  });

  test("shows inner calls without a depth, and their payments", async () => {
    const one = firstOf(
      "TriggerSmartContract",
      (value, { internal_transactions, result }) =>
        calls(toHex(keccak256(Buffer.from("forward(address,bytes)"))).slice(0, 8), "forwarder")(value) &&
        internal_transactions !== undefined &&
        result === undefined,
    );
    const body = await analyze(one);
    const { call_value } = contractOf(one).parameter.value;
    expect(body.internal_calls).toMatchObject([
      { depth: null, kind: "call", from: base58("forwarder"), value_raw: String(call_value), succeeded: true },
    ]);
    // From the sender to the forwarder, and from it to the final recipient: the forwarder keeps nothing.
    expect(body.transfers.map(({ kind }: TronJson) => kind)).toEqual(["native", "internal"]);
    expect(body.asset_changes).toHaveLength(2);
    expect(body.metadata.coverage.traces).toBe(true);
  });

  test("shows a failure with the contract's own error, and without movements", async () => {
    const one = firstOf("TriggerSmartContract", (_, { result }) => result === "FAILED");
    const body = await analyze(one);
    const selector = toHex(keccak256(Buffer.from("Refused(uint256)"))).slice(0, 8);
    expect(body).toMatchObject({
      ...{ status: "failed", transfers: [], asset_changes: [] },
      revert: { reason: null, selector: `0x${selector}`, failed_at_depth: null },
    });
    expect(body.internal_calls.every(({ succeeded }: { succeeded: boolean }) => !succeeded)).toBe(true);
  });

  test("takes a hash without 0x here", async () => {
    const tx_hash = `0x${String(told[0]?.transaction.txID)}`;
    const { status, body } = await stage.ask("analyze_transaction", { tx_hash, network: ID });
    expect([status, body.detail]).toEqual([422, expect.stringContaining("64 hex digits without 0x")]);
  });
});

test("names the deployer of a TRC-20 token as its developer, with the remaining holding", async () => {
  const asked = { token_address: base58("minted"), network: ID };
  const { status, body } = await stage.ask("analyze_token_developer", asked);
  expect([status, body.status ?? "data"]).toEqual([200, "data"]);
  const [supply, held] = await Promise.all([
    world.stage.read("minted", "totalSupply() view returns (uint256)"),
    world.stage.read("minted", "balanceOf(address) view returns (uint256)", ["@alice"]),
  ]);
  expect(body).toMatchObject({
    ...{ token: { address: base58("minted") }, developer: { address: base58("alice") } },
    ...{ holdings: { developer_balance_raw: String(held) }, history: { tokens_launched: 1 } },
  });
  expect(body.holdings.developer_percent).toBeCloseTo((Number(held) / Number(supply)) * 100, 9);
});
