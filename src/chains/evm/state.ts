/** Reads of state: contract calls, balances, code, storage. */
import { type Bytes, EMPTY, type Hex } from "../../lib/bytes.ts";
import type {
  AccountState,
  CallResult,
  ContractCall,
  Network,
  OverriddenCalls,
  Override,
  SimulatedBlock,
  SimulatedCall,
} from "../chain.ts";
import { BadAnswer, fieldsOf } from "../node/answer.ts";
import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { isExecution, isMissingState, NodeRefusal, type RpcError } from "../node/refusal.ts";
import { decodeAggregate3, encodeAggregate3 } from "./abi.ts";
import type { EvmRpcNode, EvmRpcPool } from "./pool.ts";
import { resultsOf } from "./probe.ts";
import { callParams, overrideParams, simulatedBlocks, simulateParams } from "./simulate.ts";
import { countOf, dataOf, hashOf, quantity, quantityOf } from "./wire.ts";

/** Inner calls of one Multicall3 call: far below any node's gas cap for reads. */
const MULTICALL_CALLS = 100;
/** One call alone is cheaper and clearer than an aggregate of one. */
const MULTICALL_CALLS_MIN = 4;
/** Codes have up to 24 KB each. */
const CODES_PER_REQUEST = 50;
/** Nodes without an archive keep at least this many states. */
const RECENT_BLOCKS = 120;

export class EvmStateReader {
  readonly #pool: EvmRpcPool;
  readonly #network: Network;

  constructor(pool: EvmRpcPool, network: Network) {
    this.#pool = pool;
    this.#network = network;
  }

