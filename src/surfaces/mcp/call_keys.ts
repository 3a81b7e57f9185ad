import { valuesOf } from "../http/headers.ts";
import { keyFaults } from "../http/idempotency_key.ts";
import type { FieldError } from "../http/json_body.ts";

/** Members of `_meta` of `tools/call`: what REST takes as headers. They count before headers of the request. */
const IDEMPOTENCY_KEY = "assay/idempotency_key";
const CATALOG_VERSION = "assay/catalog_version";
const PICTURE = "assay/picture";

type Meta = Readonly<Record<string, unknown>>;

export type CallKeys =
  | {
      readonly kind: "read";
      readonly idempotency_key: string | null;
      readonly catalog_version: string | null;
      readonly has_picture: boolean;
    }
  /** The items of a 422. */
  | { readonly kind: "invalid"; readonly items: readonly FieldError[] };

const notText = (name: string): FieldError => ({
  type: "string_type",
  loc: ["_meta", name],
  msg: "Input should be a valid string",
});

/** Only a client that shows SVG asks for it; a model cannot (docs/design/portal.md). */
const pictureFaults = (wish: unknown): readonly FieldError[] =>
  wish === undefined || wish === "svg"
    ? []
    : [{ type: "literal_error", loc: ["_meta", PICTURE], msg: "Input should be 'svg'", ctx: { expected: "'svg'" } }];

/** Idempotency-Key and X-Credit-Catalog-Version of a call, from `_meta` or from the headers. */
export const readCallKeys = (meta: Meta, raw_headers: readonly string[]): CallKeys => {
  const { [IDEMPOTENCY_KEY]: key, [CATALOG_VERSION]: version } = meta;
  const items = [IDEMPOTENCY_KEY, CATALOG_VERSION]
    .filter((name) => meta[name] !== undefined && typeof meta[name] !== "string")
    .map(notText);
  const sent = typeof key === "string" ? [key] : valuesOf(raw_headers, "idempotency-key");
  items.push(...keyFaults(sent, typeof key === "string" ? ["_meta", IDEMPOTENCY_KEY] : ["header", "idempotency-key"]));
  items.push(...pictureFaults(meta[PICTURE]));
  if (items.length > 0) return { kind: "invalid", items };
  const versions = typeof version === "string" ? [version] : valuesOf(raw_headers, "x-credit-catalog-version");
  const [idempotency_key = null] = sent;
  return {
    kind: "read",
    idempotency_key,
    catalog_version: versions.at(-1) ?? null,
    has_picture: meta[PICTURE] === "svg",
  };
};
