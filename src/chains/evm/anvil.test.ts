/** A real node: anvil with real contracts. The expected figures follow from the transactions sent here. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Abi, concat, encodeAbiParameters, encodeFunctionData, type Hex as Hex0x, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromHex, type Hex, hex, keccak256, toHex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import type { KnownAccount } from "../account_history.ts";
import { networkFromConfig } from "../networks/from_config.ts";
import type { OpenChain } from "../open_chain.ts";
import { openEvmChain } from "./chain.ts";

const ETHER = 10n ** 18n;
const FIRST_BLOCK = 23_600_000;
/** The first two accounts of anvil's well-known mnemonic. */
const SENDER = hex("f39fd6e51aad88f6f4ce6ab8827279cfffb92266");
const OTHER = hex("70997970c51812dc3a010c7d01b50e0d17dc79c8");
const FRESH = hex("00000000000000000000000000000000000f4e54");
const signal = new AbortController().signal;

let anvil: ChildProcess;
let url = "";
let chain: OpenChain;
const made: Record<string, Hex> = {};

const rpc = async <T>(method: string, ...params: unknown[]): Promise<T> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  // JSON-RPC by anvil; the callers below name the result types.
  const json = (await answer.json()) as { result?: T; error?: { message: string } };
  if (json.result === undefined) throw new Error(`${method}: ${json.error?.message}`);
  return json.result;
};

interface AnvilReceipt {
  readonly blockNumber: Hex0x;
  readonly contractAddress: Hex0x | null;
}

const send = async (transaction: { to?: Hex; data?: Hex0x; value?: bigint }): Promise<AnvilReceipt> => {
  const { to, data, value } = transaction;
  return rpc<AnvilReceipt>("eth_sendTransactionSync", {
    from: `0x${SENDER}`,
    gas: "0x4c4b40",
    ...(to === undefined ? {} : { to: `0x${to}` }),
    ...(data === undefined ? {} : { data }),
    ...(value === undefined ? {} : { value: `0x${value.toString(16)}` }),
  });
};

interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex0x;
}

const artifact = (name: string): Artifact => {
  const path = new URL(`../../../contracts/artifacts/${name}.json`, import.meta.url);
  const json: { abi: Abi; bytecode: string } = JSON.parse(readFileSync(path, "utf8"));
  return { abi: json.abi, bytecode: `0x${json.bytecode.replace(/^0x/, "")}` };
};

const deploy = async (name: string, code: Hex0x): Promise<Hex> => {
  const { contractAddress } = await send({ data: code });
  const address = hex(contractAddress?.slice(2) ?? "");
  made[name] = address;
  return address;
};

const text = (value: string) => ({ type: "string", value });
const withArguments = (code: Hex0x, args: readonly { type: string; value: unknown }[]): Hex0x =>
  concat([
    code,
    encodeAbiParameters(
      args.map(({ type }) => ({ type })),
      args.map(({ value }) => value),
    ),
  ]);

const FORWARDER = parseAbi([
  "function attempt(address target, bytes data) payable returns (bool)",
  "function refuse(uint256 depth) payable",
  "function split(address[] targets, uint256 each) payable",
  "function spin() payable",
]);
const FACTORY = parseAbi([
  "function make(bytes32 salt) payable returns (address)",
  "function flash(address heir) payable",
]);

beforeAll(async () => {
  const require = createRequire(import.meta.url);
  const binary = require.resolve("@foundry-rs/anvil-linux-amd64/bin/anvil");
  anvil = spawn(binary, ["--port", "0", "--number", String(FIRST_BLOCK)], { stdio: ["ignore", "pipe", "inherit"] });
  url = await new Promise<string>((resolve, reject) => {
    let output = "";
    anvil.once("error", reject);
    anvil.once("exit", () => reject(new Error(`anvil ended: ${output}`)));
    anvil.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const address = /Listening on (\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(`http://${address}`);
    });
  });
  // Not exported by the package, which is the only npm package with Multicall3's bytecode.
  const constants = new URL("../../../node_modules/viem/_esm/constants/contracts.js", import.meta.url).href;
  const { multicall3Bytecode }: { multicall3Bytecode: Hex0x } = await import(constants);
  const plain = artifact("PlainToken").bytecode;
  await deploy("forwarder", artifact("Forwarder").bytecode);
  await deploy("factory", artifact("EphemeralFactory").bytecode);
  const supply = { type: "uint256", value: 5_000_000n };
  const owner = { type: "address", value: `0x${OTHER}` };
  await deploy("plain", withArguments(plain, [text("Plain"), text("PLN"), { type: "uint8", value: 6 }, supply, owner]));
  await deploy("broken", artifact("BrokenToken").bytecode);
  await deploy("collectible", withArguments(artifact("Collectible").bytecode, [text("Cats"), text("CAT")]));
  await deploy("multi", artifact("MultiToken").bytecode);
  const multicall = await deploy("multicall", multicall3Bytecode);
  const network = networkFromConfig({ id: "demo", multicall: `0x${multicall}` });
  chain = await openEvmChain(network, { rpc: [url], log: silentLog }, signal);
}, 60_000);

