import { Client, Pool } from "undici";

/** `0x…` text, as JSON-RPC carries it. */
export type HexText = `0x${string}`;

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** JSON-RPC to one node over keep-alive connections. Errors of the node are thrown with method and message. */
export interface Rpc {
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** One HTTP request, executed in order; answers in the order of the calls. */
  batch(calls: readonly RpcCall[]): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

interface AnvilResponse {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const TIMEOUT_MS = 30_000;

const resultOf = (call: RpcCall, answer: AnvilResponse | undefined): unknown => {
  if (answer === undefined) throw new Error(`${call.method}: the node did not answer it`);
  if (answer.error !== undefined) {
    const { message, data } = answer.error;
    throw new Error(`${call.method}: ${message}${data === undefined ? "" : ` ${JSON.stringify(data)}`}`);
  }
  return answer.result;
};

const request = (call: RpcCall, id: number) => ({ jsonrpc: "2.0", id, method: call.method, params: call.params });

/** Maximum number of requests in flight when no answer is awaited. */
const IN_FLIGHT = 64;

/**
 * Sends every list of calls as a request of its own, one behind the other on one connection: the node executes them in
 * this order, and never waits for the sender.
 * @throws on an error of the node, or when the connection ends; later requests are lost.
 */
export const sendInOrder = async (url: string, requests: readonly (readonly RpcCall[])[]): Promise<void> => {
  const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  const line = new Client(url, { pipelining: IN_FLIGHT, ...timeouts });
  // A second connection would have its own order.
  line.once("disconnect", () => void line.destroy(new Error(`${url} ended the connection`)));
  const send = async (calls: readonly RpcCall[]): Promise<void> => {
    const { body } = await line.request({
      path: "/",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(calls.map(request)),
      // Marked idempotent for undici: it would wait for each answer otherwise.
      idempotent: true,
    });
    // JSON-RPC 2.0: a batch is answered by a list in any order.
    const answers = (await body.json()) as AnvilResponse[];
    for (const [id, call] of calls.entries())
      resultOf(
        call,
        answers.find((answer) => answer.id === id),
      );
  };
  try {
    await Promise.all(requests.map(send));
  } finally {
    await line.destroy();
  }
};

/** @param url of the node, `http://127.0.0.1:8545`. */
export const openRpc = (url: string): Rpc => {
  const pool = new Pool(url, { connections: 2, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const post = async (body: unknown): Promise<unknown> => {
    const { statusCode, body: answer } = await pool.request({
      path: "/",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (statusCode !== 200) throw new Error(`${url} answered HTTP ${statusCode}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    async call(method, ...params) {
      const call = { method, params };
      // JSON-RPC 2.0: an answer has `result` or `error`; `resultOf` distinguishes them.
      return resultOf(call, (await post(request(call, 0))) as AnvilResponse);
    },
    async batch(calls) {
      if (calls.length === 0) return []; // JSON-RPC has no empty batch
      // JSON-RPC 2.0: a batch is answered by a list in any order.
      const answers = (await post(calls.map(request))) as AnvilResponse[];
      const byId = new Map(answers.map((answer) => [answer.id, answer]));
      return calls.map((call, id) => resultOf(call, byId.get(id)));
    },
    close: () => pool.destroy(),
  };
};

export const quantity = (value: bigint | number): HexText => `0x${value.toString(16)}`;
