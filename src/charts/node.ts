/** A picture as a tree, which the renderer draws without a markup string. */
export interface SvgNode {
  readonly tag: string;
  readonly attrs: Readonly<Record<string, string | number>>;
  readonly children: readonly (SvgNode | string)[];
}

type SvgAttributes = Readonly<Record<string, string | number | null>>;

/** A child: `null` draws nothing, lists are flattened. */
export type SvgChild = SvgNode | string | null | readonly SvgChild[];

/** Two decimals of a pixel are below the visible resolution. */
const coordinate = (value: number): number => Math.round(value * 100) / 100;

const flat = (children: readonly SvgChild[]): readonly (SvgNode | string)[] =>
  children.flatMap((child): readonly (SvgNode | string)[] =>
    child === null ? [] : typeof child === "string" || "tag" in child ? [child] : flat(child),
  );

/** One element. Attributes that are null are left out, numbers are rounded to hundredths. */
export const el = (tag: string, attrs: SvgAttributes, ...children: readonly SvgChild[]): SvgNode => {
  const written: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(attrs))
    if (value !== null) written[name] = typeof value === "number" ? coordinate(value) : value;
  return { tag, attrs: written, children: flat(children) };
};

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

// Characters that are invalid in XML, escaped or not.
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, "\uFFFD")
    .replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

const written = ({ tag, attrs, children }: SvgNode): string => {
  const named = Object.entries(attrs).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  const inner = children.map((child) => (typeof child === "string" ? escaped(child) : written(child))).join("");
  return inner === "" ? `<${tag}${named.join("")}/>` : `<${tag}${named.join("")}>${inner}</${tag}>`;
};

/** The tree as XML text. */
export const svgText = (node: SvgNode): string => written(node);
