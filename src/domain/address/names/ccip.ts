import type { CallResult, Chain } from "../../../chains/chain.ts";
import { type Bytes, concatHex, EMPTY, fromHex, type Hex, sliceHex, toHex } from "../../../lib/bytes.ts";
import { DOCUMENT_BOUNDS, readJsonOrNull } from "../../../lib/json_bounds.ts";
import { addressAt, bytesAt, selectorOf, tailOf, textsAt, tuplesAt, wordOf } from "../../abi.ts";

/** Answer of a gateway. `disabled`: the operator allows no gateway calls. `silent`: no gateway answered. */
export type GatewayAnswer =
  | { readonly kind: "answer"; readonly status: number; readonly text: string }
  | { readonly kind: "disabled" | "silent" };

/** Calls a gateway: GET, or POST with a JSON text. */
export type GatewayClient = (url: string, json: string | null) => Promise<GatewayAnswer>;

/** Result of a call after its gateways answered: the return value, or the data of the revert. */
export type GatewayOutcome =
  | { readonly kind: "data"; readonly data: Bytes; readonly via_gateway: boolean }
  | { readonly kind: "revert"; readonly data: Bytes; readonly via_gateway: boolean }
  | { readonly kind: "disabled" }
  | { readonly kind: "silent" };

export interface CcipReader {
  readonly chain: Pick<Chain, "call">;
  /** Block; omitted: the newest. */
  readonly at?: number;
  readonly signal: AbortSignal;
  /** Null or omitted: gateways are not called. */
  readonly gateway?: GatewayClient | null;
}

/** Error of a batch gateway for a request that no gateway answered. */
export const GATEWAY_ERROR = selectorOf("HttpError(uint16,string)");
/** Call of a batch gateway (ensdomains/ens-contracts, IBatchGateway.sol). */
const BATCH_QUERY = selectorOf("query((address,string[],bytes)[])");
/** Revert of a contract that requests a gateway (EIP-3668). */
const OFFCHAIN_LOOKUP = selectorOf("OffchainLookup(address,string[],bytes,bytes4,bytes)");
/** Limit of gateway rounds for one answer. */
const ROUNDS_MAX = 4;
/** Limit of gateways per round. */
const URLS_MAX = 5;
/** Limit of requests in one batch. */
const BATCH_MAX = 8;
/** Limit of HTTP requests for one answer: a contract chooses how many gateways it names. */
const REQUESTS_MAX = 20;
const SELECTOR_BYTES = 4;

export const isOffchainLookup = ({ ok, data }: CallResult): boolean =>
  !ok && toHex(data.subarray(0, SELECTOR_BYTES)) === OFFCHAIN_LOOKUP;

interface OffchainLookup {
  readonly sender: Hex;
  readonly urls: readonly string[];
  readonly call_data: Hex;
  readonly callback: Hex;
  readonly extra_data: Bytes;
}

/** The payload of the revert; null when it is malformed. */
const readLookup = (revert: Bytes): OffchainLookup | null => {
  const data = revert.subarray(SELECTOR_BYTES);
  const sender = addressAt(data, 0);
  const urls = textsAt(data, 1, URLS_MAX);
  const callData = bytesAt(data, 2);
  const extraData = bytesAt(data, 4);
  if (sender === null || urls === null || callData === null || extraData === null) return null;
  const callback = toHex(data.subarray(96, 96 + SELECTOR_BYTES));
  return { sender, urls, call_data: toHex(callData), callback, extra_data: extraData };
};

/** The bytes of `{"data":"0x…"}`; null when the text is no such thing. */
const readResponse = (text: string): Bytes | null => {
  // Not JSON: the gateway is broken, try the next one.
  const value = readJsonOrNull(text, DOCUMENT_BOUNDS);
  const data = typeof value === "object" && value !== null && "data" in value ? value.data : null;
  try {
    return typeof data === "string" && data.startsWith("0x") ? fromHex(data) : null;
  } catch {
    return null; // not hex: as broken
  }
};

/** How a gateway answered: with data, or why not. */
type GatewayReply = Bytes | "disabled" | "silent";

interface GatewayAccess {
  readonly ask: GatewayClient;
  /** HTTP requests that this answer may still send. */
  left: number;
}

type GatewayRequest = Pick<OffchainLookup, "sender" | "urls" | "call_data">;

