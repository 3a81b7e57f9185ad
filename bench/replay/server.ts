/**
 * A node made of recorded or generated blocks: JSON-RPC from memory, with a moving head, reorganisations and faults.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type FaultKind, type ReplayFault, sendBroken, spoil } from "./faults.ts";
import { inMemory, type ReplayBlock, type StoredBlock, store, type TextStore } from "./stored_block.ts";

export type { ReplayBlock } from "./stored_block.ts";

export interface ReplayOptions {
  /** Read once. */
  readonly blocks: Iterable<ReplayBlock>;
  readonly chain_id: number;
  readonly port?: number;
  /** Delay of each answer. */
  readonly latency_ms?: number;
  /** Storage for texts of blocks. Default: in memory. */
  readonly keep?: TextStore;
  /** False: the request comes too soon, and is refused with 429 and no time to wait. */
  readonly admits?: (calls: number) => boolean;
  /** Makes the blocks that are not in `blocks` when a caller requests them. */
  readonly otherBlock?: (number: number) => ReplayBlock;
  /** Called with the calls of every request. */
  readonly onCalls?: (calls: readonly { readonly method: string; readonly params: readonly unknown[] }[]) => void;
  readonly faults?: readonly ReplayFault[];
  /** Methods that the node does not have. */
  readonly lacks?: readonly string[];
  /** Highest block shown at first. Default: the last one. */
  readonly head?: number;
  /** Blocks behind the head that the `finalized` tag names; null for a node without the tag. Default 64. */
  readonly finalized_behind?: number | null;
  /** Answers to everything else (eth_call, eth_getBalance …), JSON as a Buffer; undefined means "no such method". */
  readonly state?: (method: string, params: readonly unknown[]) => unknown;
}

export interface ReplayServer {
  readonly url: string;
  setLatency(ms: number): void;
  /** Active faults; push and splice at will. */
  readonly faults: ReplayFault[];
  setHead(number: number): void;
  /** Replaces every block from the first of `blocks` on, as a reorganisation does, and moves the head to the last. */
  replace(blocks: readonly ReplayBlock[]): void;
  /** Requests that were answered, and refused; calls by method, bytes sent, most requests at once. */
  readonly stats: {
    requests: number;
    refused: number;
    calls: Record<string, number>;
    bytes: number;
    at_once_max: number;
  };
  close(): Promise<void>;
}

interface ReplayRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** State of accounts that the replayed chain says nothing of. */
const EMPTY_ACCOUNT: Readonly<Record<string, Buffer>> = {
  eth_getBalance: Buffer.from('"0x0"'),
  eth_getCode: Buffer.from('"0x"'),
};
const NULL = Buffer.from("null");

export const startReplay = async (options: ReplayOptions): Promise<ReplayServer> => {
  const node = new ReplayNode(options);
  const stats = { requests: 0, refused: 0, calls: {}, bytes: 0, at_once_max: 0 };
  const faults = [...(options.faults ?? [])];
  const pace = { latency_ms: options.latency_ms ?? 0 };
  let at_once = 0;
  const server = createServer((request, response) => {
    at_once += 1;
    stats.at_once_max = Math.max(stats.at_once_max, at_once);
    response.on("close", () => {
      at_once -= 1;
    });
    void answer({ request, response, node, faults, stats, pace, options });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the replay server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    faults,
    stats,
    setLatency: (ms) => {
      pace.latency_ms = ms;
    },
    setHead: (number) => node.setHead(number),
    replace: (blocks) => node.replace(blocks),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

interface ReplayExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly node: ReplayNode;
  readonly faults: ReplayFault[];
  readonly stats: ReplayServer["stats"];
  readonly pace: { readonly latency_ms: number };
  readonly options: Pick<ReplayOptions, "onCalls" | "admits">;
}

const answer = async ({ request, response, node, faults, stats, pace, options }: ReplayExchange): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const json: ReplayRequest | ReplayRequest[] = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const calls = Array.isArray(json) ? json : [json];
  if (options.admits?.(calls.length) === false) {
    stats.refused += 1;
    response.writeHead(429).end("too many requests");
    return;
  }
  stats.requests += 1;
  for (const { method } of calls) stats.calls[method] = (stats.calls[method] ?? 0) + 1;
  options.onCalls?.(calls);
  if (pace.latency_ms > 0) await sleep(pace.latency_ms);
  const fault = takeFault(faults, calls);
  if (fault !== null && sendBroken(fault, response)) return;
  const parts = calls.map((call) => node.respond(call, fault));
  if (fault === "short_batch") parts.pop();
  let body = Array.isArray(json) ? wrapList(parts) : (parts[0] ?? NULL);
  if (fault === "no_batch")
    body = Buffer.from(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch requests are not supported"}}',
    );
  if (fault === "truncated") body = body.subarray(0, body.length >> 1);
  if (fault === "bloated") body = Buffer.concat([Buffer.alloc(64 << 20, " "), body]);
  stats.bytes += body.length;
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
};

const wrapList = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from("["),
    ...parts.flatMap((part, i) => (i === 0 ? [part] : [Buffer.from(","), part])),
    Buffer.from("]"),
  ]);

