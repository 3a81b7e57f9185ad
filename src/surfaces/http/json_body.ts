import { DEPTH_MAX, findJsonFault } from "./json_fault.ts";

/** One item of a 422 `detail` array, shaped as a FastAPI/pydantic v2 service shapes it. */
export interface FieldError {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export type Body =
  | { readonly kind: "object"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "fault"; readonly item: FieldError }
  | { readonly kind: "unreadable" };

/** Longest JSON text of a refused value that is repeated in the answer. */
const INPUT_BYTES_MAX = 256;

/** A refused value, where it is short enough to be repeated. */
export const echo = (input: unknown): { input?: unknown } =>
  Buffer.byteLength(JSON.stringify(input)) <= INPUT_BYTES_MAX ? { input } : {};

/** `application/json` or `application/*+json`, in any case and with any parameters. */
const isJson = (content_type: string | undefined): boolean =>
  content_type !== undefined && /^\s*application\/(?:json|[^\s;/]*\+json)\s*(?:;|$)/i.test(content_type);

const dictType = (input: { input?: unknown }): Body => ({
  kind: "fault",
  item: { type: "dict_type", loc: ["body"], msg: "Input should be a valid dictionary", ...input },
});

const missing: Body = {
  kind: "fault",
  item: { type: "missing", loc: ["body"], msg: "Field required", input: null },
};

/** The JSON object of a body, or its fault. */
export const readJsonBody = (content_type: string | undefined, body: Buffer): Body => {
  if (body.length === 0) return missing;
  if (!isJson(content_type)) return dictType({});
  const decoded = decode(body);
  if (decoded === null) return { kind: "unreadable" };
  const fault = faultOf(decoded.text);
  if (fault !== null) return fault;
  if (!decoded.is_utf8) return { kind: "unreadable" };
  const value: unknown = JSON.parse(decoded.text);
  if (value === null) return missing;
  if (typeof value !== "object" || Array.isArray(value)) return dictType(echo(value));
  // JSON.parse gives a plain object here: its members are all own, `__proto__` included.
  return { kind: "object", value: value as Readonly<Record<string, unknown>> };
};

/** Null when the text is JSON that the contract accepts. */
const faultOf = (text: string): Body | null => {
  try {
    if (isTame(JSON.parse(text))) return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const fault = findJsonFault(text);
  if (fault === null) return null;
  if (fault.kind === "excess") return { kind: "unreadable" };
  const loc = ["body", codePoints(text.slice(0, fault.offset))];
  const ctx = { error: fault.error };
  return { kind: "fault", item: { type: "json_invalid", loc, msg: "JSON decode error", input: {}, ctx } };
};

/** False when V8 accepted something that needs the scanner's judgement: depth, overflow, lone surrogates. */
const isTame = (root: unknown): boolean => {
  let level: readonly unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === "number" && !Number.isFinite(value)) return false;
      if (typeof value === "string" && !value.isWellFormed()) return false;
      if (value === null || typeof value !== "object") continue;
      if (depth >= DEPTH_MAX) return false;
      for (const [key, member] of Object.entries(value)) {
        if (!key.isWellFormed()) return false;
        next.push(member);
      }
    }
    level = next;
  }
  return true;
};

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

interface DecodedBody {
  readonly text: string;
  readonly is_utf8: boolean;
}

/**
 * The text of the body, or null when its bytes are not text. Python's `json` guesses UTF-16 and UTF-32 from a mark or
 * from NUL bytes at the front and reports faults in that text; well-formed JSON in them is refused all the same.
 */
const decode = (body: Buffer): DecodedBody | null => {
  const wide = wideEncoding(body);
  try {
    if (wide === null) return { text: UTF_8.decode(body), is_utf8: true };
    if (wide === "utf-32") return null;
    return { text: new TextDecoder(wide, { fatal: true }).decode(body), is_utf8: false };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

// RFC 4627, section 3: the pattern of NUL bytes in the first four octets tells the encoding.
const wideEncoding = (body: Buffer): "utf-16be" | "utf-16le" | "utf-32" | null => {
  const [a = 1, b = 1, c = 1, d = 1] = body;
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a === 0xff && b === 0xfe) return body.length >= 4 && c === 0 && d === 0 ? "utf-32" : "utf-16le";
  if (body.length < 4 && body.length !== 2) return null;
  if (a === 0) return b === 0 ? "utf-32" : "utf-16be";
  if (b === 0) return body.length > 2 && c === 0 && d === 0 ? "utf-32" : "utf-16le";
  return null;
};
