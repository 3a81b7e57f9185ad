import { hex } from "../../lib/bytes.ts";
import type { BlockRef, Network } from "../chain.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import { WrongChain } from "../node/refusal.ts";
import type { EndpointTraits } from "../open_chain.ts";
import { formatAddress } from "./address.ts";
import { LISTS_OF_ACCOUNTS, type TronEndpoint } from "./endpoint.ts";
import { readRef } from "./heads.ts";
import { hashOf } from "./wire.ts";

/** Capabilities found on one endpoint. */
export interface TronTraits extends EndpointTraits {
  /** Serves Ethereum's JSON-RPC below `/jsonrpc`, the only access to storage. */
  readonly has_json_rpc: boolean;
  readonly lists_accounts: boolean;
}

const CLIENT_CHARACTERS_MAX = 120;
/** Blocks that are searched for an internal transaction: on the main network nearly every block has some. */
const INNER_BLOCKS = 20;
/** The chain id is the end of the first block's id (java-tron, /jsonrpc eth_chainId). */
const CHAIN_ID_OFFSET = 28;

/**
 * Probes an endpoint's capabilities.
 * @throws WrongChain, or the endpoint's error if it does not answer
 */
export const probeEndpoint = async (
  endpoint: TronEndpoint,
  network: Network,
  signal: AbortSignal,
): Promise<TronTraits> => {
  const ask = async (path: string, question: object) => (await endpoint.ask(path, question, signal)).json;
  const genesis = fieldsOf(await ask("/wallet/getblockbynum", { num: 0 }), "first block");
  const chain_id = Buffer.from(hashOf(genesis.blockID, "block id")).readUInt32BE(CHAIN_ID_OFFSET);
  if (chain_id !== network.chain_id)
    throw new WrongChain(`it serves chain ${chain_id}, but ${network.name} is chain ${network.chain_id}`);
  const started = performance.now();
  const head = readRef(await ask("/wallet/getblock", { detail: false }));
  const ms_per_call = performance.now() - started;
  if (head === null) throw new BadAnswer("the node has no newest block");
  return {
    chain_id,
    client: clientOf(await orNull(ask("/wallet/getnodeinfo", {}))),
    head: head.number,
    finalized: finalOf(await orNull(ask("/walletsolidity/getblock", { detail: false })), head),
    receipts: "block",
    traces: (await hasInternal(ask, head.number)) ? "internal_transactions" : null,
    archive: false,
    batch: 1,
    ms_per_call,
    has_json_rpc: hasResult(await orNull(ask("/jsonrpc", CHAIN_ID_CALL))),
    lists_accounts: (await orNull(endpoint.list(LISTED_ACCOUNT, signal))) !== null,
  };
};

/** Any address: of one without internal transactions the list is empty. */
const LISTED_ACCOUNT = `${LISTS_OF_ACCOUNTS}/${formatAddress(hex("00".repeat(20)))}/internal-transactions?only_confirmed=true&order_by=block_timestamp,asc&limit=1`;
const CHAIN_ID_CALL = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };

/** Null if the node does not have the method; throws if the endpoint does not answer at all. */
const orNull = async (answer: Promise<unknown>): Promise<unknown> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BadAnswer) return null;
    throw error;
  }
};

const hasResult = (answer: unknown): boolean =>
  typeof answer === "object" && answer !== null && "result" in answer && typeof answer.result === "string";

const clientOf = (answer: unknown): string | null => {
  if (typeof answer !== "object" || answer === null || !("configNodeInfo" in answer)) return null;
  const { codeVersion } = fieldsOf(answer.configNodeInfo, "node info");
  return typeof codeVersion === "string" ? `java-tron ${codeVersion}`.slice(0, CLIENT_CHARACTERS_MAX) : null;
};

const finalOf = (answer: unknown, head: BlockRef): number | null => {
  const final = answer === null ? null : readRef(answer);
  // The confirmed block may come from a moment later than the newest one.
  return final === null ? null : Math.min(final.number, head.number);
};

/**
 * A node does not report whether it keeps internal transactions (vm.saveInternalTx): it does if one of its latest
 * blocks has one.
 */
const hasInternal = async (ask: (path: string, question: object) => Promise<unknown>, head: number) => {
  for (let num = head; num > Math.max(0, head - INNER_BLOCKS); num -= 1) {
    const infos = await ask("/wallet/gettransactioninfobyblocknum", { num });
    if (Array.isArray(infos) && listOf(infos, "infos").some(hasInner)) return true;
  }
  return false;
};

const hasInner = (info: unknown): boolean => fieldsOf(info, "info").internal_transactions !== undefined;
