/** A lookup that found nothing. */
interface Absence {
  /** The tool's result type. */
  readonly type: string;
  /** What was searched and how, in one or two sentences: absence is proven of that alone. */
  readonly message: string;
  readonly metadata: unknown;
}

/** What a tool may return. The words are the public contract (docs/errors.md). */
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

/** Codes of `status:error` answers. Each is refunded. */
export const ERROR_CODES = [
  "NOT_A_TOKEN",
  "NOT_A_CONTRACT",
  "COVERAGE_INCOMPLETE",
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

/** The lookup ran on complete coverage and found nothing. */
export const noData = (absence: Absence): Outcome<never> => ({ kind: "no_data", ...absence });

export const failed = (code: ErrorCode, message: string, metadata: unknown = null): Outcome<never> => ({
  kind: "error",
  code,
  message,
  metadata,
});

/**
 * What a tool answers that found nothing. It alone decides between absence that is proven, which is charged, and an index
 * that does not cover what was asked, which is refunded with the sentence `unproven`.
 */
export const emptyOutcome = (
  about: Omit<Absence, "message">,
  { message, unproven }: { readonly message: string; readonly unproven: string },
  is_proven: boolean,
): Outcome<never> =>
  is_proven ? noData({ ...about, message }) : failed("COVERAGE_INCOMPLETE", unproven, about.metadata);

/** A compliance check that could not be made in full. `partial`: what was found all the same, as members of the answer. */
export const checkIncomplete = (answer: {
  readonly message: string;
  readonly metadata: unknown;
  readonly partial: object;
}): Outcome<never> => ({ kind: "error", code: "CHECK_INCOMPLETE", ...answer });
