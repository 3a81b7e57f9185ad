/** A small EVM node of one block that behaves like rented ones do, each with a fault of its own. */
import { serveSite } from "./local_site.ts";

export interface BadNode {
  readonly url: string;
  /** Requests that it refused. */
  readonly refused: number;
  readonly close: () => Promise<void>;
}

interface NodeReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface NodeRequest {
  readonly calls: readonly { readonly id: number; readonly method: string }[];
  readonly is_array: boolean;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: string;
}

const HASH = `0x${"1".repeat(64)}`;
const BLOCK = { number: "0x1", hash: HASH, parentHash: `0x${"0".repeat(64)}`, timestamp: "0x1", transactions: [] };

const RESULTS: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x7a69",
  eth_blockNumber: "0x1",
  eth_getBlockByNumber: BLOCK,
  eth_getBalance: "0x0",
  web3_clientVersion: "odd/1",
};

const error = (id: number | null, code: number, message: string) => ({ jsonrpc: "2.0", id, error: { code, message } });

const answerOf = ({ id, method }: { readonly id: number; readonly method: string }) =>
  method in RESULTS ? { jsonrpc: "2.0", id, result: RESULTS[method] } : error(id, -32601, `no ${method}`);

const plain = ({ calls, is_array }: NodeRequest): NodeReply => {
  const answers = calls.map(answerOf);
  return { body: is_array ? answers : answers[0] };
};

const refuse = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): NodeReply => ({
  status,
  body,
  headers,
});

/** Null: it answers as it should. */
type NodeFault = (asked: NodeRequest) => NodeReply | null;

const once = (work: NodeFault): NodeFault => {
  let is_first = true;
  return (asked) => {
    const said = is_first ? work(asked) : null;
    is_first = false;
    return said;
  };
};

const rateFault = (): NodeFault => {
  let recent: number[] = [];
  return () => {
    const now = Date.now();
    recent = recent.filter((at) => now - at < 1_000);
    if (recent.length >= 5)
      return refuse(429, error(null, 429, "Your app has exceeded its compute units per second capacity"));
    recent.push(now);
    return null;
  };
};

const solanaAnswer = ({ calls }: NodeRequest): NodeReply => {
  const [call] = calls;
  const id = call?.id ?? null;
  return {
    body:
      call?.method === "getGenesisHash"
        ? { jsonrpc: "2.0", id, result: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d" }
        : error(id, -32601, "Method not found"),
  };
};

const oddAnswer = ({ calls, is_array }: NodeRequest): NodeReply => {
  const answers = calls.map(answerOf).map((answer) => {
    const { jsonrpc, id, ...rest } = answer;
    return { id: String(id), ...("result" in rest ? { error: null } : {}), ...rest };
  });
  return { body: is_array ? answers.toReversed() : answers[0] };
};

const FAULTS: Readonly<Record<string, () => NodeFault>> = {
  r429: rateFault,
  basic:
    () =>
    ({ headers }) =>
      headers.authorization === `Basic ${Buffer.from("user:pw").toString("base64")}`
        ? null
        : refuse(401, { error: "auth" }),
  header:
    () =>
    ({ headers }) =>
      headers["x-api-key"] === "secret" ? null : refuse(401, { message: "API key missing" }),
  bearer:
    () =>
    ({ headers }) =>
      headers.authorization === "Bearer secret" ? null : refuse(401, { message: "no token" }),
  r403: () => () => refuse(403, error(null, -32000, "Your plan does not include this network")),
  html: () => () => refuse(200, "<!doctype html><title>Welcome</title>"),
  redirect: () => () => refuse(307, "", { location: "http://127.0.0.1:9/v3/0123456789abcdef" }),
  bad_gateway: () => () => refuse(502, "<html>502 Bad Gateway</html>"),
  text_error: () => () => refuse(200, { error: "upstream connect error" }),
  nobatch: () => (asked) =>
    asked.is_array ? refuse(200, error(null, -32600, "batch requests are not supported")) : null,
  nobatch400: () => (asked) => (asked.is_array ? refuse(400, "bad request") : null),
  batch3: () => (asked) =>
    asked.calls.length > 3 ? refuse(200, error(null, -32600, "Batch of more than 3 requests are not allowed")) : null,
  empty_array: () => (asked) => (asked.is_array ? refuse(200, []) : null),
  odd: () => oddAnswer,
  solana: () => solanaAnswer,
  echo:
    () =>
    ({ headers, path }) =>
      refuse(
        403,
        error(null, -32000, `unknown key ${path} ${headers["x-key"]} ${atob(String(headers.authorization).slice(6))}`),
      ),
  quota: () => () => refuse(429, error(null, 429, "daily quota exhausted")),
  trongrid: () =>
    once(() =>
      refuse(403, { Error: "request rate exceeds the allowed_rps[15], and the query server is suspended for 2s" }),
    ),
};

export const startBadNode = async (mode: string): Promise<BadNode> => {
  const fault = FAULTS[mode]?.();
  if (fault === undefined) throw new Error(`no fault is called ${mode}`);
  let refused = 0;
  const site = await serveSite((path, response, request) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const json: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const calls = (Array.isArray(json) ? json : [json]) as NodeRequest["calls"];
      const asked = { calls, is_array: Array.isArray(json), headers: request.headers, path };
      const said = fault(asked);
      if (said !== null && mode !== "odd") refused += 1;
      const { status = 200, headers = {}, body } = said ?? plain(asked);
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  return {
    url: `http://127.0.0.1:${site.port}`,
    get refused() {
      return refused;
    },
    close: () => site.close(),
  };
};
