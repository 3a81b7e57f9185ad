import { type RawHeaders, valuesOf } from "./headers.ts";
import { keyFaults } from "./idempotency_key.ts";
import { type FieldError, readJsonBody } from "./json_body.ts";

export type Envelope =
  | { readonly kind: "read"; readonly args: Readonly<Record<string, unknown>>; readonly idempotency_key: string | null }
  /** 422. Items of headers come before items of the body. */
  | { readonly kind: "invalid"; readonly items: readonly FieldError[] }
  /** 400. */
  | { readonly kind: "unreadable" };

const KEY_HEADER = ["header", "idempotency-key"] as const;

/** Headers and body of a tool call, checked without knowledge of the tool. */
export const readEnvelope = (raw_headers: RawHeaders, body: Buffer): Envelope => {
  const content_type = valuesOf(raw_headers, "content-type")[0];
  const keys = valuesOf(raw_headers, "idempotency-key");
  const read = readJsonBody(content_type, body);
  if (read.kind === "unreadable") return { kind: "unreadable" };
  const items = [...keyFaults(keys, KEY_HEADER), ...(read.kind === "fault" ? [read.item] : [])];
  if (read.kind === "fault" || items.length > 0) return { kind: "invalid", items };
  return { kind: "read", args: read.value, idempotency_key: keys[0] ?? null };
};
