/** The runtime code of every shape of `knowledge/proxies.yaml` that is recognised by code or storage, run by a real EVM. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProxyVector, readProxyFile } from "../../../../scripts/gen_proxies.ts";
import { openEvmChain } from "../../../chains/evm/chain.ts";
import { networkFromConfig } from "../../../chains/networks/from_config.ts";
import type { OpenChain } from "../../../chains/open_chain.ts";
import { type Anvil, startAnvil } from "../../../demo/evm/anvil.ts";
import { hex } from "../../../lib/bytes.ts";
import { silentLog } from "../../../lib/log.ts";
import { readProxy } from "./proxies.ts";

const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const signal = AbortSignal.timeout(60_000);
const { shapes } = readProxyFile(join(import.meta.dirname, "../../../.."));
const vectors = shapes
  .filter(({ found_by }) => !("call" in found_by))
  .flatMap(({ id, vectors: rows }) => rows.map((vector, i) => ({ id, i, vector })));

/**
 * An implementation that returns its call data, then the address it runs as: CALLDATACOPY to 0, ADDRESS stored after
 * it, RETURN of both. Through DELEGATECALL that address is the proxy's.
 */
const ECHO = "0x365f5f37303652602036015ff3";
/** A beacon that returns the address `bebe…` for every call: PUSH20, MSTORE at 0, RETURN of one word. */
const BEACON = `0x73${"be".repeat(20)}5f5260205ff3`;

let anvil: Anvil;
let chain: OpenChain;

beforeAll(async () => {
  anvil = await startAnvil({ chain_id: 31_337, timestamp: 1_700_006_400, genesis: { [SENDER]: 10n ** 20n } });
  chain = await openEvmChain(networkFromConfig({ id: "demo" }), { rpc: [anvil.url], log: silentLog }, signal);
});
afterAll(async () => {
  await chain?.close();
  await anvil?.stop();
});

const setCode = (address: string, code: string) => anvil.rpc.call("anvil_setCode", `0x${address}`, code);

/** Init code that returns the following runtime code: PUSH2 length, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN. */
const initCode = (runtime: string): string =>
  `0x61${(runtime.length / 2).toString(16).padStart(4, "0")}80600a5f395ff3${runtime}`;

const deploy = async (runtime: string): Promise<string> => {
  const sent = { from: SENDER, gas: "0x4c4b40", data: initCode(runtime) };
  // JSON-RPC by anvil: a receipt.
  const receipt = (await anvil.rpc.call("eth_sendTransactionSync", sent)) as { contractAddress: string };
  return receipt.contractAddress.slice(2).toLowerCase();
};

const install = async ({ code, storage = {}, implementation, calls = {} }: ProxyVector): Promise<string> => {
  const proxy = await deploy(code.replaceAll(" ", ""));
  await setCode([implementation].flat()[0] ?? "", ECHO);
  for (const [slot, address] of Object.entries(storage))
    await anvil.rpc.call("anvil_setStorageAt", `0x${proxy}`, `0x${slot}`, `0x${address.padStart(64, "0")}`);
  for (const call of Object.keys(calls)) await setCode(call.split(" ")[0] ?? "", BEACON);
  return proxy;
};

test.each(vectors)(
  "$id, vector $i: the code on a node delegates to the implementation that is read of it",
  async (row) => {
    const { id, vector } = row;
    const proxy = await install(vector);
    const { code } = await chain.account(hex(proxy), signal);
    expect(code.length).toBe(vector.code.replaceAll(" ", "").length / 2);
    const read = await readProxy({ chain, address: hex(proxy), code, at: undefined, signal });
    expect({ id: read?.shape.id, implementations: read?.implementations }).toEqual({
      id,
      implementations: [vector.implementation].flat(),
    });
    const call = { to: `0x${proxy}`, data: "0x01020304" };
    // JSON-RPC by anvil: return data.
    const answer = (await anvil.rpc.call("eth_call", call, "latest")) as string;
    // The call data comes back first; a clone with immutable arguments appends these before its own address.
    expect(answer.slice(0, 10)).toBe("0x01020304");
    expect(answer).toContain(proxy.padStart(64, "0"));
  },
);
