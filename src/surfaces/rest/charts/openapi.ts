import { PICTURED_TOOLS } from "../../../charts/index.ts";
import type { JsonSchema } from "../../openapi/describe_tool.ts";
import { answer, CREDIT_HEADERS, FIVE_HUNDREDS, named, ref, shared, TRANSPORT } from "../../openapi/responses.ts";
import { TEXT } from "../../openapi/shared_schemas.ts";
import { SVG_TYPE, WIDTHS } from "./chart.ts";
import { RECENT_ANSWER_LIMITS } from "./recent_answers.ts";

/** `GET /api/charts/{tool_name}`. */
export const chartOperation: JsonSchema = {
  operationId: "draw_answer",
  summary: "Get the picture of a recent answer",
  description: `An SVG document, free of charge. The serving process caches each answer for up to ${RECENT_ANSWER_LIMITS.kept_ms / 60_000} minutes; a 404 says what to do afterwards. After a repeat with the same Idempotency-Key, either request id works.`,
  tags: ["tools"],
  parameters: [
    { name: "tool_name", in: "path", required: true, schema: { type: "string", enum: [...PICTURED_TOOLS] } },
    { name: "request_id", in: "query", required: true, description: "X-Request-Id of the answer.", schema: TEXT },
    {
      name: "width",
      in: "query",
      description: "Pixels.",
      schema: { type: "integer", minimum: WIDTHS.least, maximum: WIDTHS.most, default: 720 },
    },
  ],
  responses: {
    200: {
      description: "The picture.",
      headers: named(CREDIT_HEADERS),
      content: { [SVG_TYPE]: { schema: { type: "string" } } },
    },
    ...TRANSPORT,
    401: shared("unauthorized"),
    404: answer("The tool or the answer does not exist, or the answer has no picture.", ref("detail"), CREDIT_HEADERS),
    422: answer("The query is invalid.", ref("invalid_request"), CREDIT_HEADERS),
    429: shared("rate_limited"),
    ...FIVE_HUNDREDS,
  },
};
