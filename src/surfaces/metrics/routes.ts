import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "./metrics.ts";

/** `GET /metrics`: the metrics of this process as Prometheus text. */
export const addMetrics = (app: FastifyInstance, metrics: Metrics): void => {
  app.get("/metrics", async (_request, reply) =>
    reply
      .header("cache-control", "no-store")
      .type(metrics.content_type)
      .send(await metrics.text()),
  );
};

/** Counts every request by the pattern of its route, and by its tool where the path names one of `tools`. */
export const countRequests = (
  app: FastifyInstance,
  metrics: Metrics,
  tools: { readonly has: (name: string) => boolean },
): void => {
  app.addHook("onResponse", async (request: FastifyRequest, reply: FastifyReply) => {
    const name = Reflect.get(Object(request.params), "tool_name");
    const tool = typeof name === "string" && tools.has(name) ? name : "";
    const route = request.is404 ? "none" : (request.routeOptions.url ?? "none");
    metrics.request({ route, status: reply.raw.statusCode, tool, seconds: reply.elapsedTime / 1000 });
  });
};
