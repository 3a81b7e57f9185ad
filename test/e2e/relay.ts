import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** One relayed JSON-RPC call, as the client sent it. */
export interface PassedCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface Relay {
  readonly url: string;
  readonly calls: PassedCall[];
  /** Delay before it forwards a call. */
  readonly pace: { latency_ms: number };
  close(): Promise<void>;
}

/** A proxy of a node that records calls and changes nothing. `onAnswer`: gets the text of every answer. */
export const startRelay = async (target: string, onAnswer: (text: string) => void = () => {}): Promise<Relay> => {
  const calls: PassedCall[] = [];
  const pace = { latency_ms: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const json: PassedCall | PassedCall[] = JSON.parse(body);
    calls.push(...(Array.isArray(json) ? json : [json]));
    if (pace.latency_ms > 0) await sleep(pace.latency_ms);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(target, { method: "POST", headers, body });
    const text = await answer.text();
    onAnswer(text);
    response.writeHead(answer.status, headers).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${address.port}`, calls, pace, close };
};
