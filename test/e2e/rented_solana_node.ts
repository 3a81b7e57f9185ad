import { type Hook, type HookedCall, type HookedNode, hookedNode, rpcError } from "../hooked_node.ts";

export interface RentedSolanaNode extends HookedNode {
  /** Calls by method; those of blocks by their details, too. */
  readonly byMethod: ReadonlyMap<string, number>;
}

export interface SolanaLimits {
  /** Most signatures of a page, also for a request that wants more. */
  readonly page_max: number;
  readonly calls_per_second: number;
  /** Oldest slot of which it has anything. */
  readonly first_slot?: number;
}

/** One answer of so many is that of a member which is behind. */
const LAGGING_EVERY = 50;
const HISTORY: readonly string[] = ["getSignaturesForAddress", "getTransaction", "getBlock"];

/** A node as it is rented: rates, short pages, members that lag, and perhaps no old slots. */
export const rentSolanaNode = async (upstream: string, limits: SolanaLimits): Promise<RentedSolanaNode> => {
  const byMethod = new Map<string, number>();
  const { page_max, calls_per_second, first_slot = 0 } = limits;
  let calls = 0;
  let recent: number[] = [];
  const refusalOf: Hook = ({ method, params }) => {
    calls += 1;
    const details: unknown = Reflect.get(Object(params[1]), "transactionDetails");
    const kind = details === undefined ? method : `${method} ${details}`;
    byMethod.set(kind, (byMethod.get(kind) ?? 0) + 1);
    const now = Date.now();
    recent = recent.filter((at) => now - at < 1_000);
    if (recent.length >= calls_per_second)
      return rpcError(`your plan allows ${calls_per_second} requests per second`, 429);
    recent.push(now);
    if (method === "getFirstAvailableBlock") return { result: first_slot };
    if (method === "getBlock" && Number(params[0]) < first_slot)
      return rpcError(
        `Block ${params[0]} cleaned up, does not exist on node. First available block: ${first_slot}`,
        -32_001,
      );
    if (!HISTORY.includes(method) || calls % LAGGING_EVERY !== 0) return undefined;
    return method === "getSignaturesForAddress"
      ? rpcError("Minimum context slot has not been reached", -32_016)
      : method === "getTransaction"
        ? { result: null }
        : rpcError(`Block not available for slot ${params[0]}`, -32_004);
  };
  const shortened = (call: HookedCall): HookedCall =>
    call.method === "getSignaturesForAddress"
      ? { ...call, params: [call.params[0], { ...Object(call.params[1]), limit: page_max }] }
      : call;
  return { ...(await hookedNode(upstream, refusalOf, { rewrite: shortened })), byMethod };
};
