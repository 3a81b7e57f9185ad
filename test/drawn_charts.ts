import sax from "sax";
import { type SvgNode, svgText } from "../src/charts/index.ts";

/** All elements of one name, in the order of the tree. */
export const elements = (node: SvgNode, tag: string): readonly SvgNode[] => [
  ...(node.tag === tag ? [node] : []),
  ...node.children.flatMap((child) => (typeof child === "string" ? [] : elements(child, tag))),
];

const textOf = (node: SvgNode): string =>
  node.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");

/** Visible text of the picture, line by line. */
export const texts = (node: SvgNode): readonly string[] => elements(node, "text").map(textOf);

/** Faults of a picture, whatever it shows; empty without any. */
export const faultsOf = (node: SvgNode): readonly string[] => {
  const text = svgText(node, { standalone: true });
  const faults: string[] = [];
  try {
    sax.parser(true, { trim: false }).write(text).close();
  } catch (error) {
    faults.push(String(error));
  }
  if (/NaN|Infinity|undefined|\[object/.test(text)) faults.push("an invalid figure");
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? "");
  if (new Set(ids).size !== ids.length) faults.push("a duplicate id");
  if (/ style="| on\w+="|<script|<foreignObject|href=/.test(text))
    faults.push("content that a content security policy forbids");
  for (const { attrs } of elements(node, "text"))
    if (typeof attrs["font-size"] !== "number" || attrs["font-size"] < 11) faults.push("text that is too small");
  for (const { attrs } of ["rect", "circle"].flatMap((tag) => elements(node, tag)))
    for (const size of [attrs.width, attrs.height, attrs.r])
      if (typeof size === "number" && size < 0) faults.push("a size below zero");
  return faults;
};
