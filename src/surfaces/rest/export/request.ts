import type { AnyTool } from "../../../tools/tool.ts";
import { echo, type FieldError } from "../../http/json_body.ts";
import type { Description } from "../../openapi/describe_tool.ts";
import { listsIn } from "./columns.ts";

/** Whether the card's view calls this list the page: a later page of the answer has other rows of it, and the same ones of other lists. */
const isPage = (tool: AnyTool, list: string): boolean => {
  const how = tool.view?.drawn?.[list];
  return typeof how === "object" && how.is === "page";
};

export interface ExportedList {
  readonly list: string;
  /** The rows of all pages are exported, not those of one answer. */
  readonly is_paged: boolean;
}

/** The list to export, by `?list=` of the request line; or the item of a 422. */
export const exportedList = (
  url: string,
  tool: AnyTool,
  { output_schema }: Pick<Description, "output_schema">,
): ExportedList | FieldError => {
  const lists = listsIn(output_schema);
  const at = url.indexOf("?");
  const wanted = at < 0 ? undefined : new URLSearchParams(url.slice(at + 1)).getAll("list").at(-1);
  const list = wanted ?? lists.find((one) => isPage(tool, one)) ?? lists[0];
  if (list === undefined)
    return { type: "value_error", loc: ["header", "accept"], msg: "Answers of this tool have no list to export" };
  if (lists.includes(list)) return { list, is_paged: isPage(tool, list) };
  const expected = lists.join(", ");
  const loc = ["query", "list"];
  return {
    type: "literal_error",
    loc,
    msg: `Input should be ${expected}`,
    ...echo(list.toWellFormed()),
    ctx: { expected },
  };
};

/** An export asks for the largest pages, because each is charged, unless the caller sets their size. */
export const withLargestPages = (
  args: Readonly<Record<string, unknown>>,
  { input_schema }: Pick<Description, "input_schema">,
): Readonly<Record<string, unknown>> => {
  // Input schemas of cards are objects with properties.
  const properties = input_schema.properties as Readonly<Record<string, { readonly maximum?: number }>>;
  const most = properties.records_per_page?.maximum;
  return most === undefined || Object.hasOwn(args, "records_per_page") ? args : { ...args, records_per_page: most };
};
