/** A proxy in front of the service that a test closes, opens and holds: what a page sees when a service restarts or is slow. */
import { request as ask, createServer } from "node:http";

export interface PausableProxy {
  readonly origin: string;
  /** Refuses new connections and cuts existing ones; the page keeps the port. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Calls of tools wait until `release`. */
  hold(): void;
  release(): void;
  /** Calls of tools so far. */
  calls(): number;
}

export const openPausableProxy = async (target: string): Promise<PausableProxy> => {
  let [is_held, calls] = [false, 0];
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const pass = () => {
      const upstream = ask(`${target}${url}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      upstream.on("error", () => outgoing.destroy());
      outgoing.on("close", () => upstream.destroy());
      incoming.pipe(upstream);
    };
    if (method === "POST") calls += 1;
    if (is_held && method === "POST") waiting.push(pass);
    else pass();
  });
  let port = 0;
  const open = () =>
    new Promise<void>((resolve) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        if (address !== null && typeof address !== "string") port = address.port;
        resolve();
      });
    });
  await open();
  return {
    origin: `http://127.0.0.1:${port}`,
    open,
    shut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    hold() {
      is_held = true;
    },
    release() {
      is_held = false;
      for (const pass of waiting.splice(0)) pass();
    },
    calls: () => calls,
  };
};
