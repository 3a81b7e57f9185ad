import type { JsonSchema } from "../../openapi/describe_tool.ts";
import { answer, CREDIT_HEADERS, FIVE_HUNDREDS, ref, shared, TRANSPORT } from "../../openapi/responses.ts";
import { VIEWS } from "../../view/requested_view.ts";

const VIEW: JsonSchema = {
  name: "view",
  in: "query",
  description: "`compact`: the tools without output schemas, and the calls over time with their paths.",
  schema: { type: "string", enum: [...VIEWS], default: "full" },
};

/** `GET /api/tools`. */
export const listOperation: JsonSchema = {
  operationId: "list_tools",
  summary: "List the public tools",
  description: "All public tools with input and output schema, networks and price. Free of charge.",
  tags: ["discovery"],
  parameters: [VIEW],
  responses: {
    200: answer("The tools, most expensive first.", ref("discovery"), CREDIT_HEADERS),
    ...TRANSPORT,
    401: shared("unauthorized"),
    422: shared("invalid"),
    429: shared("rate_limited"),
    ...FIVE_HUNDREDS,
  },
};
