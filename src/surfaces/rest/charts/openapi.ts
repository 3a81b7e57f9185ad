import { PICTURED_TOOLS } from "../../../charts/index.ts";
import type { JsonSchema } from "../../openapi/describe_tool.ts";
import { answer, CREDIT_HEADERS, FIVE_HUNDREDS, named, ref, shared, TRANSPORT } from "../../openapi/responses.ts";
import { TEXT } from "../../openapi/shared_schemas.ts";
import { SVG_TYPE, WIDTHS } from "./chart.ts";
import { RECENT_ANSWER_LIMITS } from "./recent_answers.ts";

/** `GET /api/charts/{tool_name}`. */
export const chartOperation: JsonSchema = {
  operationId: "draw_answer",
  summary: "The picture of an answer that was just given",
  description: `An SVG document, at no charge. Answers are kept for ${RECENT_ANSWER_LIMITS.kept_ms / 60_000} minutes, while there is room, by the process that gave them; 404 says what to do. Of a repeat with the same Idempotency-Key, the id of the repeat finds it too.`,
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
    404: answer("No such tool, or no such answer, or it has no picture.", ref("detail"), CREDIT_HEADERS),
    422: answer("The query is invalid.", ref("invalid_request"), CREDIT_HEADERS),
    429: shared("rate_limited"),
    ...FIVE_HUNDREDS,
  },
};
