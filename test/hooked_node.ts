/** A proxy before a node that answers some calls in its own way: how providers differ from a plain node. */
import { createServer, type IncomingHttpHeaders } from "node:http";

export interface HookedCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The answer to a call without its id; undefined: as the node answers it. */
export type Hook = (call: HookedCall) => { readonly result: unknown } | { readonly error: object } | undefined;

export interface HookedNode {
  readonly url: string;
  readonly stats: { calls: number };
  close(): Promise<void>;
}

interface HookOptions {
  /** A call as the node gets it. */
  readonly rewrite?: (call: HookedCall) => HookedCall;
  /** Status of a whole HTTP request that is refused; null: it is answered. */
  readonly refusal?: (headers: IncomingHttpHeaders) => number | null;
  /** The answer instead of the node's own text. */
  readonly instead?: (call: HookedCall, text: string) => { readonly error: object } | undefined;
}

export const rpcError = (message: string, code = -32000) => ({ error: { code, message } });

export const hookedNode = async (
  upstream: string,
  hook: Hook,
  { rewrite = (call) => call, refusal = () => null, instead = () => undefined }: HookOptions = {},
): Promise<HookedNode> => {
  const stats = { calls: 0 };
  // The node's own text: its integers may have more digits than a number keeps.
  const answerTo = async (call: HookedCall): Promise<string> => {
    stats.calls += 1;
    const own = hook(call);
    if (own !== undefined) return JSON.stringify({ jsonrpc: "2.0", id: call.id, ...own });
    const response = await fetch(upstream, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(rewrite(call)),
    });
    const text = await response.text();
    const other = instead(call, text);
    return other === undefined ? text : JSON.stringify({ jsonrpc: "2.0", id: call.id, ...other });
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const status = refusal(request.headers);
    if (status !== null) {
      response.writeHead(status).end("refused");
      return;
    }
    const asked: HookedCall | HookedCall[] = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const answer = Array.isArray(asked)
      ? `[${(await Promise.all(asked.map(answerTo))).join(",")}]`
      : await answerTo(asked);
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    stats,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