/** Calls one gateway after the other until one answers (EIP-3668, "Client Lookup Protocol"). */
const queryOverHttp = async (
  { sender, urls, call_data }: GatewayRequest,
  access: GatewayAccess,
): Promise<GatewayReply> => {
  for (const template of urls) {
    if (access.left === 0) return "silent";
    access.left -= 1;
    const url = template.replaceAll("{sender}", `0x${sender}`).replaceAll("{data}", `0x${call_data}`);
    const json = template.includes("{data}") ? null : JSON.stringify({ data: `0x${call_data}`, sender: `0x${sender}` });
    const answer = await access.ask(url, json);
    if (answer.kind === "disabled") return "disabled";
    if (answer.kind !== "answer") continue;
    // The gateway understood and refuses: the others would refuse too.
    if (answer.status >= 400 && answer.status < 500) return "silent";
    const data = answer.status === 200 ? readResponse(answer.text) : null;
    if (data !== null) return data;
  }
  return "silent";
};

/** The requests of `query((address,string[],bytes)[])`; null when the data is no such call. */
const readBatch = (call_data: Hex): readonly GatewayRequest[] | null => {
  const data = fromHex(sliceHex(call_data, SELECTOR_BYTES)) ?? EMPTY;
  const tuples = tuplesAt(data, 0, BATCH_MAX);
  if (tuples === null) return null;
  const requests: GatewayRequest[] = [];
  for (const tuple of tuples) {
    const sender = addressAt(tuple, 0);
    const urls = textsAt(tuple, 1, URLS_MAX);
    const callData = bytesAt(tuple, 2);
    if (sender === null || urls === null || callData === null) return null;
    requests.push({ sender, urls, call_data: toHex(callData) });
  }
  return requests;
};

/** A request without an answer, as the batch reports it: the contract ends with this error. */
const HTTP_ERROR = fromHex(concatHex(GATEWAY_ERROR, wordOf(502n), wordOf(64n), tailOf(EMPTY))) as Bytes; // from hex words, so it is hex

/** `(bool[] failures, bytes[] responses)`. */
const writeBatch = (replies: readonly GatewayReply[]): Bytes => {
  const count = wordOf(BigInt(replies.length));
  const failures = concatHex(count, ...replies.map((reply) => wordOf(typeof reply === "string" ? 1n : 0n)));
  const tails = replies.map((reply) => tailOf(typeof reply === "string" ? HTTP_ERROR : reply));
  let offset = 32 * replies.length;
  const offsets = tails.map((tail) => {
    const at = wordOf(BigInt(offset));
    offset += tail.length / 2;
    return at;
  });
  const answer = concatHex(
    ...[wordOf(64n), wordOf(BigInt(64 + failures.length / 2))],
    ...[failures, count, ...offsets, ...tails],
  );
  return fromHex(answer) ?? EMPTY;
};

/**
 * Answers a lookup. A batch of requests (the Universal Resolver sends all of them so) is split here: a public batch gateway would
 * learn every name, and would call the gateways without this process's limits.
 */
const queryGateways = async (lookup: GatewayRequest, access: GatewayAccess): Promise<GatewayReply> => {
  if (!lookup.call_data.startsWith(BATCH_QUERY)) return queryOverHttp(lookup, access);
  const requests = readBatch(lookup.call_data);
  if (requests === null) return "silent";
  const replies = await Promise.all(requests.map((request) => queryOverHttp(request, access)));
  if (replies.includes("disabled")) return "disabled";
  return replies.every((reply) => reply === "silent") ? "silent" : writeBatch(replies);
};

const callbackData = ({ callback, extra_data }: OffchainLookup, response: Bytes): Hex => {
  const tail = tailOf(response);
  return concatHex(callback, wordOf(64n), wordOf(BigInt(64 + tail.length / 2)), tail, tailOf(extra_data));
};

/** Follows a call of `to` that ended in `result` through its gateways to the answer that the contract accepts. */
export const followLookup = async (reader: CcipReader, to: Hex, result: CallResult): Promise<GatewayOutcome> => {
  const { chain, at, signal, gateway } = reader;
  let answer: CallResult = result;
  let access: GatewayAccess | null = null;
  for (let round = 0; isOffchainLookup(answer); round += 1) {
    if (gateway === null || gateway === undefined) return { kind: "disabled" };
    access ??= { ask: gateway, left: REQUESTS_MAX };
    const lookup = readLookup(answer.data);
    // A forwarded revert of another contract must not be followed: only the called contract can check the answer.
    if (lookup === null || lookup.sender !== to || round === ROUNDS_MAX) return { kind: "silent" };
    const response = await queryGateways(lookup, access);
    if (response === "disabled" || response === "silent") return { kind: response };
    const [next] = await chain.call([{ to, data: callbackData(lookup, response) }], signal, at);
    if (next === undefined) return { kind: "silent" };
    answer = next;
  }
  return { kind: answer.ok ? "data" : "revert", data: answer.data, via_gateway: answer !== result };
};
