// Decides what a reply means for the call: done, refused, or retried under the same key. Pure; the Python library has the same rules.
import { AssayError, type AssayErrorCode } from "./errors.ts";
import { type CallFacts, isObject, type Result, resultOf } from "./result.ts";

/** The reply to one attempt. */
export type AttemptReply =
  | { readonly kind: "answer"; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** No complete, readable answer: whether the call ran is unknown. */
  | { readonly kind: "lost"; readonly cause: unknown };

export interface RequestAttempt {
  /** From 1. */
  readonly number: number;
  readonly idempotency_key: string | null;
  /** The caller chose the key, so another call may have used it. */
  readonly is_own_key: boolean;
  /** An earlier attempt of this call may have run. */
  readonly may_have_run: boolean;
}

export type RetryVerdict<Output> =
  | { readonly kind: "done"; readonly result: Result<Output> }
  | { readonly kind: "refused"; readonly error: AssayError }
  /** `after_ms`: the answer's Retry-After, or null for the default pause. `error`: thrown if no time is left. */
  | {
      readonly kind: "again";
      readonly after_ms: number | null;
      readonly may_have_run: boolean;
      readonly error: AssayError;
    };

/** Pause between attempts. It doubles each time, and half of it is random, so that many callers do not retry at once. */
export const pause_ms = (attempt: number, random: number): number => {
  const whole = Math.min(8_000, 250 * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * random;
};

/** Milliseconds of `Retry-After` (RFC 9110, 10.2.3: seconds or a date); null without one. */
export const retryAfter_ms = (value: string | null, now_ms: number): number | null => {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value.trim()) * 1_000;
  // Anything else would be read as a date of some kind: "-1" is a month.
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(value.trim()) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now_ms);
};

const numberOf = (value: string | null): number | null => {
  const number = value === null || value === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
};

const factsOf = (headers: Headers, { idempotency_key, number }: RequestAttempt): CallFacts => ({
  request_id: headers.get("x-request-id"),
  credits_charged: numberOf(headers.get("x-credits-charged")),
  credits_remaining: numberOf(headers.get("x-credits-remaining")),
  catalog_version: headers.get("x-credit-catalog-version"),
  idempotency_key,
  attempts: number,
});

const BY_STATUS: Readonly<Record<number, AssayErrorCode>> = {
  400: "invalid_request",
  401: "unauthorized",
  404: "unknown_tool",
  413: "invalid_request",
  422: "invalid_request",
};

/** Statuses after which the same call is retried: it is not charged, or refunded. */
const AGAIN = [408, 500, 502, 503, 504];

const sentenceOf = (detail: unknown, status: number): string => {
  if (typeof detail === "string" && detail !== "") return detail;
  if (isObject(detail) && typeof detail.message === "string") return detail.message;
  if (Array.isArray(detail))
    return detail
      .filter(isObject)
      .map(({ loc, msg }) => `${Array.isArray(loc) ? loc.join(".") : ""}: ${String(msg)}`)
      .join("; ");
  return `The service answered ${status}.`;
};

interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly detail: unknown;
}

const errorOf = (
  code: AssayErrorCode,
  answered: HttpReply,
  more: { attempt: RequestAttempt; is_charged: boolean | null },
) => {
  const { status, headers, detail } = answered;
  const { idempotency_key, number } = more.attempt;
  return new AssayError(sentenceOf(detail, status), {
    code,
    status,
    detail,
    is_charged: more.is_charged,
    idempotency_key,
    request_id: headers.get("x-request-id"),
    attempts: number,
  });
};

const NOT_CHARGED = false;

const lostError = (cause: unknown, { idempotency_key, number, may_have_run }: RequestAttempt): AssayError =>
  new AssayError(
    may_have_run
      ? "No complete answer arrived. The call may have run, and is charged at most once: call again with the same idempotency_key to find out."
      : "No complete answer arrived.",
    {
      code: "no_answer",
      status: null,
      detail: null,
      is_charged: null,
      idempotency_key,
      request_id: null,
      attempts: number,
    },
    { cause },
  );

