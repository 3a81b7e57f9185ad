import { randomUUID } from "node:crypto";
import { METHODS } from "node:http";
import { type FastifyHttpOptions, type FastifyInstance, fastify, type RawServerDefault } from "fastify";
import type { RequestLimits } from "../limits/request_limits.ts";

type Faults = Pick<FastifyHttpOptions<RawServerDefault>, "clientErrorHandler" | "frameworkErrors">;

/** An HTTP server that leaves bodies, unknown methods and stopping to its routes. */
export const openApp = ({ header_bytes_max, deadline_ms }: RequestLimits, faults: Faults): FastifyInstance => {
  const app = fastify({
    http: { maxHeaderSize: header_bytes_max, requireHostHeader: false, connectionsCheckingInterval: 1_000 },
    // Longer than any run: only a client that does not read is cut off by it.
    connectionTimeout: deadline_ms + 30_000,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: header_bytes_max },
    ...faults,
  });
  // Bodies are read by the route itself, after authentication; fastify must not touch them, whatever the method.
  for (const method of METHODS)
    if (method !== "CONNECT") app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  return app;
};
