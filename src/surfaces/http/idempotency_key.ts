import { createHash } from "node:crypto";
import { toCanonicalJson } from "./json.ts";
import { echo, type FieldError } from "./json_body.ts";

const IDEMPOTENCY_KEY_LENGTH_MAX = 64;

/** The faults of the Idempotency-Keys of one request, found at `loc`. A request without a key has no fault. */
export const keyFaults = (keys: readonly string[], loc: readonly string[]): readonly FieldError[] => {
  const [key] = keys;
  if (key === undefined) return [];
  if (keys.length > 1) return [{ type: "multiple", loc, msg: "Header should be sent once" }];
  if (key === "") {
    const msg = "String should have at least 1 character";
    return [{ type: "string_too_short", loc, msg, input: key, ctx: { min_length: 1 } }];
  }
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    const msg = `String should have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`;
    return [{ type: "string_too_long", loc, msg, ...echo(key), ctx: { max_length: IDEMPOTENCY_KEY_LENGTH_MAX } }];
  }
  if (/^[\x21-\x7e]+$/.test(key)) return [];
  const pattern = "^[\\x21-\\x7e]+$";
  const msg = `String should match pattern '${pattern}'`;
  return [{ type: "string_pattern_mismatch", loc, msg, ...echo(key), ctx: { pattern } }];
};

/** A part of a request has the request's key, a dot and its number, so the key of such a request is shorter. */
export const PARTED_KEY_LENGTH_MAX = 60;

/** The fault of the Idempotency-Key of a request with parts. */
export const partedKeyFaults = (key: string | null): readonly FieldError[] => {
  if (key === null || key.length <= PARTED_KEY_LENGTH_MAX) return [];
  const msg = `String should have at most ${PARTED_KEY_LENGTH_MAX} characters`;
  const loc = ["header", "idempotency-key"];
  return [{ type: "string_too_long", loc, msg, ...echo(key), ctx: { max_length: PARTED_KEY_LENGTH_MAX } }];
};

/** The Idempotency-Key of a part; null where the request has none. */
export const partKey = (key: string | null, part: number): string | null => (key === null ? null : `${key}.${part}`);

/** A digest of the tool and its arguments. The ledger compares it when an Idempotency-Key is used again: the same digest means the same request. */
export const requestFingerprint = (tool: string, input: unknown): string =>
  createHash("sha256")
    .update(toCanonicalJson([tool, input]))
    .digest("hex");
