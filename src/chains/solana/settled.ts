/** Answers of nodes behind a load balancer: a member may be some slots behind, and lack what others have. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import type { SolanaEndpoint } from "./endpoint.ts";

const AGAIN_MAX = 4;
const AGAIN_PAUSE_MS = 100;
/** The block is not available, its status is not available yet, the requested slot is not reached (agave, custom_error.rs). */
const BEHIND: readonly number[] = [-32_004, -32_014, -32_016];

const isUnsettled = (answer: RpcAnswer): boolean =>
  answer.ok ? answer.result === null : BEHIND.includes(answer.error.code);

/** Answers to all calls, in their order; those that a member does not have are requested again, a few times. */
export const askSettled = async (
  endpoint: SolanaEndpoint,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<readonly RpcAnswer[]> => {
  const { answers } = await endpoint.ask(calls, signal);
  for (let again = 0; again < AGAIN_MAX; again += 1) {
    const places = answers.flatMap((answer, i) => (isUnsettled(answer) ? [i] : []));
    const missing = places.flatMap((place) => calls[place] ?? []);
    if (missing.length === 0) break;
    if (again > 0) await sleep(AGAIN_PAUSE_MS * 2 ** (again - 1), undefined, { signal });
    const more = await endpoint.ask(missing, signal);
    for (const [i, answer] of more.answers.entries()) answers[places[i] ?? answers.length] = answer;
  }
  return answers;
};