afterAll(async () => {
  await chain?.close();
  anvil?.kill();
});

const blockOf = async (receipt: AnvilReceipt) => {
  const [block] = await chain.blocks(Number(receipt.blockNumber), Number(receipt.blockNumber), signal);
  const transaction = block?.transactions[0];
  if (block === undefined || transaction === undefined) throw new Error("the block is empty");
  return { block, transaction };
};

const moves = (calls: readonly { kind: string; sender: Uint8Array; recipient: Uint8Array; value: bigint }[]) =>
  calls.map((call) => [call.kind, toHex(call.sender), toHex(call.recipient), call.value]);

test("the probe finds every capability of anvil, on a chain that starts at 23,600,000", async () => {
  const [report] = await chain.probe(signal);
  expect(report?.problem).toBeNull();
  expect(report?.traits).toMatchObject({
    chain_id: 31337,
    receipts: "block",
    traces: "debug_traceBlockByNumber",
    has_trace_block: true,
    archive: true,
  });
  expect(report?.traits?.client).toContain("anvil");
});

test("inner payments are in the order of execution", async () => {
  const data = encodeFunctionData({ abi: FORWARDER, functionName: "split", args: [[`0x${OTHER}`, `0x${FRESH}`], 7n] });
  const { transaction } = await blockOf(await send({ to: made.forwarder ?? "", data, value: 20n }));
  expect(transaction).toMatchObject({ value: 20n, succeeded: true });
  expect(moves(transaction.calls)).toEqual([
    ["call", made.forwarder, OTHER, 7n],
    ["call", made.forwarder, FRESH, 7n],
  ]);
});

test("payments that a caught failure undid are absent", async () => {
  // forwarder.attempt(forwarder, refuse(2)): three calls with 9 wei below the first, all undone.
  const refuse = encodeFunctionData({ abi: FORWARDER, functionName: "refuse", args: [2n] });
  const target: Hex0x = `0x${made.forwarder}`;
  const data = encodeFunctionData({ abi: FORWARDER, functionName: "attempt", args: [target, refuse] });
  const { transaction } = await blockOf(await send({ to: made.forwarder ?? "", data, value: 9n }));
  expect(transaction).toMatchObject({ succeeded: true, calls: [] });
});

test("a failed transaction pays its fee and moves nothing", async () => {
  const data = encodeFunctionData({ abi: FORWARDER, functionName: "refuse", args: [1n] });
  const { block, transaction } = await blockOf(await send({ to: made.forwarder ?? "", data, value: 9n }));
  expect(transaction).toMatchObject({ succeeded: false, calls: [], logs: [], created_contract: null });
  expect(transaction.fee).toBeGreaterThan(0n);
  expect(transaction.fee - transaction.tip).toBe((block.base_fee ?? 0n) * transaction.gas_used);
});

test("a creation inside a transaction has its code hash, and a self-destruct its heir", async () => {
  const salt: Hex0x = `0x${"11".repeat(32)}`;
  const make = encodeFunctionData({ abi: FACTORY, functionName: "make", args: [salt] });
  const { transaction } = await blockOf(await send({ to: made.factory ?? "", data: make, value: 5n }));
  const [created] = transaction.calls;
  expect(moves(transaction.calls)).toEqual([
    ["create2", made.factory, toHex(created?.recipient ?? new Uint8Array()), 5n],
  ]);
  const account = await chain.account(toHex(created?.recipient ?? new Uint8Array()), signal);
  expect(account.balance).toBe(5n);
  expect(toHex(created?.code_hash ?? new Uint8Array())).toBe(toHex(keccak256(account.code)));
  const init = fromHex(artifact("Ephemeral").bytecode) ?? new Uint8Array();
  expect(toHex(created?.init_hash ?? new Uint8Array())).toBe(toHex(keccak256(init)));

  const flash = encodeFunctionData({ abi: FACTORY, functionName: "flash", args: [`0x${FRESH}`] });
  const second = (await blockOf(await send({ to: made.factory ?? "", data: flash, value: 3n }))).transaction;
  const child = toHex(second.calls[0]?.recipient ?? new Uint8Array());
  expect(moves(second.calls)).toEqual([
    ["create", made.factory, child, 3n],
    ["selfdestruct", child, FRESH, 3n],
  ]);
});

test("the native moves of a block sum to the change of every balance", async () => {
  const before = Number(await rpc<string>("eth_blockNumber"));
  const receipt = await send({ to: FRESH, value: ETHER });
  const { block, transaction } = await blockOf(receipt);
  const at = Number(receipt.blockNumber);
  const [sender_then, fresh_then] = await chain.nativeBalances([SENDER, FRESH], signal, before);
  const [sender_now, fresh_now] = await chain.nativeBalances([SENDER, FRESH], signal, at);
  expect((fresh_now ?? 0n) - (fresh_then ?? 0n)).toBe(ETHER);
  expect((sender_then ?? 0n) - (sender_now ?? 0n)).toBe(ETHER + transaction.fee);
  expect(block.has_traces).toBe(true);
});

