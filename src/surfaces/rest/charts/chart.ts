import { chartOf, PICTURED_TOOLS, svgText } from "../../../charts/index.ts";
import { SVG_CSP } from "../../../lib/csp.ts";
import { Prebuilt } from "../../http/cached_body.ts";
import type { FieldError } from "../../http/json_body.ts";
import { freeAnswer, refusal, type SurfaceResponse } from "../../surface_response.ts";
import { RECENT_ANSWER_LIMITS, type RecentAnswers } from "./recent_answers.ts";

export const CHARTS_PATH = "/api/charts";
export const SVG_TYPE = "image/svg+xml";
/** The allowed widths in pixels. */
export const WIDTHS = { least: 320, most: 2_000 } as const;

const QUERY = ["request_id", "width"] as const;

export interface ChartQuery {
  readonly request_id: string;
  readonly width: number | null;
}

/** `?request_id=…&width=…` of a request line, or the items of a 422. */
export const readChartQuery = (url: string): ChartQuery | readonly FieldError[] => {
  const at = url.indexOf("?");
  const query = new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
  const items: FieldError[] = [...new Set(query.keys())]
    .filter((name) => !QUERY.some((known) => known === name))
    .map((name) => ({
      type: "extra_forbidden",
      loc: ["query", name.slice(0, 64)],
      msg: "Extra inputs are not permitted",
    }));
  const request_id = query.getAll("request_id").at(-1) ?? "";
  if (request_id === "") items.push({ type: "missing", loc: ["query", "request_id"], msg: "Field required" });
  const written = query.getAll("width").at(-1);
  const width = written === undefined ? null : /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  if (width !== null && !(width >= WIDTHS.least && width <= WIDTHS.most)) {
    const msg = `Input should be a whole number from ${WIDTHS.least} to ${WIDTHS.most}`;
    items.push({ type: "int_parsing", loc: ["query", "width"], msg });
  }
  return items.length > 0 ? items : { request_id, width };
};

/** The picture as a document of its own; null where the answer has none. */
export const chartSvg = (tool: string, answer: unknown, width: number | null): string | null => {
  const chart = chartOf(tool, answer, width === null ? {} : { width });
  return chart === null ? null : svgText(chart, { standalone: true });
};

const HEADERS = {
  "content-type": `${SVG_TYPE}; charset=utf-8`,
  "content-security-policy": SVG_CSP,
};

const noPicture = (tool: string): SurfaceResponse =>
  refusal(404, `Answers of '${tool}' have no picture. Tools with pictures: ${PICTURED_TOOLS.join(", ")}.`);

const MINUTES = RECENT_ANSWER_LIMITS.kept_ms / 60_000;

const NOT_KEPT = `This process has no answer of this tool with this request_id for the account. The serving process caches answers for up to ${MINUTES} minutes. Call the tool again, or draw the answer that you have: 'assay call TOOL … --svg FILE'.`;
const NOTHING_TO_DRAW = "This answer has nothing to draw.";

/** The picture of an answer that the account was just given, at no charge. */
export const drawRecentAnswer = (
  given: RecentAnswers,
  of: { readonly account_id: string; readonly tool: string },
  { request_id, width }: ChartQuery,
): SurfaceResponse => {
  if (!PICTURED_TOOLS.includes(of.tool)) return noPicture(of.tool);
  const answer = given.find({ ...of, request_id });
  if (answer === null) return refusal(404, NOT_KEPT);
  const text = chartSvg(of.tool, answer, width);
  if (text === null) return refusal(404, NOTHING_TO_DRAW);
  return freeAnswer(new Prebuilt(text), HEADERS);
};
