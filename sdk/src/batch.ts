// Reads the answer of a batch item by item, by the rules of a single call.
import type { AssayError } from "./errors.ts";
import { isObject, type Result } from "./result.ts";
import { judge } from "./rules.ts";

/** The outcome of one item: its result, or the error that a single call would throw. */
export type BatchItem<Output> = Result<Output> | { readonly kind: "refused"; readonly error: AssayError };

interface BatchRequest {
  readonly idempotency_key: string;
  readonly is_own_key: boolean;
  readonly attempts: number;
  readonly now_ms: number;
}

const headersOf = (item: Readonly<Record<string, unknown>>): Headers => {
  const { request_id, credits_charged, retry_after } = item;
  const known = { "x-request-id": request_id, "x-credits-charged": credits_charged, "retry-after": retry_after };
  const told = Object.entries(known).filter(([, value]) => value !== null && value !== undefined);
  return new Headers(told.map(([name, value]): [string, string] => [name, String(value)]));
};

/** @returns null when the body is no answer of a batch with so many items. */
export const readBatch = <Output>(
  body: unknown,
  count: number,
  { idempotency_key, is_own_key, attempts, now_ms }: BatchRequest,
): readonly BatchItem<Output>[] | null => {
  const items = isObject(body) && Array.isArray(body.items) ? body.items.filter(isObject) : [];
  if (items.length !== count) return null;
  return items.map((item, index) => {
    const key = `${idempotency_key}.${index}`;
    const attempt = { number: attempts, idempotency_key: key, is_own_key, may_have_run: attempts > 1 };
    const reply = {
      kind: "answer" as const,
      status: Number(item.http_status),
      headers: headersOf(item),
      body: item.answer,
    };
    const verdict = judge<Output>(reply, attempt, now_ms);
    return verdict.kind === "done" ? verdict.result : { kind: "refused", error: verdict.error };
  });
};
