/** A lookup that found nothing. */
interface Absence {
  /** The tool's result type. */
  readonly type: string;
  /** The search and its method, in one or two sentences; the answer proves absence only for this search. */
  readonly message: string;
  readonly metadata: unknown;
}

/** Outcome of a tool. The status words are the public contract (docs/errors.md). */
export type Outcome<T> =
  | { readonly kind: "data"; readonly data: T }
  | ({ readonly kind: "no_data" } & Absence)
  | {
      readonly kind: "error";
      readonly code: ErrorCode;
      readonly message: string;
      readonly metadata: unknown;
      readonly partial?: unknown;
    };

/** Codes of `status: error` answers, all of them refunded. */
export const ERROR_CODES = [
  "NOT_A_TOKEN",
  "NOT_A_CONTRACT",
  "COVERAGE_INCOMPLETE",
  "READING",
  "NOT_ON_DEMAND",
  "SUBJECT_LIMIT",
  "TOKEN_TOO_LARGE_ON_DEMAND",
  "CHECK_INCOMPLETE",
  "UPSTREAM_UNAVAILABLE",
  "TIMEOUT",
  "TOO_LARGE",
  "OFFCHAIN_DISABLED",
  "WEB_FETCH_DISABLED",
  "URL_REFUSED",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const data = <T>(value: T): Outcome<T> => ({ kind: "data", data: value });

/** The lookup covered the whole range and found nothing. */
export const noData = (absence: Absence): Outcome<never> => ({ kind: "no_data", ...absence });

export const failed = (code: ErrorCode, message: string, metadata: unknown = null): Outcome<never> => ({
  kind: "error",
  code,
  message,
  metadata,
});

/**
 * Outcome of a lookup without a result. Distinguishes proven absence, which is charged, from an index that does not cover the
 * query, which is refunded with the sentence `unproven`.
 */
export const emptyOutcome = (
  about: Omit<Absence, "message">,
  { message, unproven }: { readonly message: string; readonly unproven: string },
  is_proven: boolean,
): Outcome<never> =>
  is_proven ? noData({ ...about, message }) : failed("COVERAGE_INCOMPLETE", unproven, about.metadata);

/** A compliance check that could not run completely. `partial`: the results so far, as members of the answer. */
export const checkIncomplete = (answer: {
  readonly message: string;
  readonly metadata: unknown;
  readonly partial: object;
}): Outcome<never> => ({ kind: "error", code: "CHECK_INCOMPLETE", ...answer });
