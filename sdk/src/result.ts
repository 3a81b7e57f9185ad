import type { ToolErrorCode } from "./error_codes.gen.ts";

/** Metadata of a call. */
export interface CallFacts {
  readonly request_id: string | null;
  /** Credits that the call cost; 0 if it was refunded; null if the answer does not state it. */
  readonly credits_charged: number | null;
  readonly credits_remaining: number | null;
  readonly catalog_version: string | null;
  readonly idempotency_key: string | null;
  /** Number of attempts. */
  readonly attempts: number;
}

/** The answer of a tool. */
export interface DataResult<Output> {
  readonly kind: "data";
  readonly data: Output;
  readonly call: CallFacts;
}

/** The lookup ran on complete coverage and found nothing. Charged. */
export interface NoDataResult {
  readonly kind: "no_data";
  readonly type: string | null;
  /** States what was searched and how; null from an older service. */
  readonly message: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly call: CallFacts;
}

/** The tool could not answer. Refunded in full. */
export interface ErrorResult {
  readonly kind: "error";
  /** Later versions of the service may add codes. */
  readonly code: ToolErrorCode | (string & {});
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The whole body: an incomplete check still contains its partial findings. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly call: CallFacts;
}

export type Result<Output> = DataResult<Output> | NoDataResult | ErrorResult;

type Body = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
const objectOrNull = (value: unknown): Body | null => (isObject(value) ? value : null);

/** A 200 answer as a result: by `status` or a top-level `error`, which is a failure too. */
export const resultOf = <Output>(body: Body, call: CallFacts): Result<Output> => {
  const { status, type, code, message, error, metadata: told } = body;
  const metadata = objectOrNull(told);
  if (status === "no_data")
    return { kind: "no_data", type: textOrNull(type), message: textOrNull(message), metadata, call };
  if (status === "error" || error !== undefined) {
    const sentence = typeof message === "string" ? message : typeof error === "string" ? error : "The tool failed.";
    return {
      kind: "error",
      code: typeof code === "string" ? code : "UNKNOWN",
      message: sentence,
      metadata,
      body,
      call,
    };
  }
  // The shape is the service's promise (docs/openapi.json): fields are only ever added.
  return { kind: "data", data: body as Output, call };
};
