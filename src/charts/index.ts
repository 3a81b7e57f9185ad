import { isRecord } from "../lib/record.ts";
import { type Canvas, type ChartOptions, canvasOf, standing } from "./frame.ts";
import { type SvgNode, svgText as textOf } from "./node.ts";
import { holdings, portfolio } from "./pictures/holdings.ts";
import { pnl } from "./pictures/pnl.ts";
import { at, type Json } from "./read.ts";

export type { ChartOptions } from "./frame.ts";
export type { SvgNode } from "./node.ts";
export { CHART_CSS } from "./theme.ts";

/** Draws an answer with data; null where this one holds nothing that a picture could show. */
type Picture = (answer: Json, canvas: Canvas) => SvgNode | null;

const PICTURES: Readonly<Record<string, Picture>> = {
  get_wallet_pnl: pnl,
  get_wallet_portfolio_breakdown: portfolio,
  get_wallet_token_holdings: holdings,
};

/** Names of the tools whose answers have a picture. */
export const PICTURED_TOOLS: readonly string[] = Object.keys(PICTURES);

/**
 * The picture of a tool's whole answer (its REST object), the same wherever it is drawn. Null where the tool has none, and for
 * `no_data` and errors. What it shows of strangers' text is cleaned and cut; it uses classes and presentation attributes only.
 */
export const chartOf = (tool_name: string, answer: unknown, options: ChartOptions = {}): SvgNode | null => {
  if (!Object.hasOwn(PICTURES, tool_name) || !isRecord(answer)) return null;
  if (at(answer, "status") === "no_data" || at(answer, "status") === "error") return null;
  return PICTURES[tool_name]?.(answer, canvasOf(tool_name, options)) ?? null;
};

/** The tree as XML; `standalone`: a document of its own, which brings its style and follows light and dark. */
export const svgText = (node: SvgNode, { standalone = false }: { readonly standalone?: boolean } = {}): string =>
  textOf(standalone ? standing(node) : node);
