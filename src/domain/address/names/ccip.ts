import type { CallResult, Chain } from "../../../chains/chain.ts";
import { type Bytes, concatHex, fromHex, type Hex, toHex } from "../../../lib/bytes.ts";
import { DOCUMENT_BOUNDS, readJsonOrNull } from "../../../lib/json_bounds.ts";
import { addressAt, bytesAt, selectorOf, tailOf, textsAt, wordOf } from "../../abi.ts";

/** Answer of a gateway. `disabled`: the operator allows no gateway calls. `silent`: no gateway answered. */
export type GatewayAnswer =
  | { readonly kind: "answer"; readonly status: number; readonly text: string }
  | { readonly kind: "disabled" | "silent" };

/** Calls a gateway: GET, or POST with a JSON text. */
export type GatewayClient = (url: string, json: string | null) => Promise<GatewayAnswer>;

/** Result of a call after its gateways answered. `data` is the return value, empty for a revert. */
export type GatewayOutcome =
  | { readonly kind: "data"; readonly data: Bytes; readonly via_gateway: boolean }
  | { readonly kind: "disabled" | "silent" };

export interface CcipReader {
  readonly chain: Chain;
  readonly at: number;
  readonly signal: AbortSignal;
  /** Null or omitted: gateways are not called. */
  readonly gateway?: GatewayClient | null;
}

/** Revert of a contract that requests a gateway (EIP-3668). */
const OFFCHAIN_LOOKUP = selectorOf("OffchainLookup(address,string[],bytes,bytes4,bytes)");
/** Limit of gateway rounds for one answer. */
const ROUNDS_MAX = 4;
/** Limit of gateways per round. */
const URLS_MAX = 5;
const NOTHING = new Uint8Array(0);
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

/** Calls one gateway after the other until one answers (EIP-3668, "Client Lookup Protocol"). */
const queryGateways = async (
  { sender, urls, call_data }: OffchainLookup,
  ask: GatewayClient,
): Promise<Bytes | "disabled" | "silent"> => {
  for (const template of urls) {
    const url = template.replaceAll("{sender}", `0x${sender}`).replaceAll("{data}", `0x${call_data}`);
    const json = template.includes("{data}") ? null : JSON.stringify({ data: `0x${call_data}`, sender: `0x${sender}` });
    const answer = await ask(url, json);
    if (answer.kind === "disabled") return "disabled";
    if (answer.kind !== "answer") continue;
    // The gateway understood and refuses: the others would refuse too.
    if (answer.status >= 400 && answer.status < 500) return "silent";
    const data = answer.status === 200 ? readResponse(answer.text) : null;
    if (data !== null) return data;
  }
  return "silent";
};

const callbackData = ({ callback, extra_data }: OffchainLookup, response: Bytes): Hex => {
  const tail = tailOf(response);
  return concatHex(callback, wordOf(64n), wordOf(BigInt(64 + tail.length / 2)), tail, tailOf(extra_data));
};

/** Follows a call of `to` that ended in `result` through its gateways to the answer that the contract accepts. */
export const followLookup = async (reader: CcipReader, to: Hex, result: CallResult): Promise<GatewayOutcome> => {
  const { chain, at, signal, gateway } = reader;
  let answer: CallResult = result;
  for (let round = 0; isOffchainLookup(answer); round += 1) {
    if (gateway === null || gateway === undefined) return { kind: "disabled" };
    const lookup = readLookup(answer.data);
    // A forwarded revert of another contract must not be followed: only the called contract can check the answer.
    if (lookup === null || lookup.sender !== to || round === ROUNDS_MAX) return { kind: "silent" };
    const response = await queryGateways(lookup, gateway);
    if (response === "disabled" || response === "silent") return { kind: response };
    const [next] = await chain.call([{ to, data: callbackData(lookup, response) }], signal, at);
    // If the contract rejects the gateway's answer, the call has no answer.
    if (next === undefined || (!next.ok && !isOffchainLookup(next))) return { kind: "silent" };
    answer = next;
  }
  return { kind: "data", data: answer.ok ? answer.data : NOTHING, via_gateway: answer !== result };
};
