// What an answer means for the call: done, refused, or asked again under the same key. Pure; the Python library has the same rules.
import { AssayError, type AssayErrorCode } from "./errors.ts";
import { type CallFacts, isObject, type Result, resultOf } from "./result.ts";

/** What came back of one attempt. */
export type AttemptReply =
  | { readonly kind: "answer"; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** No whole answer, or none that can be read: whether the call ran is not known. */
  | { readonly kind: "lost"; readonly cause: unknown };

export interface RequestAttempt {
  /** From 1. */
  readonly number: number;
  readonly idempotency_key: string | null;
  /** The caller chose the key, so that somebody else may have used it. */
  readonly is_own_key: boolean;
  /** An earlier attempt of this call may have run. */
  readonly may_have_run: boolean;
}

export type RetryVerdict<Output> =
  | { readonly kind: "done"; readonly result: Result<Output> }
  | { readonly kind: "refused"; readonly error: AssayError }
  /** `after_ms` as the answer asks for it, or null: by the caller's own pause. `error`: what is thrown when there is no more time. */
  | {
      readonly kind: "again";
      readonly after_ms: number | null;
      readonly may_have_run: boolean;
      readonly error: AssayError;
    };

/** A pause between attempts: doubled each time, half of it by chance, so that many callers do not come back at once. */
export const pause_ms = (attempt: number, random: number): number => {
  const whole = Math.min(8_000, 250 * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * random;
};

/** Milliseconds that `Retry-After` asks for (RFC 9110, 10.2.3: seconds or a date); null without one. */
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

/** Statuses after which the same call is sent again: nothing is charged, or it is given back. */
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
      ? "No whole answer came. The call may have run, and is charged at most once: call again with the same idempotency_key to find out."
      : "No whole answer came.",
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

/** The key was used. By this call, when an attempt may have run or nobody else knows the key. */
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

/** Calls per minute as the service's refusal tells them; null when it does not. */
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
      : judge({ kind: "lost", cause: new Error("The body is no JSON object.") }, attempt, now_ms);
  const answered: HttpReply = { status, headers, detail: isObject(body) ? body.detail : null };
  if (status === 409) return conflict(answered, attempt);
  if (status === 429) return tooMany(answered, attempt, now_ms);
  const charged = numberOf(headers.get("x-credits-charged"));
  if (AGAIN.includes(status)) {
    // What stands before the service may say so after the call has run: then only the next attempt can tell.
    const is_charged = charged === null ? null : charged > 0;
    const error = errorOf("unavailable", answered, { attempt, is_charged });
    const after_ms = retryAfter_ms(headers.get("retry-after"), now_ms);
    return { kind: "again", after_ms, may_have_run: true, error };
  }
  const is_charged = status >= 500 ? null : NOT_CHARGED;
  return { kind: "refused", error: errorOf(BY_STATUS[status] ?? "unexpected", answered, { attempt, is_charged }) };
};
