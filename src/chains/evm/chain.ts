/** An EVM network behind JSON-RPC endpoints, as the rest of the code sees it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "../../lib/bytes.ts";
import { toHex } from "../../lib/bytes.ts";
import type { Log } from "../../lib/log.ts";
import type { BlockRef, Chain, Network } from "../chain.ts";
import { addressWord, SELECTORS, wordAt } from "./abi.ts";
import { formatAddress, formatHash, parseAddress } from "./address.ts";
import { readMetadata } from "./metadata.ts";
import { EndpointPool, type EndpointReport } from "./pool.ts";
import { resultsOf, type Traits } from "./probe.ts";
import { BlockReader } from "./reader.ts";
import { StateReader } from "./state.ts";
import { BadAnswer, countOf, fieldsOf, hashOf, quantity } from "./wire.ts";

export type { EndpointReport } from "./pool.ts";

export interface EvmOptions {
  /** Endpoints by preference: http or https, credentials in the URL are sent as Basic authorization. */
  readonly rpc: readonly string[];
  readonly log: Log;
  /** Deadline of one HTTP request. Default 20 s. */
  readonly timeout_ms?: number;
  /** Largest answer that is read. Default 128 MiB (traces of a busy block take tens of MB). */
  readonly response_bytes_max?: number;
  /** Requests in flight per endpoint. Default 16. */
  readonly concurrency_max?: number;
  /** Calls per request. Default 100. */
  readonly batch_max?: number;
  /** Failures of endpoints that one question survives. Default 5. */
  readonly attempts_max?: number;
  /** Longest time that opening waits for the first probes. Default 3 s. */
  readonly open_wait_ms?: number;
}

export interface EvmChain extends Chain {
  /** Asks every endpoint anew what it can do: for `assay doctor`, and at start so that `can` is known. */
  probe(signal: AbortSignal): Promise<readonly EndpointReport[]>;
  close(): Promise<void>;
}

const DEFAULTS = {
  timeout_ms: 20_000,
  response_bytes_max: 128 * 1024 * 1024,
  concurrency_max: 16,
  batch_max: 100,
  attempts_max: 5,
  open_wait_ms: 3_000,
};

/**
 * Opens a network and probes its endpoints once. An endpoint that does not answer yet is no error: it is probed again
 * when it is needed.
 * @throws AssayError CONFIG_INVALID for an address that is no http(s) URL
 */
export const openEvmChain = async (network: Network, options: EvmOptions, signal: AbortSignal): Promise<EvmChain> => {
  const { rpc, ...given } = options;
  const settled = { ...DEFAULTS, ...given };
  const pool = new EndpointPool(network, rpc, settled);
  const waited = new AbortController();
  const wait = sleep(settled.open_wait_ms, undefined, { signal: AbortSignal.any([signal, waited.signal]) });
  // Losing the race is no failure: what a probe finds later, or fails at, is kept by the pool.
  await Promise.race([pool.probe(signal), wait]).finally(() => Promise.allSettled([waited.abort(), wait]));
  return evmChain(network, pool);
};

const evmChain = (network: Network, pool: EndpointPool): EvmChain => {
  const blocks = new BlockReader(pool, network);
  const state = new StateReader(pool, network);
  const heads = new HeadReader(pool, network);
  return {
    network,
    can: {
      get traces() {
        return pool.known.some((traits) => traits.traces !== null);
      },
      get archive() {
        return pool.known.some((traits) => traits.archive);
      },
    },
    parseAddress,
    formatAddress,
    formatHash,
    head: (signal) => heads.head(signal),
    finalized: (signal) => heads.finalized(signal),
    ref: (number, signal) => heads.ref(number, signal),
    blocks: (from, to, signal) => blocks.range(from, to, signal),
    account: (address, signal, at) => state.account(address, signal, at),
    nativeBalances: (addresses, signal, at) => state.nativeBalances(addresses, signal, at),
    tokenBalances: async (pairs, signal, at) => {
      const calls = pairs.map(({ token, holder }) => ({ to: token, data: SELECTORS.balanceOf + addressWord(holder) }));
      const results = await state.call(calls, signal, at);
      return results.map((result) => (result.ok ? wordAt(result.data) : null));
    },
    tokenMetadata: (tokens, signal, at) => readMetadata(tokens, (calls) => state.call(calls, signal, at)),
    call: (calls, signal, at) => state.call(calls, signal, at),
    storage: (address, slot, signal, at) => state.storage(address, slot, signal, at),
    probe: (signal) => pool.probe(signal),
    close: () => pool.close(),
  };
};

class HeadReader {
  readonly #pool: EndpointPool;
  readonly #network: Network;

  constructor(pool: EndpointPool, network: Network) {
    this.#pool = pool;
    this.#network = network;
  }

  async head(signal: AbortSignal): Promise<BlockRef> {
    const ref = await this.#byTag("latest", signal);
    if (ref === null) throw this.#pool.unavailable("head", new BadAnswer("the node has no newest block"));
    return ref;
  }

  /** By the node's `finalized` tag; without one, so many blocks behind the head. */
  async finalized(signal: AbortSignal): Promise<number> {
    const has_tag = this.#pool.known.some((traits) => traits.finalized !== null);
    const accepts = (traits: Traits): boolean => !has_tag || traits.finalized !== null;
    return this.#pool.run({ what: "finalized block", accepts }, signal, async ({ endpoint, traits }) => {
      const tags = traits.finalized === null ? ["latest"] : ["latest", "finalized"];
      const calls = tags.map((tag) => ({ method: "eth_getBlockByNumber", params: [tag, false] }));
      const { answers } = await endpoint.ask(calls, signal);
      const [head, finalized] = resultsOf(answers).map((block) =>
        countOf(fieldsOf(block, "block").number, "block number"),
      );
      if (head === undefined || (finalized ?? 0) > head) throw new BadAnswer("the final block is beyond the newest");
      return finalized ?? Math.max(0, head - this.#network.finality_blocks);
    });
  }

  /** Null when the node says that there is no such block. */
  ref(number: number, signal: AbortSignal): Promise<BlockRef | null> {
    return this.#byTag(quantity(number), signal);
  }

  #byTag(tag: string, signal: AbortSignal): Promise<BlockRef | null> {
    return this.#pool.run({ what: `eth_getBlockByNumber ${tag}` }, signal, async ({ endpoint }) => {
      const { answers } = await endpoint.ask([{ method: "eth_getBlockByNumber", params: [tag, false] }], signal);
      const [block] = resultsOf(answers);
      return block === null ? null : refOf(block, tag);
    });
  }
}

const refOf = (block: unknown, tag: string): BlockRef => {
  const fields = fieldsOf(block, "block");
  const number = countOf(fields.number, "block number");
  if (tag.startsWith("0x") && quantity(number) !== tag) throw new BadAnswer("another block than asked for");
  const hash = (value: unknown, what: string): Hex => toHex(hashOf(value, what));
  return {
    number,
    hash: hash(fields.hash, "block hash"),
    parent_hash: hash(fields.parentHash, "parent hash"),
    time: countOf(fields.timestamp, "block time"),
  };
};
