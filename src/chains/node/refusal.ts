/** The ways in which a node does not answer, and how to tell them apart from its words. */

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

/**
 * The node will not do this much: `size` when one request was too big (send less at once), `rate` when requests come
 * too fast (send fewer at once, later). Neither says anything bad about the endpoint.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: "size" | "rate";
  readonly wait_ms: number;

  constructor(reason: "size" | "rate", message: string, wait_ms = 0) {
    super(message);
    this.reason = reason;
    this.wait_ms = wait_ms;
  }
}

/** The request ran out of its own time. Less work per request may help, another endpoint too. */
export class Slow extends Error {
  override readonly name = "Slow";
}

/** The endpoint serves another chain: it must never be asked again. */
export class WrongChain extends Error {
  override readonly name = "WrongChain";
}

const SIZE =
  /batch|too large|too big|payload|entity too|body size|response size|query returned more|exceeds the (?:max|limit)|limit of \d+ (?:calls|requests)/i;
const RATE = /rate.?limit|too many requests|capacity|throttl|requests? per|compute units|exceeded|limit reached|quota/i;
const MISSING =
  /method.*(?:not (?:found|supported|available|exist|allowed|enabled|implemented|whitelisted)|does not exist|unsupported|disabled|unavailable)|unknown method|unsupported method|not (?:implemented|whitelisted)|invalid method/i;
const NO_STATE =
  /missing trie node|state (?:is )?(?:not available|unavailable|pruned|recreated)|historical state|header not found|required historical|state at block|pruned|no state available|distance to target block exceeds|old data not available|archive/i;
const EXECUTION =
  /revert|invalid (?:opcode|jump|fe)|out of ?gas|outofgas|gas required exceeds|stack|execution|evm error|vm exception|bad instruction|write protection|max call depth|static call|not activated|invalidjump|opcode|always failing transaction|intrinsic gas|memory limit/i;

/** The words decide before the code: providers reuse codes freely (-32000 is anything, -32005 is "limit" by EIP-1474). */
export const refusalOf = (error: RpcError): Refusal | null => {
  if (error.code === 3 || isMissingState(error)) return null;
  if (error.code === -32005 || error.code === 429 || error.code === -32029)
    return new Refusal(SIZE.test(error.message) ? "size" : "rate", error.message);
  if (EXECUTION.test(error.message) || error.code === -32601) return null;
  if (SIZE.test(error.message)) return new Refusal("size", error.message);
  return RATE.test(error.message) ? new Refusal("rate", error.message) : null;
};

export const isMissingMethod = (error: RpcError): boolean =>
  error.code === -32601 || error.code === -32004 || MISSING.test(error.message);

/** The node is sound but has thrown away what the answer would be made of. */
export const isMissingState = (error: RpcError): boolean => NO_STATE.test(error.message);

/** The contract failed, not the node. Code 3 is "execution reverted" on every client that has it. */
export const isExecution = (error: RpcError): boolean =>
  error.code === 3 || (!isMissingState(error) && EXECUTION.test(error.message));
