import { type EnvelopeItem, keyFaults, valuesOf } from "./envelope.ts";

/** Members of `_meta` of `tools/call`: what REST takes as headers. They count before headers of the request. */
const IDEMPOTENCY_KEY = "assay/idempotency_key";
const CATALOG_VERSION = "assay/catalog_version";

type Meta = Readonly<Record<string, unknown>>;

export type CallKeys =
  | { readonly kind: "read"; readonly idempotency_key: string | null; readonly catalog_version: string | null }
  /** The items of a 422. */
  | { readonly kind: "invalid"; readonly items: readonly EnvelopeItem[] };

const notText = (name: string): EnvelopeItem => ({
  type: "string_type",
  loc: ["_meta", name],
  msg: "Input should be a valid string",
});

/** Idempotency-Key and X-Credit-Catalog-Version of a call, from `_meta` or from the headers. */
export const readCallKeys = (meta: Meta, raw_headers: readonly string[]): CallKeys => {
  const { [IDEMPOTENCY_KEY]: key, [CATALOG_VERSION]: version } = meta;
  const items = [IDEMPOTENCY_KEY, CATALOG_VERSION]
    .filter((name) => meta[name] !== undefined && typeof meta[name] !== "string")
    .map(notText);
  const sent = typeof key === "string" ? [key] : valuesOf(raw_headers, "idempotency-key");
  items.push(...keyFaults(sent, typeof key === "string" ? ["_meta", IDEMPOTENCY_KEY] : ["header", "idempotency-key"]));
  if (items.length > 0) return { kind: "invalid", items };
  const versions = typeof version === "string" ? [version] : valuesOf(raw_headers, "x-credit-catalog-version");
  return { kind: "read", idempotency_key: sent[0] ?? null, catalog_version: versions.at(-1) ?? null };
};
