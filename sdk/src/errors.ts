/** Why a call has no result. */
export type AssayErrorCode =
  /** 401: the key is missing, unknown, revoked, or has another scope. */
  | "unauthorized"
  /** 404: the service does not have this tool. */
  | "unknown_tool"
  /** 400, 413, 422: the request is invalid. */
  | "invalid_request"
  /** 409: this Idempotency-Key was used by another call. */
  | "duplicate_request"
  /** 409: prices differ from those of `catalog_version`. */
  | "price_changed"
  /** 429: the key's calls per minute are used up, and there was no time left to wait. */
  | "rate_limited"
  /** 429: the plan's credits are used up. */
  | "plan_limit_reached"
  /** 408 or 5xx, also after retries. */
  | "unavailable"
  /** No complete answer arrived in time. Whether the call is charged is unknown. */
  | "no_answer"
  /** The call ran and is charged once, but its answer was lost: the service sends no answer twice. */
  | "answer_lost"
  /** A tool answered `status: "error"` in the middle of a walk over rows; refunded. */
  | "tool_error"
  /** An unknown status. */
  | "unexpected";

export interface AssayErrorFacts {
  readonly code: AssayErrorCode;
  /** HTTP status of the last answer; null when there was none. */
  readonly status: number | null;
  /** `detail` of the last answer: a sentence, an object or a list of faults. */
  readonly detail: unknown;
  /** Null if unknown: query `GET /api/account/usage`, or call again with the same `idempotency_key`. */
  readonly is_charged: boolean | null;
  /** The key that every attempt carried; null if none was sent. */
  readonly idempotency_key: string | null;
  readonly request_id: string | null;
  readonly attempts: number;
}

export class AssayError extends Error {
  override readonly name = "AssayError";
  readonly code: AssayErrorCode;
  readonly status: number | null;
  readonly detail: unknown;
  readonly is_charged: boolean | null;
  readonly idempotency_key: string | null;
  readonly request_id: string | null;
  readonly attempts: number;

  constructor(message: string, facts: AssayErrorFacts, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = facts.code;
    this.status = facts.status;
    this.detail = facts.detail;
    this.is_charged = facts.is_charged;
    this.idempotency_key = facts.idempotency_key;
    this.request_id = facts.request_id;
    this.attempts = facts.attempts;
  }
}
