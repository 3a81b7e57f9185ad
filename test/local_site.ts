import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, createServer as createPlain } from "node:net";
import type { OwnOrigin } from "../src/web/guarded.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "./web_certificate.ts";

/** A server on this machine that counts who comes. */
export interface LocalSite {
  readonly port: number;
  /** Connections so far. */
  readonly connections: () => number;
  /** Requests so far: `GET /path`. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

type SiteResponder = (path: string, response: ServerResponse, request: IncomingMessage) => void;

const listen = async (server: Server | ReturnType<typeof createPlain>, host: string): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // A server that listens on TCP has an address of this shape.
  return (server.address() as AddressInfo).port;
};

const closing = (server: Server | ReturnType<typeof createPlain>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if ("closeAllConnections" in server) server.closeAllConnections();
  });

/** A site whose answers are given. Port 0: the system picks a free one. */
export const serveSite = async (
  answer: SiteResponder,
  { host = "127.0.0.1", secure = false } = {},
): Promise<LocalSite> => {
  const asked: string[] = [];
  let connections = 0;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(`${request.method} ${request.url}`);
    answer(request.url ?? "", response, request);
  };
  const server = secure ? createSecure({ key: TEST_KEY, cert: TEST_CERTIFICATE }, handle) : createServer(handle);
  server.on("connection", () => {
    connections += 1;
  });
  const port = await listen(server, host);
  return { port, connections: () => connections, asked, close: () => closing(server) };
};

/** A server that answers the first bytes it hears with `wire`, whatever they are; null: with nothing, ever. */
export const serveBytes = async (wire: string | null): Promise<LocalSite> => {
  let connections = 0;
  const server = createPlain((socket) => {
    connections += 1;
    socket.on("error", () => undefined).resume();
    if (wire !== null) socket.once("data", () => socket.end(wire));
  });
  const port = await listen(server, "127.0.0.1");
  return { port, connections: () => connections, asked: [], close: () => closing(server) };
};

/** The site as an origin that a fetcher may ask although it is local. */
export const ownOrigin = ({ port }: Pick<LocalSite, "port">, origin = "http://site.test"): OwnOrigin => ({
  origin,
  address: "127.0.0.1",
  port,
});
