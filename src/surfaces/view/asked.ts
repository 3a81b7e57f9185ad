import type { Answer } from "../answer.ts";
import type { EnvelopeItem } from "../envelope.ts";
import { quoted } from "../quoted.ts";
import type { Compact } from "./compact.ts";
import { isMembers } from "./shape.ts";

/** How REST draws an answer (`?view=`), and MCP (`detail` beside a tool's own arguments): by default whole, and compact. */
export const VIEWS = ["full", "compact"] as const;
export type Drawing = (typeof VIEWS)[number];

const isView = (text: unknown): text is Drawing => VIEWS.some((view) => view === text);

const EXPECTED = "'full' or 'compact'";

/** `?view=` of a request line; the last one counts. An item of a 422 where it is neither. */
export const readView = (url: string): Drawing | EnvelopeItem => {
  const at = url.indexOf("?");
  const view = at < 0 ? undefined : new URLSearchParams(url.slice(at + 1)).getAll("view").at(-1);
  if (view === undefined) return "full";
  if (isView(view)) return view;
  const input = view.length <= 64 ? { input: view.toWellFormed() } : {};
  const loc = ["query", "view"];
  return { type: "literal_error", loc, msg: `Input should be ${EXPECTED}`, ...input, ctx: { expected: EXPECTED } };
};

type Arguments = Readonly<Record<string, unknown>>;

/** `detail` of a call over MCP, and the tool's own arguments; the sentence of a refusal where it is neither. */
export const readDetail = (args: Arguments): { readonly view: Drawing; readonly args: Arguments } | string => {
  if (!Object.hasOwn(args, "detail")) return { view: "compact", args };
  const { detail, ...rest } = args;
  if (isView(detail)) return { view: detail, args: rest };
  const shown = typeof detail === "string" ? quoted(detail) : `a value of type ${typeof detail}`;
  return `field 'detail' must be one of compact, full, not ${shown}.`;
};

/** An answer as it was asked for: of status 200 the compact form, whatever it tells; refusals are as they are. */
export const viewed = (answer: Answer, compact: Compact | null): Answer => {
  const { status, body, retract } = answer;
  if (compact === null || status !== 200 || !isMembers(body)) return answer;
  const late = retract === undefined ? {} : { retract: async () => viewed(await retract(), compact) };
  return { ...answer, body: compact(body), ...late };
};
