/**
 * Single transactions of a real node, also behind a proxy that lies. The expected figures follow from the transactions
 * sent here.
 */
import { createServer, type Server } from "node:http";
import { mnemonicToAccount } from "viem/accounts";
import { encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Anvil, startAnvil } from "../../demo/evm/anvil.ts";
import { projectCode } from "../../demo/evm/artifacts.ts";
import { MNEMONIC } from "../../demo/evm/characters.ts";
import type { HexText } from "../../demo/evm/rpc.ts";
import { EMPTY, type Hex, hex, keccak256, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { silentLog } from "../../lib/log.ts";
import { networkFromConfig } from "../networks/from_config.ts";
import type { OpenChain } from "../open_chain.ts";
import type { TransactionDetails } from "../transaction_details.ts";
import { openEvmChain } from "./chain.ts";

const signal = new AbortController().signal;
const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;
const account = mnemonicToAccount(MNEMONIC, { addressIndex: 0 });
const OTHER: HexText = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const forwarder_abi = parseAbi([
  "function refuse(uint256) payable",
  "function attempt(address,bytes) payable",
  "function split(address[],uint256) payable",
]);

type DetailsJson = Record<string, unknown>;
type ResultEdit = (method: string, result: unknown) => unknown;

let anvil: Anvil;
const servers: Server[] = [];
let spoil: ResultEdit = (_, result) => result;
const chains: OpenChain[] = [];
let forwarder: HexText;

const quantity = (value: bigint | number): HexText => `0x${value.toString(16)}`;

/** A proxy before anvil that changes answers with `spoil`. */
const startLiar = async (): Promise<string> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    // JSON-RPC requests of our own client.
    const calls = (Array.isArray(asked) ? asked : [asked]) as { id: number; method: string; params: unknown[] }[];
    const answers = await Promise.all(
      calls.map(async ({ id, method, params }) => {
        try {
          const result = spoil(method, await anvil.rpc.call(method, ...params));
          return result instanceof Error
            ? { jsonrpc: "2.0", id, error: { code: -32000, message: result.message } }
            : { jsonrpc: "2.0", id, result };
        } catch (error) {
          return { jsonrpc: "2.0", id, error: { code: -32000, message: String(error) } };
        }
      }),
    );
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the liar has no port");
  return `http://127.0.0.1:${address.port}`;
};

const open = async (url: string): Promise<OpenChain> => {
  const network = networkFromConfig({ id: "demo" });
  const options = { rpc: [url], log: silentLog, attempts_max: 2, timeout_ms: 5_000 };
  const chain = await openEvmChain(network, options, signal);
  chains.push(chain);
  return chain;
};

