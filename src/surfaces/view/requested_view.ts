import { quoteText } from "../http/quoted_text.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import type { Compact } from "./compact.ts";
import { isMembers } from "./shape.ts";

/** The views of an answer: REST reads `?view=` and sends the full one by default, MCP reads `detail` and sends the compact one. */
export const VIEWS = ["full", "compact"] as const;
export type ViewName = (typeof VIEWS)[number];

export const isView = (text: unknown): text is ViewName => VIEWS.some((view) => view === text);

export const VIEW_EXPECTED = "'full' or 'compact'";

type Arguments = Readonly<Record<string, unknown>>;

/** `detail` of a call over MCP, and the tool's own arguments; the sentence of a refusal for any other value. */
export const readDetail = (args: Arguments): { readonly view: ViewName; readonly args: Arguments } | string => {
  if (!Object.hasOwn(args, "detail")) return { view: "compact", args };
  const { detail, ...rest } = args;
  if (isView(detail)) return { view: detail, args: rest };
  const shown = typeof detail === "string" ? quoteText(detail) : `a value of type ${typeof detail}`;
  return `field 'detail' must be one of compact, full, not ${shown}.`;
};

/** An answer in the requested view: the compact form of status 200; refusals are the same in both. */
export const viewed = (answer: SurfaceResponse, compact: Compact | null): SurfaceResponse => {
  const { status, body, retract } = answer;
  if (compact === null || status !== 200 || !isMembers(body)) return answer;
  const late = retract === undefined ? {} : { retract: async () => viewed(await retract(), compact) };
  return { ...answer, body: compact(body), ...late };
};
