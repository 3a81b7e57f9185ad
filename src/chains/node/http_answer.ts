/** HTTP answers of a node, or of a proxy in front of it, that hold no answer of JSON-RPC. */
import { BadAnswer } from "./answer.ts";
import { isMissingMethod, isRateRefusal, NodeRefusal, RpcError, rateRefusal } from "./refusal.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** URL of the request. */
  readonly url: URL;
}

/** `<` */
const TAG = 0x3c;
/** `{` and `[` */
const OPENINGS: readonly number[] = [0x7b, 0x5b];
const BLANKS: readonly number[] = [0x20, 0x0a, 0x0d, 0x09];
const WORDS_BYTES_MAX = 2_000;
const WORDS_CHARACTERS_MAX = 200;

/** @throws Refusal or BadAnswer, unless the body may hold an answer */
export const checkHttp = (answer: HttpAnswer): void => {
  const { status, headers, bytes, url } = answer;
  const first = firstOf(bytes);
  if (status === 200) {
    if (first === TAG) throw new BadAnswer("the address answers with a web page, not with JSON-RPC");
    return;
  }
  if (status >= 300 && status < 400) throw new BadAnswer(redirectProblem(headers.location, url), null, status);
  if (status === 413) throw new NodeRefusal("size", "HTTP 413");
  const text = bytes.toString("utf8", 0, WORDS_BYTES_MAX);
  const told_ms = retryAfterMs(headers["retry-after"], Date.now());
  const is_rate = status === 429 || ((status === 403 || status === 503) && (isRateRefusal(text) || told_ms > 0));
  if (is_rate) throw rateOf(status, wordsIn(text, first), { text, told_ms });
  const is_json = first !== null && OPENINGS.includes(first);
  const words = first === TAG ? "" : wordsIn(text, first);
  // Clients send JSON-RPC errors with 4xx or 5xx too; but a rejected key is no answer to a call.
  const refuses = (status === 401 || status === 403) && !isMissingMethod(new RpcError(0, words, null));
  if (is_json && bytes.includes('"error"') && !refuses) return;
  throw new BadAnswer(words === "" ? `HTTP ${status}` : `HTTP ${status}: ${words}`, null, status);
};

const firstOf = (bytes: Buffer): number | null => bytes.find((byte) => !BLANKS.includes(byte)) ?? null;

const rateOf = (
  status: number,
  words: string,
  told: { readonly text: string; readonly told_ms: number },
): NodeRefusal => {
  const message = words === "" ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
  return told.told_ms > 0
    ? new NodeRefusal("rate", message, { wait_ms: told.told_ms })
    : rateRefusal(message, told.text);
};

/** Seconds or a date (RFC 9110, 10.2.3) as milliseconds from now; 0 for anything else. */
export const retryAfterMs = (header: string | string[] | undefined, now_ms: number): number => {
  if (typeof header !== "string") return 0;
  const seconds = Number(header);
  const wait_ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now_ms;
  return Number.isFinite(wait_ms) ? Math.max(0, wait_ms) : 0;
};

/** Redirects are not followed: the credentials are for the configured address. */
const redirectProblem = (location: string | string[] | undefined, url: URL): string => {
  const target = typeof location === "string" && URL.canParse(location, url.href) ? new URL(location, url) : null;
  if (target === null) return "the node redirects, and does not say where";
  const where = target.host === url.host && target.protocol === url.protocol ? "another path of itself" : target.origin;
  return `the node redirects to ${where}; Assay does not follow, because its credentials are for the configured address: configure the address to which it redirects`;
};

/** The message of a JSON body, else its text, in one short line. */
const wordsIn = (text: string, first: number | null): string => {
  const words = first !== null && OPENINGS.includes(first) ? (messageIn(text) ?? "") : text;
  return words.replace(/\s+/g, " ").trim().slice(0, WORDS_CHARACTERS_MAX);
};

const messageIn = (text: string): string | null => {
  try {
    const json: unknown = JSON.parse(text);
    const { error, message, Error: fault } = Object(Array.isArray(json) ? json[0] : json);
    const told: unknown = Object(error).message ?? error ?? message ?? fault;
    return typeof told === "string" ? told : null;
  } catch {
    return null;
  }
};