test("coins that an account with code passes on within a transaction are found by filtered traces", async () => {
  const address = made.forwarder ?? "";
  const after = Number(await rpc<string>("eth_blockNumber"));
  // Coins for another account, which arrive and leave in one transaction, then a call without coins.
  const data = encodeFunctionData({ abi: FORWARDER, functionName: "split", args: [[`0x${OTHER}`, `0x${FRESH}`], 7n] });
  const passed = Number((await send({ to: address, data, value: 14n })).blockNumber);
  const silent = encodeFunctionData({ abi: FORWARDER, functionName: "split", args: [[], 0n] });
  const to = Number((await send({ to: address, data: silent })).blockNumber);
  expect(await chain.nativeBalances([address], signal, after)).toEqual(
    await chain.nativeBalances([address], signal, to),
  );
  const search = { address: hex(address), after, to, is_followed: false };
  expect(await chain.past?.find(search, signal)).toMatchObject({ blocks: [passed], is_proven: true });
  const account = { address: hex(address), mark: null };
  const look = (accounts: readonly KnownAccount[]) => chain.past?.unchanged?.({ accounts, to }, signal);
  expect(await look([{ ...account, after }])).toEqual(new Map());
  expect((await look([{ ...account, after: passed }]))?.get(hex(address))).toMatchObject({ is_proven: true });
});

test("metadata of coins, collections and broken tokens is the same with and without Multicall3", async () => {
  const nobody = FRESH;
  const tokens = [made.plain, made.broken, made.collectible, made.multi, made.forwarder, nobody].map((at) => at ?? "");
  const silent = { name: null, symbol: null, decimals: null, total_supply: null, standard: null };
  const expected = [
    { standard: "erc20", name: "Plain", symbol: "PLN", decimals: 6, total_supply: 5_000_000n },
    // Control, bidirectional and invisible characters are removed; the symbol was bytes32.
    { standard: "erc20", name: "Broken nekoT<b>bold</b>", symbol: "BRK", decimals: null, total_supply: 1_000_000n },
    { standard: "erc721", name: "Cats", symbol: "CAT", decimals: null, total_supply: 0n },
    { ...silent, standard: "erc1155" },
    silent,
    silent,
  ].map((facts, i) => ({ token: tokens[i], ...facts, has_hidden: tokens[i] === made.broken }));
  expect(await chain.tokenMetadata(tokens, signal)).toEqual(expected);
  const bare = await openEvmChain(networkFromConfig({ id: "demo" }), { rpc: [url], log: silentLog }, signal);
  expect(await bare.tokenMetadata(tokens, signal)).toEqual(expected);
  await bare.close();
});

test("a contract that uses all gas does not affect the others", async () => {
  const spin = hex(encodeFunctionData({ abi: FORWARDER, functionName: "spin" }).slice(2));
  const supply = { to: made.plain ?? "", data: hex("18160ddd") };
  const results = await chain.call([{ to: made.forwarder ?? "", data: spin }, supply, supply, supply, supply], signal);
  expect(results.map((result) => result.ok)).toEqual([false, true, true, true, true]);
});

test("a revert is a result with its payload, and balances of contracts that are not tokens are null", async () => {
  const data = hex(encodeFunctionData({ abi: FORWARDER, functionName: "refuse", args: [0n] }).slice(2));
  const [refused] = await chain.call([{ to: made.forwarder ?? "", data, from: OTHER }], signal);
  // Refused(0): selector and one word.
  expect(refused?.ok).toBe(false);
  expect(toHex(refused?.data ?? new Uint8Array())).toBe(
    `${toHex(keccak256(Buffer.from("Refused(uint256)"))).slice(0, 8)}${"0".repeat(64)}`,
  );
  const pairs = [made.plain, made.forwarder, FRESH].map((token) => ({ token: token ?? "", holder: OTHER }));
  expect(await chain.tokenBalances(pairs, signal)).toEqual([5_000_000n, null, null]);
});

test("state is read at a block, also before Multicall3 was deployed", async () => {
  const plain = made.plain ?? "";
  const pairs = Array.from({ length: 6 }, () => ({ token: plain, holder: OTHER }));
  expect(await chain.tokenBalances(pairs, signal, FIRST_BLOCK)).toEqual(pairs.map(() => null));
  expect((await chain.account(plain, signal, FIRST_BLOCK)).code).toHaveLength(0);
  // The total supply is in one of the first slots; slot 0 of an empty account is zero.
  expect(toHex(await chain.storage({ address: FRESH, slot: hex("00") }, signal))).toBe("0".repeat(64));
});

test("the parents of the head show a reorganisation", async () => {
  for (let i = 0; i < 3; i += 1) await send({ to: OTHER, value: 1n });
  const old = await chain.head(signal);
  await rpc("anvil_reorg", 2, []);
  const now = await chain.ref(old.number, signal);
  expect(now?.hash).not.toBe(old.hash);
  const blocks = await chain.blocks(old.number - 3, old.number, signal);
  expect(blocks).toHaveLength(4);
  expect(toHex(blocks[3]?.hash ?? new Uint8Array())).toBe(now?.hash);
  expect(await chain.finalized(signal)).toBeLessThanOrEqual(old.number);
});
