import type { IncomingHttpHeaders } from "node:http";
import { type Hook, type HookedCall, type HookedNode, hookedNode, rpcError } from "../hooked_node.ts";

export interface RentedNode extends HookedNode {
  /** Calls by method. */
  readonly byMethod: ReadonlyMap<string, number>;
}

export interface RentedLimits {
  readonly traces: boolean;
  /** Most blocks of an `eth_getLogs`. */
  readonly log_blocks_max: number;
  /** Calls per second that are answered; others are refused within their array. */
  readonly calls_per_second: number;
  /** Requests per second that are answered, of any number of calls; others get 429 without a time to wait. */
  readonly requests_per_second?: number;
  /** Most logs of an `eth_getLogs`. */
  readonly logs_max?: number;
  /** Value of the header `x-api-key` without which nothing is answered. */
  readonly key?: string;
}

const NO_METHOD = rpcError("the method is not available on your plan", -32601);
/** One answer of so many is that of a member which does not have the block. */
const LAGGING_EVERY = 50;
/** Calls by which history is searched and read. */
const HISTORY: readonly string[] = [
  ...["eth_getLogs", "eth_getBalance", "eth_getTransactionCount", "eth_getBlockByNumber", "eth_getTransactionReceipt"],
  "debug_traceBlockByNumber",
];

const isTrace = (method: string): boolean => /^(?:debug|trace)_/.test(method);

/** Hook of a node that traces nothing. */
export const withoutTraces: Hook = ({ method }) => (isTrace(method) ? NO_METHOD : undefined);

/** A node as it is rented: rates, ranges, no receipts by block, and members that lag. */
export const rentNode = async (upstream: string, limits: RentedLimits): Promise<RentedNode> => {
  const byMethod = new Map<string, number>();
  let calls = 0;
  let recent: number[] = [];
  const refusalOf: Hook = ({ method, params }) => {
    calls += 1;
    byMethod.set(method, (byMethod.get(method) ?? 0) + 1);
    const now = Date.now();
    recent = recent.filter((at) => now - at < 1_000);
    if (recent.length >= limits.calls_per_second)
      return rpcError(`your plan allows ${limits.calls_per_second} requests per second`, -32005);
    recent.push(now);
    if (isTrace(method) && !limits.traces) return NO_METHOD;
    if (method === "eth_getBlockReceipts") return NO_METHOD;
    if (method === "eth_getLogs") {
      // The parameters of the JSON-RPC specification.
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      const blocks = Number(toBlock) - Number(fromBlock) + 1;
      if (blocks > limits.log_blocks_max)
        return rpcError(`exceed maximum block range: ${limits.log_blocks_max}`, -32600);
    }
    // Short reads of an answer go to the member that has the newest state.
    if (method === "eth_getBlockByNumber" && params[1] === false) return undefined;
    return HISTORY.includes(method) && calls % LAGGING_EVERY === 0 ? rpcError("header not found") : undefined;
  };
  let admitted: number[] = [];
  const refusal = ({ "x-api-key": key }: IncomingHttpHeaders): number | null => {
    if (limits.key !== undefined && key !== limits.key) return 401;
    const now = Date.now();
    admitted = admitted.filter((at) => now - at < 1_000);
    if (admitted.length >= (limits.requests_per_second ?? Number.POSITIVE_INFINITY)) return 429;
    admitted.push(now);
    return null;
  };
  const instead = ({ method }: HookedCall, text: string) => {
    const { logs_max } = limits;
    if (method !== "eth_getLogs" || logs_max === undefined) return undefined;
    const logs = text.split('"logIndex"').length - 1;
    return logs > logs_max ? rpcError(`query returned more than ${logs_max} results`, -32005) : undefined;
  };
  return { ...(await hookedNode(upstream, refusalOf, { refusal, instead })), byMethod };
};
