/** Keeps the paid answers of calls that ask for it (`X-Keep-Answer: 1`). */
import type { KeptAnswers } from "../../../accounts/answers/open.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import { isRecord } from "../../../lib/record.ts";
import { valuesOf } from "../../http/headers.ts";
import { requestFingerprint } from "../../http/idempotency_key.ts";
import { toJson } from "../../http/json.ts";
import type { SurfaceResponse } from "../../surface_response.ts";

export interface KeepParts {
  readonly answers: KeptAnswers;
  readonly log: Log;
}

export interface KeptCall {
  readonly account_id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly request_id: string;
}

export const asksToKeep = (raw_headers: readonly string[]): boolean =>
  valuesOf(raw_headers, "x-keep-answer").at(-1) === "1";

/** Keeps the answer beside the call: it is not waited for, and its failure is a line of the log. */
export const kept = (
  { account_id, tool, args, request_id }: KeptCall,
  answer: SurfaceResponse,
  { answers, log }: KeepParts,
): SurfaceResponse => {
  const { status, body, retract } = answer;
  const charged = answer.charged ?? 0;
  if (status !== 200 || charged === 0 || !isRecord(body)) return answer;
  const question = { account_id, question: requestFingerprint(tool, args) };
  const failed = (error: unknown): void => log.warn({ tool, error: messageOf(error) }, "An answer was not kept.");
  const keeping = answers.keep(question, { tool, request_id, credits: charged, body: toJson(body) }).catch(failed);
  if (retract === undefined) return answer;
  // An answer that was refunded was not sent.
  const withdrawn = async (): Promise<SurfaceResponse> => {
    await keeping;
    await answers.forget(question, request_id).catch(failed);
    return retract();
  };
  return { ...answer, retract: withdrawn };
};
