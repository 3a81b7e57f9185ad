import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { askSettled as askNode } from "../node/settled.ts";
import type { SolanaEndpoint } from "./endpoint.ts";

const AGAIN_MAX = 4;
/** The block is not available, its status is not available yet, the requested slot is not reached (agave, custom_error.rs). */
const BEHIND: readonly number[] = [-32_004, -32_014, -32_016];

const isUnsettled = (answer: RpcAnswer): boolean =>
  answer.ok ? answer.result === null : BEHIND.includes(answer.error.code);

/** Answers to all calls, in their order; those that a member of the node does not have are requested again. */
export const askSettled = (
  endpoint: SolanaEndpoint,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<readonly RpcAnswer[]> => askNode(endpoint, { calls, isUnsettled, again_max: AGAIN_MAX }, signal);