/** The key was already used: by this call, if an attempt may have run or the client generated the key. */
const duplicate = <Output>(answered: HttpReply, attempt: RequestAttempt): RetryVerdict<Output> => {
  const detail = isObject(answered.detail) ? answered.detail : {};
  const is_ours = detail.same_request !== false && (attempt.may_have_run || !attempt.is_own_key);
  if (!is_ours)
    return { kind: "refused", error: errorOf("duplicate_request", answered, { attempt, is_charged: NOT_CHARGED }) };
  if (detail.state === "running")
    return {
      kind: "again",
      after_ms: null,
      may_have_run: true,
      error: errorOf("no_answer", answered, { attempt, is_charged: null }),
    };
  return { kind: "refused", error: errorOf("answer_lost", answered, { attempt, is_charged: true }) };
};

const conflict = <Output>(answered: HttpReply, attempt: RequestAttempt): RetryVerdict<Output> => {
  const code = isObject(answered.detail) ? answered.detail.code : null;
  if (code === "DUPLICATE_REQUEST") return duplicate(answered, attempt);
  const known = code === "PRICE_CHANGED" ? "price_changed" : "unexpected";
  return { kind: "refused", error: errorOf(known, answered, { attempt, is_charged: NOT_CHARGED }) };
};

const tooMany = <Output>(answered: HttpReply, attempt: RequestAttempt, now_ms: number): RetryVerdict<Output> => {
  const after_ms = retryAfter_ms(answered.headers.get("retry-after"), now_ms);
  const is_plan = isObject(answered.detail) && answered.detail.error_code === "PLAN_LIMIT_REACHED";
  const code = is_plan ? "plan_limit_reached" : "rate_limited";
  const error = errorOf(code, answered, { attempt, is_charged: NOT_CHARGED });
  if (is_plan && after_ms === null) return { kind: "refused", error };
  return { kind: "again", after_ms, may_have_run: attempt.may_have_run, error };
};

/** Calls per minute as stated in the service's refusal; null if it states none. */
export const limitIn = (reply: AttemptReply): number | null => {
  if (reply.kind !== "answer" || reply.status !== 429 || !isObject(reply.body)) return null;
  const told = /(\d+) requests per minute/.exec(String(reply.body.detail))?.[1];
  return told === undefined ? null : Number(told);
};

export const judge = <Output>(reply: AttemptReply, attempt: RequestAttempt, now_ms: number): RetryVerdict<Output> => {
  if (reply.kind === "lost") {
    const error = lostError(reply.cause, { ...attempt, may_have_run: true });
    return { kind: "again", after_ms: null, may_have_run: true, error };
  }
  const { status, headers, body } = reply;
  if (status === 200)
    return isObject(body)
      ? { kind: "done", result: resultOf<Output>(body, factsOf(headers, attempt)) }
      : judge({ kind: "lost", cause: new Error("The body is not a JSON object.") }, attempt, now_ms);
  const answered: HttpReply = { status, headers, detail: isObject(body) ? body.detail : null };
  if (status === 409) return conflict(answered, attempt);
  if (status === 429) return tooMany(answered, attempt, now_ms);
  const charged = numberOf(headers.get("x-credits-charged"));
  if (AGAIN.includes(status)) {
    // A proxy may answer so after the call has run; then only the next attempt shows whether it ran.
    const is_charged = charged === null ? null : charged > 0;
    const error = errorOf("unavailable", answered, { attempt, is_charged });
    const after_ms = retryAfter_ms(headers.get("retry-after"), now_ms);
    return { kind: "again", after_ms, may_have_run: true, error };
  }
  const is_charged = status >= 500 ? null : NOT_CHARGED;
  return { kind: "refused", error: errorOf(BY_STATUS[status] ?? "unexpected", answered, { attempt, is_charged }) };
};
