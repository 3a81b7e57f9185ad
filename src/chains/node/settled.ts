/** Answers of nodes behind a load balancer: a member may be some blocks behind, and lack what others have. */
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonRpcEndpoint, RpcAnswer, RpcCall } from "./json_rpc.ts";

const AGAIN_PAUSE_MS = 100;

interface SettledQuery {
  readonly calls: readonly RpcCall[];
  /** The member does not have it, and another one may. */
  readonly isUnsettled: (answer: RpcAnswer) => boolean;
  readonly again_max: number;
}

/** Answers to all calls, in their order; those that a member does not have are requested again, a few times. */
export const askSettled = async (
  endpoint: Pick<JsonRpcEndpoint, "ask">,
  { calls, isUnsettled, again_max }: SettledQuery,
  signal: AbortSignal,
): Promise<readonly RpcAnswer[]> => {
  const { answers } = await endpoint.ask(calls, signal);
  for (let again = 0; again < again_max; again += 1) {
    const places = answers.flatMap((answer, i) => (isUnsettled(answer) ? [i] : []));
    const missing = places.flatMap((place) => calls[place] ?? []);
    if (missing.length === 0) break;
    if (again > 0) await sleep(AGAIN_PAUSE_MS * 2 ** (again - 1), undefined, { signal });
    const more = await endpoint.ask(missing, signal);
    for (const [i, answer] of more.answers.entries()) answers[places[i] ?? answers.length] = answer;
  }
  return answers;
};