const takeFault = (faults: ReplayFault[], calls: readonly ReplayRequest[]): FaultKind | null => {
  const place = faults.findIndex(
    (fault) =>
      (fault.kind !== "no_batch" || calls.length > 1) &&
      (fault.method === undefined || calls.some((call) => call.method === fault.method)),
  );
  const fault = faults[place];
  if (fault === undefined) return null;
  if (fault.times !== undefined) {
    fault.times -= 1;
    if (fault.times <= 0) faults.splice(place, 1);
  }
  return fault.kind;
};

class ReplayNode {
  readonly #options: ReplayOptions;
  readonly #by_number = new Map<number, StoredBlock>();
  readonly #by_hash = new Map<string, StoredBlock>();
  readonly #receipts = new Map<string, Buffer>();
  #head = 0;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.replace(options.blocks);
    if (options.head !== undefined) this.#head = options.head;
  }

  setHead(number: number): void {
    this.#head = number;
  }

  replace(blocks: Iterable<ReplayBlock>): void {
    const keep = this.#options.keep ?? inMemory;
    let is_first = true;
    for (const one of blocks) {
      const stored = store(one, keep);
      if (is_first) this.#dropFrom(stored.number);
      is_first = false;
      this.#by_number.set(stored.number, stored);
      this.#by_hash.set(stored.hash, stored);
      this.#head = stored.number;
      if (this.#options.lacks?.includes("eth_getBlockReceipts") === true)
        for (const receipt of one.receipts)
          this.#receipts.set(receipt.transactionHash, Buffer.from(JSON.stringify(receipt)));
    }
  }

  #dropFrom(first: number): void {
    for (const [number, stored] of this.#by_number) {
      if (number < first) continue;
      this.#by_number.delete(number);
      this.#by_hash.delete(stored.hash);
    }
  }

  respond({ id, method, params }: ReplayRequest, fault: FaultKind | null): Buffer {
    const shown = fault === "wrong_id" ? 999_999_999 : id;
    if (fault === "rpc_error") return failure(shown, -32000, "something broke inside");
    let result = this.#options.lacks?.includes(method) === true ? null : this.#result(method, params);
    if (result === null) return failure(shown, -32601, `the method ${method} does not exist/is not available`);
    if (fault !== null) {
      const spoilt = spoil(fault, method, JSON.parse(result.toString("utf8")));
      result = Buffer.from(JSON.stringify(spoilt));
    }
    return Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(shown)},"result":`), result, CLOSE]);
  }

  /** Null: no such method. */
  #result(method: string, params: readonly unknown[]): Buffer | null {
    const text = (value: string): Buffer => Buffer.from(JSON.stringify(value));
    switch (method) {
      case "eth_chainId":
        return text(`0x${this.#options.chain_id.toString(16)}`);
      case "net_version":
        return text(String(this.#options.chain_id));
      case "web3_clientVersion":
        return text("replay/1");
      case "eth_blockNumber":
        return text(`0x${this.#head.toString(16)}`);
      case "eth_getBlockByNumber":
      case "eth_getBlockByHash":
        return this.#find(params[0])?.[params[1] === true ? "full" : "light"]() ?? NULL;
      case "eth_getBlockReceipts":
        return this.#find(params[0])?.receipts() ?? NULL;
      case "eth_getTransactionReceipt":
        return this.#receipts.get(String(params[0])) ?? NULL;
      case "debug_traceBlockByNumber":
      case "debug_traceBlockByHash":
        return this.#find(params[0])?.traces?.() ?? null;
      case "trace_block":
        return this.#find(params[0])?.trace_block?.() ?? null;
      default:
        return this.#state(method, params);
    }
  }

  #state(method: string, params: readonly unknown[]): Buffer | null {
    const value = this.#options.state?.(method, params);
    if (value !== undefined) return Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
    return EMPTY_ACCOUNT[method] ?? null;
  }

  #find(place: unknown): StoredBlock | undefined {
    if (typeof place !== "string") return undefined;
    if (place.length === 66) return this.#by_hash.get(place);
    const number = this.#numberOf(place);
    if (number === null || number > this.#head) return undefined;
    return this.#by_number.get(number) ?? this.#made(number);
  }

  #made(number: number): StoredBlock | undefined {
    const made = this.#options.otherBlock?.(number);
    return made === undefined ? undefined : store(made, inMemory);
  }

  #numberOf(tag: string): number | null {
    const behind = this.#options.finalized_behind === undefined ? 64 : this.#options.finalized_behind;
    if (tag === "latest" || tag === "pending") return this.#head;
    if (tag === "earliest") return Math.min(...this.#by_number.keys());
    if (tag !== "finalized" && tag !== "safe") return Number(tag);
    return behind === null ? null : Math.max(this.#head - behind, Math.min(...this.#by_number.keys()));
  }
}

const CLOSE = Buffer.from("}");

const failure = (id: unknown, code: number, message: string): Buffer =>
  Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
