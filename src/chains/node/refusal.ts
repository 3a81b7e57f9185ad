/** The ways in which a node fails to answer, recognized by its messages. */

/** The node answered one call with a JSON-RPC error object. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** The error's `data` as sent: the revert payload of a call. */
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface RefusalFacts {
  readonly wait_ms?: number;
  readonly calls_max?: number | null;
}

/**
 * The node will not do this much: `size` if one request was too big (send less at once), `rate` if requests come too
 * fast (send fewer at once, later). Neither makes the endpoint unhealthy.
 */
export class NodeRefusal extends Error {
  override readonly name = "Refusal";
  readonly reason: "size" | "rate";
  readonly wait_ms: number;
  /** Most calls of an array, if the endpoint states it or rejected an array of two. */
  readonly calls_max: number | null;

  constructor(reason: "size" | "rate", message: string, { wait_ms = 0, calls_max = null }: RefusalFacts = {}) {
    super(message);
    this.reason = reason;
    this.wait_ms = wait_ms;
    this.calls_max = calls_max;
  }
}

/** The request ran out of its own time. A smaller request may help, another endpoint too. */
export class Slow extends Error {
  override readonly name = "Slow";
}

/** The endpoint serves another chain and must never be used again. */
export class WrongChain extends Error {
  override readonly name = "WrongChain";
}

const SIZE =
  /batch|too large|too big|payload|entity too|body size|response size|returned more|more than [\d,]+ (?:results|logs|blocks)|block range|[\d,]+ (?:block )?range|range (?:is )?too|exceeds? (?:the )?(?:max|limit of)|limit of \d+ (?:calls|requests)/i;
const RATE =
  /rate.?(?:limit|exceed)|request rate|frequency limit|too many (?:requests|calls|concurrent)|throttl|slow down|requests? (?:per|limit)|compute units|limit reached|\blimit(?:s|ed)?\b.{0,60}(?:per |\/ ?)(?:s|sec|second|min|minute|hour|day|month)\b|(?:capacity|quota|credits?|requests?|calls|daily|monthly)\b.{0,40}(?:exceeded|exhausted|reached|used up)|exceeded.{0,60}(?:capacity|quota|credits|requests?|calls|limit)|timeout on the free tier|temporarily (?:suspended|banned|blocked)|suspended for \d/i;
/** A missing feature of a plan or key stays missing. */
const PLAN =
  /(?:not (?:available|included|supported|allowed|enabled)|does not include|doesn't include|unavailable)\b.{0,60}\b(?:plan|tier|network|key|project)|(?:plan|tier|key|project)\b.{0,40}(?:does not (?:include|support|allow)|not (?:include|support|allow))/i;
/** The number of calls that an array may have, after the words that limit it. */
const ARRAY_LIMIT = /(?:more than|max(?:imum)?|limit(?:ed)?|up to|at most|exceeds?)\D{0,30}(\d{1,5})\b/i;
const NO_ARRAYS =
  /\b(?:batch|batches|array|arrays)\b.{0,40}(?:not|n't|un|dis)|(?:not|n't|no|disabled?|unsupported)\b.{0,40}\b(?:batch|array)/i;
const PER_SECOND = /(?:per |\/ ?)(?:s|sec|second)\b/i;
const CONCURRENT = /concurren|simultaneous|in parallel/i;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, mi: 60_000, m: 60_000, h: 3_600_000 };
const TOLD_WAIT =
  /(?:suspended for|backoff_seconds\W{1,3}|(?:try again|retry|wait)\D{0,20})\s*(\d+(?:\.\d+)?)\s*(ms|milli|mi|m(?![a-z])|h)?/i;
const MISSING =
  /method.*(?:not (?:found|supported|available|exist|allowed|enabled|implemented|whitelisted)|does not exist|unsupported|disabled|unavailable)|unknown method|unsupported method|not (?:implemented|whitelisted)|invalid method/i;
const NO_STATE =
  /missing trie node|state (?:is )?(?:not available|unavailable|pruned|recreated)|historical state|header not found|required historical|state at block|pruned|no state available|distance to target block exceeds|old data not available|archive/i;
const EXECUTION =
  /revert|invalid (?:opcode|jump|fe)|out of ?gas|outofgas|gas required exceeds|stack|execution|evm error|vm exception|bad instruction|write protection|max call depth|static call|not activated|invalidjump|opcode|always failing transaction|intrinsic gas|memory limit/i;

/** JSON-RPC codes with which providers reject too many requests, whatever the message. */
const RATE_CODES: readonly number[] = [429, -32005, -32007, -32029];

/**
 * The message decides before the code: providers reuse codes freely (-32000 is anything, -32005 is "limit" by
 * EIP-1474).
 */
export const refusalOf = (error: RpcError): NodeRefusal | null => {
  if (error.code === 3 || isMissingState(error)) return null;
  const asRate = (): NodeRefusal => rateRefusal(error.message, JSON.stringify(error.data) ?? "");
  if (RATE_CODES.includes(error.code)) return SIZE.test(error.message) ? sizeRefusal(error.message) : asRate();
  if (EXECUTION.test(error.message) || error.code === -32601 || PLAN.test(error.message)) return null;
  if (isRateRefusal(error.message)) return asRate();
  return SIZE.test(error.message) ? sizeRefusal(error.message) : null;
};

const sizeRefusal = (message: string): NodeRefusal =>
  new NodeRefusal("size", message, { calls_max: arrayLimitOf(message) });

/** The message means that the same request may succeed later. */
export const isRateRefusal = (text: string): boolean => RATE.test(text) && !PLAN.test(text) && !SIZE.test(text);

/** @param more further text of the answer, which may state the time to wait */
export const rateRefusal = (message: string, more = ""): NodeRefusal =>
  new NodeRefusal("rate", message, { wait_ms: statedWaitMs(message) || statedWaitMs(more) });

/** The wait that a message requests, milliseconds; 0 if it states none. */
export const statedWaitMs = (text: string): number => {
  const [, amount = "0", unit = ""] = TOLD_WAIT.exec(text) ?? [];
  return Number(amount) * (UNIT_MS[unit.toLowerCase().slice(0, 2)] ?? (unit === "milli" ? 1 : 1_000));
};

/** The limit applies per second, so that it passes soon. */
export const isPerSecondLimit = (text: string): boolean => PER_SECOND.test(text);

/** The endpoint limits the requests in flight. */
export const isConcurrencyLimit = (text: string): boolean => CONCURRENT.test(text);

/** Most calls of an array by this message: 1 if it rejects arrays, null if it states no number. */
export const arrayLimitOf = (text: string): number | null => {
  if (!/batch|array/i.test(text)) return null;
  const limit = ARRAY_LIMIT.exec(text)?.[1];
  if (limit !== undefined) return Math.max(1, Number(limit));
  return NO_ARRAYS.test(text) ? 1 : null;
};

export const isMissingMethod = (error: RpcError): boolean =>
  error.code === -32601 || error.code === -32004 || MISSING.test(error.message);

/** A member of a load-balanced endpoint lacks a block that others have: the next answer may differ. */
export const isNotYet = ({ message }: RpcError): boolean => /header not found/i.test(message);

/** The node is healthy but has pruned the data that the answer needs. */
export const isMissingState = (error: RpcError): boolean => NO_STATE.test(error.message);

/** The contract failed, not the node. Code 3 is "execution reverted" on every client that has it. */
export const isExecution = (error: RpcError): boolean =>
  error.code === 3 || (!isMissingState(error) && EXECUTION.test(error.message));
