import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Meter } from "../../../accounts/meter.ts";
import type { AnyTool } from "../../../tools/tool.ts";
import { callerOf } from "../../hooks/authentication.ts";
import type { RouteHooks } from "../../hooks/route_hooks.ts";
import * as refusals from "../../refusals.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import { CHARTS_PATH, drawRecentAnswer, readChartQuery } from "./chart.ts";
import type { RecentAnswers } from "./recent_answers.ts";

interface ChartsParts {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly meter: Meter;
  readonly recent: RecentAnswers;
}

/** `GET /api/charts/:tool_name`: the picture of a recent answer, free of charge. */
export const addCharts = (app: FastifyInstance, hooks: RouteHooks, parts: ChartsParts): void => {
  const { authentication, rateLimit, responder } = hooks;
  app.get(`${CHARTS_PATH}/:tool_name`, {
    onRequest: authentication.require("api"),
    preHandler: rateLimit,
    handler: async (request, reply) => responder.respond(request, reply, pictureFor(request, parts)),
  });
};

const pictureFor = (request: FastifyRequest, { tools, meter, recent }: ChartsParts): SurfaceResponse => {
  // The route's pattern has exactly this parameter.
  const { tool_name: tool } = request.params as { readonly tool_name: string };
  if (!tools.has(tool) || !meter.isPublic(tool)) return refusals.unknownTool(tool);
  const query = readChartQuery(request.raw.url ?? "");
  if (!("request_id" in query)) return refusals.invalidEnvelope(query);
  return drawRecentAnswer(recent, { account_id: callerOf(request, "api").account_id, tool }, query);
};