beforeAll(async () => {
  anvil = await startAnvil({
    chain_id: 31_337,
    timestamp: 1_800_000_000,
    genesis: { [account.address]: 100n * ETHER },
  });
  const made = await send({ data: projectCode("Forwarder") });
  forwarder = made.contractAddress;
});
afterAll(async () => {
  await Promise.all(chains.map((chain) => chain.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await anvil.stop();
});

const send = async (transaction: DetailsJson): Promise<{ transactionHash: HexText; contractAddress: HexText }> => {
  const fees = { maxFeePerGas: quantity(3n * GWEI), maxPriorityFeePerGas: quantity(GWEI) };
  const sent = { from: account.address, gas: quantity(2_000_000), ...fees, ...transaction };
  // The answer of eth_sendTransactionSync is a receipt.
  return (await anvil.rpc.call("eth_sendTransactionSync", sent)) as {
    transactionHash: HexText;
    contractAddress: HexText;
  };
};

const plain = (text: string): Hex => hex(text.slice(2).toLowerCase());

const readDetails = async (hash: string, through?: ResultEdit): Promise<TransactionDetails> => {
  spoil = through ?? ((_, result) => result);
  const chain = await open(through === undefined ? anvil.url : await startLiar());
  const seen = await chain.transaction(plain(hash), signal);
  if (seen === null) throw new Error(`${hash} is unknown`);
  return seen;
};

const shape = (seen: TransactionDetails) =>
  seen.mined?.trace?.map(({ depth, kind, value, error, is_undone }) => [depth, kind, value, error !== null, is_undone]);

test("a payment has its block and its costs", async () => {
  const { transactionHash } = await send({ to: OTHER, value: quantity(ETHER) });
  const seen = await readDetails(transactionHash);
  expect([toHex(seen.sender), toHex(seen.recipient ?? seen.sender)]).toEqual([plain(account.address), plain(OTHER)]);
  expect(seen).toMatchObject({ value: ETHER, authorizations: [] });
  const { mined } = seen;
  expect(mined?.transaction).toMatchObject({ succeeded: true, gas_used: 21_000n, index: 0, logs: [] });
  // The tip offered is paid whole while base fee and tip stay below the cap.
  expect(mined?.cost).toMatchObject({ unit: "gas", priority_price: GWEI, layer1_fee: null, is_layer1_gas: false });
  expect(mined?.transaction.fee).toBe(21_000n * (mined?.cost.unit === "gas" ? mined.cost.price : 0n));
  expect(shape(seen)).toEqual([[0, "call", ETHER, false, false]]);
});

test("data on layer 1 is a part beside gas, or gas, as the receipt states it", async () => {
  const { transactionHash } = await send({ to: OTHER, value: quantity(ETHER) });
  const stating = (more: Record<string, string>) =>
    readDetails(transactionHash, (method, result) =>
      method === "eth_getTransactionReceipt" && typeof result === "object" ? { ...result, ...more } : result,
    );
  const plainly = await readDetails(transactionHash);
  const price = plainly.mined?.cost.unit === "gas" ? plainly.mined.cost.price : 0n;
  // OP Stack: 5,000 for layer 1, and 21,000 * 1,000,000 / 1e6 + 7 = 21,007 for the operator.
  const op = await stating({
    l1Fee: quantity(5_000),
    operatorFeeScalar: quantity(1_000_000),
    operatorFeeConstant: quantity(7),
  });
  expect(op.mined?.cost).toMatchObject({ layer1_fee: 5_000n, is_layer1_gas: false });
  expect(op.mined?.transaction).toMatchObject({ operator_fee: 21_007n, fee: 21_000n * price + 5_000n + 21_007n });
  // Arbitrum: 1,000 of the 21,000 gas; the fee is that of the gas alone.
  const nitro = await stating({ gasUsedForL1: quantity(1_000) });
  expect(nitro.mined?.cost).toMatchObject({ layer1_fee: 1_000n * price, is_layer1_gas: true });
  expect(nitro.mined?.transaction.fee).toBe(21_000n * price);
});

test("a failure three calls deep is reported call by call, with its payload, in both trace formats", async () => {
  const data = encodeFunctionData({ abi: forwarder_abi, functionName: "refuse", args: [2n] });
  const { transactionHash } = await send({ to: forwarder, data, value: quantity(5) });
  const seen = await readDetails(transactionHash);
  expect(seen.mined?.transaction).toMatchObject({ succeeded: false, calls: [] });
  expect(shape(seen)).toEqual([0, 1, 2].map((depth) => [depth, "call", 5n, true, true]));
  // Refused(0) passed up: the selector and a word of zero.
  const payload = `${toHex(keccak256(new TextEncoder().encode("Refused(uint256)"))).slice(0, 8)}${"0".repeat(64)}`;
  expect(seen.mined?.trace?.map(({ output }) => toHex(output ?? EMPTY))).toEqual([payload, payload, payload]);
  const flat = await readDetails(transactionHash, (method, result) =>
    method.startsWith("debug_") ? new Error("method not found") : result,
  );
  expect(shape(flat)).toEqual(shape(seen));
});

test("calls that an inner failure undid are marked, the calls beside them are not", async () => {
  const refuse = encodeFunctionData({ abi: forwarder_abi, functionName: "refuse", args: [0n] });
  const data = encodeFunctionData({ abi: forwarder_abi, functionName: "attempt", args: [forwarder, refuse] });
  const { transactionHash } = await send({ to: forwarder, data, value: quantity(7) });
  const seen = await readDetails(transactionHash);
  expect(seen.mined?.transaction).toMatchObject({ succeeded: true, calls: [] });
  expect(shape(seen)).toEqual([
    [0, "call", 7n, false, false],
    [1, "call", 7n, true, true],
  ]);
});

test("a node without traces returns the rest, and says so", async () => {
  const { transactionHash } = await send({ to: OTHER, value: quantity(3) });
  const seen = await readDetails(transactionHash, (method, result) =>
    /trace/.test(method) ? new Error("method not found") : result,
  );
  expect(seen.mined?.trace).toBeNull();
  expect(seen.mined?.transaction.value).toBe(3n);
});

test("with a pruned receipt or trace is an error and never empty", async () => {
  const { transactionHash } = await send({ to: OTHER, value: quantity(1) });
  const failure = async (through: ResultEdit) => {
    const error = await readDetails(transactionHash, through).catch((reason: unknown) => reason);
    if (!(error instanceof AssayError)) throw error;
    return error;
  };
  const no_receipt = await failure((method, result) => (method === "eth_getTransactionReceipt" ? null : result));
  expect([no_receipt.code, /receipt/.test(no_receipt.public)]).toEqual(["COVERAGE_INCOMPLETE", true]);
  const no_trace = await failure((method, result) =>
    method === "debug_traceTransaction" ? new Error("required historical state unavailable") : result,
  );
  expect([no_trace.code, /trace/.test(no_trace.public)]).toEqual(["COVERAGE_INCOMPLETE", true]);
});

test.each<[string, string, (result: DetailsJson) => DetailsJson]>([
  ["another transaction", "eth_getTransactionByHash", (tx) => ({ ...tx, hash: `0x${"11".repeat(32)}` })],
  ["a receipt of another block", "eth_getTransactionReceipt", (one) => ({ ...one, blockHash: `0x${"22".repeat(32)}` })],
  ["a receipt of another place", "eth_getTransactionReceipt", (one) => ({ ...one, transactionIndex: "0x1" })],
  ["a receipt without its logs", "eth_getTransactionReceipt", (one) => ({ ...one, logs: [] })],
  ["a block that does not hold it", "eth_getBlockByHash", (block) => ({ ...block, transactions: [] })],
  ["a trace of another sender", "debug_traceTransaction", (trace) => ({ ...trace, from: OTHER })],
])("rejects %s", async (_, spoilt, change) => {
  const args = encodeAbiParameters(parseAbiParameters("string,string"), ["Cards", "CARD"]).slice(2);
  const { contractAddress } = await send({ data: `${projectCode("Collectible")}${args}` });
  const mint = parseAbi(["function mint(address)"]);
  // One Transfer.
  const { transactionHash } = await send({
    to: contractAddress,
    data: encodeFunctionData({ abi: mint, args: [OTHER] }),
  });
  expect((await readDetails(transactionHash)).mined?.transaction.logs).toHaveLength(1);
  const error = await readDetails(transactionHash, (method, result) =>
    // The results of these methods are objects.
    method === spoilt ? change(result as DetailsJson) : result,
  ).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});

test("an unknown hash is null, a waiting transaction has no block yet", async () => {
  const chain = await open(anvil.url);
  expect(await chain.transaction(hex("ab".repeat(32)), signal)).toBeNull();
  await anvil.rpc.call("evm_setAutomine", false);
  // The node's answer is the hash.
  const hash = (await anvil.rpc.call("eth_sendTransaction", {
    from: account.address,
    to: OTHER,
    value: quantity(9),
    gas: quantity(21_000),
  })) as HexText;
  expect(await chain.transaction(plain(hash), signal)).toMatchObject({ value: 9n, mined: null });
  await anvil.rpc.call("evm_mine");
  await anvil.rpc.call("evm_setAutomine", true);
  expect((await chain.transaction(plain(hash), signal))?.mined?.transaction.value).toBe(9n);
});

test("the delegating account (EIP-7702) is recovered from the signature", async () => {
  const signer = mnemonicToAccount(MNEMONIC, { addressIndex: 5 });
  const signed = await signer.signAuthorization?.({ address: forwarder, chainId: 31_337, nonce: 0 });
  if (signed === undefined) throw new Error("this account cannot sign authorizations");
  const authorization = {
    chainId: quantity(31_337),
    address: forwarder,
    nonce: "0x0",
    yParity: quantity(signed.yParity ?? 0),
    r: signed.r,
    s: signed.s,
  };
  const broken = { ...authorization, r: quantity(0) };
  const { transactionHash } = await send({ to: OTHER, authorizationList: [authorization, broken] });
  const { authorizations } = await readDetails(transactionHash);
  expect(authorizations.map(({ authority }) => (authority === null ? null : toHex(authority)))).toEqual([
    plain(signer.address),
    null,
  ]);
  expect(authorizations[0]).toMatchObject({ chain_id: 31_337n, nonce: 0n });
  expect(toHex(authorizations[0]?.delegate ?? new Uint8Array())).toBe(plain(forwarder));
});
