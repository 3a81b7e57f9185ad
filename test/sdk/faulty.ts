import { createServer, type ServerResponse } from "node:http";

/** Fault of one request: if the call is charged, the service answers first, and its answer is then corrupted. */
export type ProxyFault =
  | "none"
  /** The service answers, and the connection is cut before anything of it is sent. */
  | "cut_after"
  /** Cut in the middle of the body. */
  | "cut_inside"
  /** Cut before the request reaches the service. */
  | "cut_before"
  /** Status 200 with half of the body. */
  | "half_json"
  /** Status 200 with an HTML page. */
  | "html"
  /** Headers at once, the body byte by byte for a minute. */
  | "drip"
  /** 503 of a proxy in front of the service, which receives no request. */
  | "503"
  /** The same with `Retry-After: 1`. */
  | "503_later"
  /** 504 of a gateway although the service has answered. */
  | "504_after"
  /** 429 with `Retry-After: 1`. */
  | "429_later"
  /** 429 with `Retry-After: 86400` and the plan's object. */
  | "429_tomorrow"
  /** A redirect to another host. */
  | "redirect";

export interface FaultyServer {
  readonly url: string;
  /** Received requests, with the Idempotency-Key of each. */
  readonly keys: (string | null)[];
  /** Applies these faults to the next requests, in order; later requests meet none. */
  readonly meet: (...faults: readonly ProxyFault[]) => void;
  /** Authorization headers of requests that followed a redirect. */
  readonly elsewhere: string[];
  close(): Promise<void>;
}

const PLAN_LIMIT = {
  detail: {
    error_code: "PLAN_LIMIT_REACHED",
    meter: "api_calls",
    plan_id: "free",
    limit: 500,
    resets_at: null,
    message: "No credits are left.",
  },
};

const refuse = (response: ServerResponse, status: number, more: { headers?: Record<string, string>; body: unknown }) =>
  response.writeHead(status, { "content-type": "application/json", ...more.headers }).end(JSON.stringify(more.body));

const drip = (response: ServerResponse, text: string): void => {
  let at = 0;
  const timer = setInterval(() => response.write(text.charAt(at++) || " "), 50);
  response.on("close", () => clearInterval(timer));
};

/** A proxy in front of a service that corrupts answers on command. */
export const startFaulty = async (target: string): Promise<FaultyServer> => {
  const queue: ProxyFault[] = [];
  const keys: (string | null)[] = [];
  const elsewhere: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    if (url === "/elsewhere") {
      elsewhere.push(String(headers.authorization));
      return refuse(response, 200, { body: {} });
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const key = headers["idempotency-key"];
    keys.push(typeof key === "string" ? key : null);
    const fault = queue.shift() ?? "none";
    if (fault === "cut_before") return request.socket.destroy();
    if (fault === "503") return refuse(response, 503, { body: { detail: "Away." } });
    if (fault === "503_later")
      return refuse(response, 503, { headers: { "retry-after": "1" }, body: { detail: "Away." } });
    if (fault === "429_later")
      return refuse(response, 429, { headers: { "retry-after": "1" }, body: { detail: "Slow." } });
    if (fault === "429_tomorrow")
      return refuse(response, 429, { headers: { "retry-after": "86400" }, body: PLAN_LIMIT });
    if (fault === "redirect") return refuse(response, 307, { headers: { location: "/elsewhere" }, body: {} });
    const passed = Object.fromEntries(
      ["authorization", "content-type", "idempotency-key", "x-credit-catalog-version"].flatMap((name) => {
        const value = headers[name];
        return typeof value === "string" ? [[name, value]] : [];
      }),
    );
    const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
    const answer = await fetch(`${target}${url}`, { method, headers: passed, ...body });
    const text = await answer.text();
    if (fault === "cut_after") return request.socket.destroy();
    if (fault === "504_after") return refuse(response, 504, { body: { detail: "Gateway time-out" } });
    const told = Object.fromEntries([...answer.headers].filter(([name]) => /^x-|^retry-|^content-type/.test(name)));
    if (fault === "cut_inside") {
      response.writeHead(answer.status, { ...told, "content-length": Buffer.byteLength(text) });
      return response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
    }
    response.writeHead(answer.status, told);
    if (fault === "drip") return drip(response, text);
    if (fault === "half_json") return response.end(text.slice(0, text.length / 2));
    return response.end(fault === "html" ? "<!doctype html><title>Welcome</title>" : text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${address.port}`,
    keys,
    elsewhere,
    meet: (...faults) => void queue.push(...faults),
    close,
  };
};
