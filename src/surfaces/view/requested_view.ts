import type { FieldError } from "../http/json_body.ts";
import { quoteText } from "../http/quoted_text.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import type { Compact } from "./compact.ts";
import { isMembers } from "./shape.ts";

/** The views of an answer: REST reads `?view=` and sends the full one by default, MCP reads `detail` and sends the compact one. */
export const VIEWS = ["full", "compact"] as const;
export type ViewName = (typeof VIEWS)[number];

const isView = (text: unknown): text is ViewName => VIEWS.some((view) => view === text);

const VIEW_EXPECTED = "'full' or 'compact'";

/** `?view=` of a request line; the last one counts. An item of a 422 for any other value. */
export const readView = (url: string): ViewName | FieldError => {
  const at = url.indexOf("?");
  const view = at < 0 ? undefined : new URLSearchParams(url.slice(at + 1)).getAll("view").at(-1);
  if (view === undefined) return "full";
  if (isView(view)) return view;
  const input = view.length <= 64 ? { input: view.toWellFormed() } : {};
  const loc = ["query", "view"];
  const ctx = { expected: VIEW_EXPECTED };
  return { type: "literal_error", loc, msg: `Input should be ${VIEW_EXPECTED}`, ...input, ctx };
};

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
