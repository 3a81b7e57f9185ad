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

/** A digest of the tool and its arguments. The ledger compares it when an Idempotency-Key is used again: the same digest means the same request. */
export const requestFingerprint = (tool: string, input: unknown): string =>
  createHash("sha256")
    .update(toCanonicalJson([tool, input]))
    .digest("hex");
