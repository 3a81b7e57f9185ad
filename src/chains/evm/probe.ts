import type { Network, Verified } from "../chain.ts";
import { BadAnswer } from "../node/answer.ts";
import type { JsonRpcEndpoint, RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { WrongChain } from "../node/refusal.ts";
import { probeHistory } from "./probe_history.ts";
import { canOverride, simulatableBlocks } from "./probe_simulation.ts";
import { answersIn, sliceIn } from "./scan/answers.ts";
import type { EvmTraits } from "./traits.ts";
import { BlockVerifier } from "./verify/block_verifier.ts";
import { rulesOf } from "./verify/rules.ts";
import { countOf, quantity } from "./wire.ts";

const CLIENT_LENGTH_MAX = 120;

/**
 * Probes an endpoint's capabilities, in about fifteen calls.
 * @throws WrongChain, or the endpoint's error if it does not answer
 */
export const probeEndpoint = async (
  endpoint: JsonRpcEndpoint,
  network: Network,
  signal: AbortSignal,
): Promise<EvmTraits> => {
  const ask = (method: string, ...params: unknown[]): Promise<RpcAnswer> =>
    requestOne(endpoint, { method, params }, signal);
  const chain_id = countOf(resultOf(await ask("eth_chainId")), "chain id");
  if (chain_id !== network.chain_id)
    throw new WrongChain(`the node serves chain ${chain_id}, but ${network.name} is chain ${network.chain_id}`);
  const started = performance.now();
  const head = countOf(resultOf(await ask("eth_blockNumber")), "block number");
  const ms_per_call = performance.now() - started;
  const batch = await findBatch(endpoint, signal);
  const client = await ask("web3_clientVersion");
  const had = await probeHistory(ask, head);
  const verifies = await verifiableParts(endpoint, { network, number: head }, signal);
  return {
    chain_id,
    client: client.ok && typeof client.result === "string" ? client.result.slice(0, CLIENT_LENGTH_MAX) : null,
    head,
    ...had,
    overrides: await canOverride(ask),
    simulated_blocks_max: await simulatableBlocks(ask, head),
    batch,
    ms_per_call,
    verifies,
  };
};

/** How much of the newest block its header verifies. */
const verifiableParts = async (
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

const requestOne = async (endpoint: JsonRpcEndpoint, call: RpcCall, signal: AbortSignal): Promise<RpcAnswer> => {
  const { answers } = await endpoint.ask([call], signal);
  const [answer] = answers;
  if (answer === undefined) throw new BadAnswer("a call has no answer");
  return answer;
};

export const resultOf = (answer: RpcAnswer): unknown => {
  if (!answer.ok) throw answer.error;
  return answer.result;
};

/** The endpoint itself halves its batch until the node accepts one. */
const findBatch = async (endpoint: JsonRpcEndpoint, signal: AbortSignal): Promise<number> => {
  const calls = Array.from({ length: endpoint.pacer.batch }, () => ({ method: "eth_chainId", params: [] }));
  const { answers } = await endpoint.ask(calls, signal);
  for (const answer of answers) resultOf(answer);
  return endpoint.pacer.batch;
};

/** Values of a batch in which every call must have a result. @throws RpcError of the first that has none */
export const resultsOf = (answers: readonly RpcAnswer[]): unknown[] => answers.map(resultOf);