  /** Results of calls that must succeed, in order. @throws AssayError UPSTREAM_UNAVAILABLE */
  async ask(calls: readonly RpcCall[], signal: AbortSignal, at?: number): Promise<unknown[]> {
    return this.#pool.run(this.#question(calls[0]?.method ?? "nothing", at), signal, async ({ endpoint }) => {
      const { answers } = await endpoint.ask(calls, signal);
      return resultsOf(answers);
    });
  }

  /** A failed contract is a result (`ok: false`), a failed node is a throw. */
  async call(calls: readonly ContractCall[], signal: AbortSignal, at?: number): Promise<readonly CallResult[]> {
    const { multicall } = this.#network;
    // A multicall has its own sender, coins and gas.
    const plain = calls.every((call) => Object.keys(call).length === 2);
    if (multicall === null || !plain || calls.length < MULTICALL_CALLS_MIN) return this.#callEach(calls, signal, at);
    const parts = partsOf(calls, MULTICALL_CALLS);
    const done = await Promise.all(parts.map((part) => this.#aggregate(multicall, part, { signal, at })));
    return done.flat();
  }

  async account(address: Hex, signal: AbortSignal, at?: number): Promise<AccountState> {
    const params = [`0x${address}`, tagOf(at)];
    const methods = ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"];
    return this.#pool.run(this.#question("eth_getCode", at), signal, async ({ endpoint }) => {
      const asked = methods.map((method) => ({ method, params }));
      const answers = await endpoint.askTogether(asked, signal);
      const [balance, nonce, code] = resultsOf(answers);
      return {
        balance: this.#network.has_native_coin === false ? 0n : quantityOf(balance, "balance"),
        nonce: countOf(nonce, "nonce"),
        code: dataOf(code, "code"),
      };
    });
  }

  async nativeBalances(addresses: readonly Hex[], signal: AbortSignal, at?: number): Promise<readonly bigint[]> {
    if (addresses.length === 0 || this.#network.has_native_coin === false) return addresses.map(() => 0n);
    const calls = addresses.map((address) => ({ method: "eth_getBalance", params: [`0x${address}`, tagOf(at)] }));
    return this.#pool.run(this.#question("eth_getBalance", at), signal, async ({ endpoint }) => {
      const answers = await endpoint.askTogether(calls, signal);
      return resultsOf(answers).map((balance) => quantityOf(balance, "balance"));
    });
  }

  async codes(addresses: readonly Hex[], signal: AbortSignal, at?: number): Promise<readonly Bytes[]> {
    const parts = partsOf(addresses, CODES_PER_REQUEST);
    const read = parts.map((part) =>
      this.#pool.run(this.#question("eth_getCode", at), signal, async ({ endpoint }) => {
        const calls = part.map((address) => ({ method: "eth_getCode", params: [`0x${address}`, tagOf(at)] }));
        return resultsOf(await endpoint.askTogether(calls, signal)).map((code) => dataOf(code, "code"));
      }),
    );
    return (await Promise.all(read)).flat();
  }

  /** A failed contract is a result (`ok: false`), a failed node is a throw. */
  callOverridden(asked: OverriddenCalls, signal: AbortSignal, at?: number): Promise<readonly CallResult[]> {
    return this.#askCalls(asked, signal, at);
  }

  async simulate(blocks: readonly SimulatedBlock[], signal: AbortSignal, at: number): Promise<SimulatedCall[][]> {
    return this.#pool.run(this.#simulation(blocks, at), signal, async ({ endpoint }) => {
      const asked = { method: "eth_simulateV1", params: simulateParams(blocks, at) };
      const { answers } = await endpoint.ask([asked], signal);
      return simulatedBlocks(resultsOf(answers)[0], blocks);
    });
  }

  /** Null where the node rejects a transaction. */
  async simulateValid(
    blocks: readonly SimulatedBlock[],
    signal: AbortSignal,
    at: number,
  ): Promise<SimulatedCall[][] | null> {
    return this.#pool.run(this.#simulation(blocks, at), signal, async ({ endpoint }) => {
      const asked = { method: "eth_simulateV1", params: simulateParams(blocks, at, true) };
      const { answers } = await endpoint.ask([asked], signal);
      return answers[0]?.ok === true ? simulatedBlocks(answers[0].result, blocks) : null;
    });
  }

  /** A question that nodes accept which simulate far enough. */
  #simulation(blocks: readonly SimulatedBlock[], at: number) {
    const reach = Math.max(0, ...blocks.map(({ number }) => number - at));
    const question = this.#question("eth_simulateV1", at);
    const accepts = (traits: EvmRpcNode["traits"]) => question.accepts(traits) && traits.simulated_blocks_max >= reach;
    return { ...question, accepts };
  }

  async storage(
    { address, slot }: { readonly address: Hex; slot: Hex },
    signal: AbortSignal,
    at?: number,
  ): Promise<Bytes> {
    const params = [`0x${address}`, `0x${slot.padStart(64, "0")}`, tagOf(at)];
    return this.#pool.run(this.#question("eth_getStorageAt", at), signal, async ({ endpoint }) => {
      const answers = await endpoint.askTogether([{ method: "eth_getStorageAt", params }], signal);
      return hashOf(resultsOf(answers)[0], "storage slot");
    });
  }

  /**
   * Makes one aggregate call. A call that failed inside is repeated alone: an earlier one may have used all gas. Before
   * Multicall3 was deployed, every call is made alone.
   */
  async #aggregate(
    multicall: Hex,
    calls: readonly ContractCall[],
    { signal, at }: { signal: AbortSignal; at: number | undefined },
  ): Promise<readonly CallResult[]> {
    const [whole] = await this.#callEach([{ to: multicall, data: encodeAggregate3(calls) }], signal, at);
    const results = whole?.ok === true ? decodeAggregate3(whole.data, calls.length) : null;
    if (results === null) return this.#callEach(calls, signal, at);
    const doubtful = calls.filter((_, i) => results[i]?.ok === false);
    const repeated = await this.#callEach(doubtful, signal, at);
    let next = 0;
    return results.map((result) => {
      if (result.ok) return result;
      next += 1;
      return repeated[next - 1] ?? result;
    });
  }

  #callEach(
    calls: readonly ContractCall[],
    signal: AbortSignal,
    at: number | undefined,
  ): Promise<readonly CallResult[]> {
    return this.#askCalls({ calls, overrides: [] }, signal, at);
  }

  async #askCalls({ calls, overrides }: OverriddenCalls, signal: AbortSignal, at: number | undefined) {
    if (calls.length === 0) return [];
    const asked = calls.map((call) => callRequest(call, overrides, at));
    const question = this.#question("eth_call", at);
    const accepts = (traits: EvmRpcNode["traits"]) =>
      question.accepts(traits) && (overrides.length === 0 || traits.overrides);
    return this.#pool.run({ ...question, accepts }, signal, async (node): Promise<readonly CallResult[]> => {
      try {
        const answers = await node.endpoint.askTogether(asked, signal);
        return answers.map(callResult);
      } catch (error) {
        if (error instanceof NodeRefusal && error.reason === "size") return this.#callOneByOne(node, asked, signal);
        throw error;
      }
    });
  }

  /**
   * One of many calls may return an answer beyond all bounds: the contract causes that, and only its own result is
   * lost.
   */
  async #callOneByOne(node: EvmRpcNode, asked: readonly RpcCall[], signal: AbortSignal): Promise<CallResult[]> {
    const results: CallResult[] = [];
    for (const call of asked) {
      try {
        const { answers } = await node.endpoint.ask([call], signal);
        results.push(...answers.map(callResult));
      } catch (error) {
        if (!(error instanceof NodeRefusal && error.reason === "size")) throw error;
        results.push({ ok: false, data: EMPTY });
      }
    }
    return results;
  }

  #question(what: string, at: number | undefined) {
    const heads = this.#pool.known.map((traits) => traits.head);
    const is_old = at !== undefined && heads.length > 0 && at < Math.max(...heads) - RECENT_BLOCKS;
    const any_archive = this.#pool.known.some((traits) => traits.archive);
    return { what, accepts: (traits: EvmRpcNode["traits"]) => !is_old || !any_archive || traits.archive };
  }
}

const partsOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

const tagOf = (at: number | undefined): string => (at === undefined ? "latest" : quantity(at));

const callRequest = (call: ContractCall, overrides: readonly Override[], at: number | undefined): RpcCall => ({
  method: "eth_call",
  params: [callParams(call), tagOf(at), ...(overrides.length === 0 ? [] : [overrideParams(overrides)])],
});

const callResult = (answer: RpcAnswer): CallResult => {
  if (answer.ok) return { ok: true, data: dataOf(answer.result, "call result") };
  const { error } = answer;
  if (isMissingState(error) || !isExecution(error)) throw error;
  return { ok: false, data: revertData(error) };
};

/** Clients put the payload into `data` as text, or as text inside an object, or omit it. */
const revertData = (error: RpcError): Bytes => {
  const { data } = error;
  const text = typeof data === "object" && data !== null ? fieldsOf(data, "error data").data : data;
  if (typeof text !== "string") return EMPTY;
  const digits = /0x([0-9a-fA-F]*)$/.exec(text)?.[1] ?? "";
  if (digits.length % 2 !== 0) throw new BadAnswer("a revert payload of half a byte");
  return digits === "" ? EMPTY : dataOf(`0x${digits}`, "revert payload");
};
