import { createServer, type ServerResponse } from "node:http";

/** One request of a client: method and parameters of a JSON-RPC call, or path and body of another HTTP API. */
export interface RelayedRequest {
  readonly what: string;
  readonly asked: unknown;
}

type RelayedJson = { readonly [name: string]: unknown };

/** A fault of a node: whole HTTP responses, or single answers. Undefined leaves an answer unchanged. */
export type RelayLie =
  | "http_429"
  | "http_500"
  | "html"
  | "truncated"
  | "hang"
  | "reset"
  | ((question: RelayedRequest, answer: RelayedJson) => RelayedJson | undefined);

export interface Spoiler {
  readonly url: string;
  /** Null: every answer passes. */
  lie: RelayLie | null;
  close(): Promise<void>;
}

const isJson = (value: unknown): value is RelayedJson =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type RelayLieFunction = Extract<RelayLie, (question: RelayedRequest, answer: RelayedJson) => unknown>;

/** Applies a lie to one answer; returns the answer itself without a change. */
const spoilAnswer = (lie: RelayLieFunction, question: RelayedRequest, answer: unknown): unknown => {
  if (isJson(answer)) return lie(question, answer) ?? answer;
  return lie(question, { list: answer })?.list ?? answer;
};

/** Keeps the node's own text without a change, so that long integers keep their digits. */
const spoilt = (
  lie: RelayLieFunction,
  path: string,
  { body, text }: { readonly body: string; readonly text: string },
): string => {
  const asked: unknown = body === "" ? {} : JSON.parse(body);
  const answer: unknown = JSON.parse(text);
  if (!Array.isArray(asked)) {
    const is_rpc = isJson(asked) && "jsonrpc" in asked;
    const question = is_rpc ? { what: String(asked.method), asked: asked.params } : { what: path, asked };
    const result = spoilAnswer(lie, question, answer);
    return result === answer ? text : JSON.stringify(result);
  }
  // Only JSON-RPC has batches: answers bear the ids of their calls.
  const calls = new Map(asked.filter(isJson).map((call) => [call.id, call]));
  const answers: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const results = answers.map((one) => {
    const call = isJson(one) ? calls.get(one.id) : undefined;
    return call === undefined ? one : spoilAnswer(lie, { what: String(call.method), asked: call.params }, one);
  });
  return results.every((result, i) => result === answers[i]) ? text : JSON.stringify(results);
};

const send = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(text);
};

/** A proxy of a node whose lies a test controls. A lie sees a list answer as `{ list }`. */
export const startSpoiler = async (target: string): Promise<Spoiler> => {
  const state: { lie: RelayLie | null } = { lie: null };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const { lie } = state;
    if (lie === "hang") return;
    if (lie === "reset") return void request.socket.destroy();
    if (lie === "http_429") return send(response, 429, "{}");
    if (lie === "http_500") return send(response, 500, "{}");
    if (lie === "html") return send(response, 200, "<!doctype html><p>busy</p>");
    const path = request.url ?? "/";
    const answer = await fetch(`${target}${path === "/" ? "" : path}`, {
      method: request.method ?? "POST",
      headers: { "content-type": "application/json" },
      ...(body === "" ? {} : { body }),
    });
    const text = await answer.text();
    if (lie === "truncated") return send(response, 200, text.slice(0, text.length / 2));
    send(response, answer.status, typeof lie === "function" && text !== "" ? spoilt(lie, path, { body, text }) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the spoiler has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get lie() {
      return state.lie;
    },
    set lie(lie) {
      state.lie = lie;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
