import type { Network, Verified } from "../chain.ts";
import { BadAnswer, fieldsOf } from "../node/answer.ts";
import type { JsonRpcEndpoint, RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { WrongChain } from "../node/refusal.ts";
import { canOverride, simulatableBlocks } from "./probe_simulation.ts";
import { answersIn, sliceIn } from "./scan/answers.ts";
import { BlockVerifier } from "./verify/block_verifier.ts";
import { rulesOf } from "./verify/rules.ts";
import { countOf, quantity } from "./wire.ts";

/** What one endpoint turned out to be able to do. */
export interface Traits {
  readonly chain_id: number;
  readonly client: string | null;
  readonly head: number;
  /** Newest final block by the node's own `finalized` tag; null when it has no such tag. */
  readonly finalized: number | null;
  /** How receipts are asked: for a whole block, or one by one. */
  readonly receipts: "block" | "transaction";
  readonly traces: TraceMethod | null;
  /** `trace_block` besides `debug_*`: it also tells block rewards. */
  readonly has_trace_block: boolean;
  readonly archive: boolean;
  /** `eth_call` takes code, balance and storage of accounts as its third parameter. */
  readonly overrides: boolean;
  /** Blocks that `eth_simulateV1` may go beyond the one it starts at; 0 when the node does not have it. */
  readonly simulated_blocks_max: number;
  /** Calls that one request may hold. */
  readonly batch: number;
  readonly ms_per_call: number;
  /** What the newest block showed when it was recomputed; null where receipts are not told by the block. */
  readonly verifies: Verified | null;
}

export type TraceMethod = "debug_traceBlockByNumber" | "trace_block";

/** The call tracer of geth, with the node's own time limit. */
export const CALL_TRACER = { tracer: "callTracer", timeout: "30s" };

const CLIENT_LENGTH_MAX = 120;

/**
 * Asks an endpoint what it can do, in about fifteen calls.
 * @throws WrongChain, or whatever the endpoint throws when it does not answer.
 */
export const probeEndpoint = async (
  endpoint: JsonRpcEndpoint,
  network: Network,
  signal: AbortSignal,
): Promise<Traits> => {
  const ask = (method: string, ...params: unknown[]): Promise<RpcAnswer> =>
    askOne(endpoint, { method, params }, signal);
  const chain_id = countOf(resultOf(await ask("eth_chainId")), "chain id");
  if (chain_id !== network.chain_id)
    throw new WrongChain(`the node serves chain ${chain_id}, but ${network.name} is chain ${network.chain_id}`);
  const started = performance.now();
  const head = countOf(resultOf(await ask("eth_blockNumber")), "block number");
  const ms_per_call = performance.now() - started;
  const batch = await findBatch(endpoint, signal);
  const client = await ask("web3_clientVersion");
  const debug = await ask("debug_traceBlockByNumber", quantity(head), CALL_TRACER);
  const flat = await ask("trace_block", quantity(head));
  const verifies = await shownBy(endpoint, { network, number: head }, signal);
  return {
    chain_id,
    client: client.ok && typeof client.result === "string" ? client.result.slice(0, CLIENT_LENGTH_MAX) : null,
    head,
    finalized: finalizedOf(await ask("eth_getBlockByNumber", "finalized", false), head),
    receipts: hasList(await ask("eth_getBlockReceipts", quantity(head))) ? "block" : "transaction",
    traces: canTrace(debug) ? "debug_traceBlockByNumber" : hasList(flat) ? "trace_block" : null,
    has_trace_block: hasList(flat),
    archive: await keepsState(endpoint, head, signal),
    overrides: await canOverride(ask),
    simulated_blocks_max: await simulatableBlocks(ask, head),
    batch,
    ms_per_call,
    verifies,
  };
};

/** What a block shows of what its header commits to. */
const shownBy = async (
  endpoint: JsonRpcEndpoint,
  { network, number }: { readonly network: Network; readonly number: number },
  signal: AbortSignal,
): Promise<Verified | null> => {
  const calls = [
    { method: "eth_getBlockByNumber", params: [quantity(number), true] },
    { method: "eth_getBlockReceipts", params: [quantity(number)] },
  ];
  const { answers } = await endpoint.askAs(calls, signal, answersIn);
  if (!answers.every((answer) => answer.ok)) return null;
  const [block, receipts] = answers.map((answer) => sliceIn(resultOf(answer)));
  if (block === undefined || block === null || receipts === undefined || receipts === null) return null;
  return new BlockVerifier(rulesOf(network)).level({ block, receipts: [receipts] });
};

const askOne = async (endpoint: JsonRpcEndpoint, call: RpcCall, signal: AbortSignal): Promise<RpcAnswer> => {
  const { answers } = await endpoint.ask([call], signal);
  const [answer] = answers;
  if (answer === undefined) throw new BadAnswer("a call has no answer");
  return answer;
};

export const resultOf = (answer: RpcAnswer): unknown => {
  if (!answer.ok) throw answer.error;
  return answer.result;
};

const hasList = (answer: RpcAnswer): boolean => answer.ok && Array.isArray(answer.result);

/** Geth refuses to trace the first block, which says that it would trace any other. */
const canTrace = (answer: RpcAnswer): boolean =>
  hasList(answer) || (!answer.ok && /genesis is not traceable/i.test(answer.error.message));

const finalizedOf = (answer: RpcAnswer, head: number): number | null => {
  if (!answer.ok || answer.result === null) return null;
  const number = countOf(fieldsOf(answer.result, "finalized block").number, "finalized block number");
  return number <= head ? number : null;
};

/** The endpoint itself halves its batch until one is taken. */
const findBatch = async (endpoint: JsonRpcEndpoint, signal: AbortSignal): Promise<number> => {
  const calls = Array.from({ length: endpoint.pacer.batch }, () => ({ method: "eth_chainId", params: [] }));
  const { answers } = await endpoint.ask(calls, signal);
  for (const answer of answers) resultOf(answer);
  return endpoint.pacer.batch;
};

/** True when the state of the oldest block that the node has can be asked. */
const keepsState = async (endpoint: JsonRpcEndpoint, head: number, signal: AbortSignal): Promise<boolean> => {
  const oldest = await oldestBlock(endpoint, head, signal);
  const params = [`0x${"0".repeat(40)}`, quantity(oldest)];
  const answer = await askOne(endpoint, { method: "eth_getBalance", params }, signal);
  return answer.ok && typeof answer.result === "string";
};

/** A chain may start at any height and history may be cut off: bisect for the oldest block, at most 53 calls. */
const oldestBlock = async (endpoint: JsonRpcEndpoint, head: number, signal: AbortSignal): Promise<number> => {
  const has = async (number: number): Promise<boolean> => {
    const answer = await askOne(
      endpoint,
      { method: "eth_getBlockByNumber", params: [quantity(number), false] },
      signal,
    );
    return answer.ok && answer.result !== null;
  };
  let low = Math.min(1, head);
  if (await has(low)) return low;
  let high = head;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (await has(middle)) high = middle;
    else low = middle;
  }
  return high;
};

/** Values of a batch in which every call must have a result. @throws RpcError of the first that has none */
export const resultsOf = (answers: readonly RpcAnswer[]): unknown[] => answers.map(resultOf);
