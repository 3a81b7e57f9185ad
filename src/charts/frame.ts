import { el, type SvgChild, type SvgNode } from "./node.ts";
import { CHART_CSS, type Colour, filled, stroked } from "./theme.ts";
import { fitted, widthIn } from "./words.ts";

export interface ChartOptions {
  /** Pixels, 320 to 2,000. Default: 720. */
  readonly width?: number;
  /** Begins every id of the picture: two pictures of one page need two. */
  readonly id?: string;
}

/** Drawing context of every picture. */
export interface Canvas {
  readonly id: string;
  readonly width: number;
}

const WIDTH = { least: 320, usual: 720, most: 2_000 } as const;

export const canvasOf = (name: string, { width, id }: ChartOptions): Canvas => {
  const wanted = width !== undefined && Number.isFinite(width) ? width : WIDTH.usual;
  const asked = id ?? `chart-${name}`;
  return {
    id: /^[A-Za-z][\w-]{0,80}$/.test(asked) ? asked : "chart",
    width: Math.round(Math.min(WIDTH.most, Math.max(WIDTH.least, wanted))),
  };
};

/** Sizes of text, pixels. */
export const SIZE = { title: 14, text: 12, small: 11 } as const;
/** Texts of a picture's heading. */
export const TOP = 48;
export const MARGIN = 12;

export const hatchOf = ({ id }: Canvas): string => `url(#${id}-hatch)`;

/** Hatching for unknown values. */
const hatch = (canvas: Canvas): SvgNode =>
  el(
    "defs",
    {},
    el(
      "pattern",
      {
        id: `${canvas.id}-hatch`,
        width: 6,
        height: 6,
        patternUnits: "userSpaceOnUse",
        patternTransform: "rotate(45)",
      },
      el("line", { x1: 0, y1: 0, x2: 0, y2: 6, ...stroked("neutral", 2.4) }),
    ),
  );

interface TextForm {
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly colour?: Colour;
  readonly anchor?: "start" | "middle" | "end";
  readonly bold?: boolean;
  /** Pixels; a longer text is cut. */
  readonly width?: number;
  /** The ground shows around the letters: lines that cross them do not. */
  readonly halo?: boolean;
}

const haloed = (ink: ReturnType<typeof filled>): Readonly<Record<string, string | number>> => {
  const { class: around, stroke } = stroked("paper");
  return { ...ink, class: `${ink.class} ${around}`, stroke, "stroke-width": 3.5, "paint-order": "stroke" };
};

/** One line of text. Without room for a letter it is nothing. */
export const label = (text: string, form: TextForm): SvgNode | null => {
  const size = form.size ?? SIZE.text;
  const cut = form.width === undefined ? text : fitted(text, form.width, form.bold === true ? size * 1.06 : size);
  if (cut === "") return null;
  return el(
    "text",
    {
      x: form.x,
      y: form.y,
      "font-size": size,
      "font-weight": form.bold === true ? 600 : null,
      "text-anchor": form.anchor === undefined || form.anchor === "start" ? null : form.anchor,
      "unicode-bidi": "isolate",
      ...(form.halo === true ? haloed(filled(form.colour ?? "ink")) : filled(form.colour ?? "ink")),
    },
    cut,
  );
};

export const rect = (
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  paint: Readonly<Record<string, string | number>>,
): SvgNode => el("rect", { ...place, width: Math.max(0, place.width), height: Math.max(0, place.height), ...paint });

export const line = (x1: number, y1: number, to: { x2: number; y2: number; colour: Colour; dash?: string }): SvgNode =>
  el("line", { x1, y1, x2: to.x2, y2: to.y2, ...stroked(to.colour), "stroke-dasharray": to.dash ?? null });

/** An area of the unknown, with a border so that it is one without colour too. */
export const unknownArea = (
  canvas: Canvas,
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): SvgNode =>
  el(
    "g",
    {},
    rect(place, { fill: hatchOf(canvas), "fill-opacity": 0.55 }),
    rect(place, { ...stroked("neutral"), "stroke-dasharray": "3 2" }),
  );

export interface LegendKey {
  readonly text: string;
  readonly colour: Colour | "unknown";
  readonly shape?: "bar" | "line" | "dot";
}

const keyMark = (canvas: Canvas, { colour, shape }: LegendKey, { x, y }: { x: number; y: number }): SvgNode => {
  const place = { x, y: y - 9, width: 12, height: 10 };
  if (colour === "unknown") return unknownArea(canvas, place);
  if (shape === "line") return el("line", { x1: x, y1: y - 4, x2: x + 12, y2: y - 4, ...stroked(colour, 2) });
  if (shape === "dot") return el("circle", { cx: x + 6, cy: y - 4, r: 4, ...filled(colour) });
  return rect(place, filled(colour));
};

/** Legend of colours and patterns in one line from `x`; entries that do not fit are dropped, last first. */
export const keys = (
  canvas: Canvas,
  list: readonly LegendKey[],
  from: { x: number; y: number },
): readonly SvgNode[] => {
  const nodes: SvgNode[] = [];
  let x = from.x;
  for (const key of list) {
    const width = 18 + widthIn(key.text, SIZE.small);
    if (x + width > canvas.width - MARGIN) break;
    const text = label(key.text, { x: x + 17, y: from.y, size: SIZE.small, colour: "muted" });
    nodes.push(keyMark(canvas, key, { x, y: from.y }));
    if (text !== null) nodes.push(text);
    x += width + 12;
  }
  return nodes;
};

export interface ChartWords {
  /** Title of the picture. */
  readonly title: string;
  /** Its main figure, under the title. */
  readonly headline: string;
  /** Description of the picture for screen readers. */
  readonly description: string;
}

/** The whole picture: heading, description, pattern, content. */
export const framed = (
  canvas: Canvas,
  height: number,
  { words, content }: { words: ChartWords; content: SvgChild },
): SvgNode => {
  const room = canvas.width - 2 * MARGIN;
  return el(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "assay-chart",
      viewBox: `0 0 ${canvas.width} ${Math.ceil(height)}`,
      width: canvas.width,
      height: Math.ceil(height),
      role: "img",
      "aria-labelledby": `${canvas.id}-title ${canvas.id}-desc`,
      "font-family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif",
      direction: "ltr",
    },
    el("title", { id: `${canvas.id}-title` }, words.title),
    el("desc", { id: `${canvas.id}-desc` }, words.description),
    hatch(canvas),
    label(words.title, { x: MARGIN, y: 19, size: SIZE.title, bold: true, width: room }),
    label(words.headline, { x: MARGIN, y: 36, size: SIZE.text, colour: "muted", width: room }),
    content,
  );
};

/** A picture that says that there is nothing to draw. */
export const empty = (canvas: Canvas, title: string, says: string): SvgNode =>
  framed(canvas, TOP + 44, {
    words: { title, headline: says, description: says },
    content: unknownLess(canvas, says),
  });

const unknownLess = (canvas: Canvas, says: string): SvgChild => [
  rect({ x: MARGIN, y: TOP, width: canvas.width - 2 * MARGIN, height: 32 }, filled("neutral_soft")),
  label(says, { x: canvas.width / 2, y: TOP + 20, anchor: "middle", width: canvas.width - 4 * MARGIN }),
];

/** The picture as a document of its own: with a ground and a style that follows light and dark. */
export const standaloneSvg = (node: SvgNode): SvgNode => ({
  ...node,
  children: [
    ...node.children.slice(0, 2),
    el("style", {}, CHART_CSS),
    el("rect", { width: "100%", height: "100%", ...filled("paper") }),
    ...node.children.slice(2),
  ],
});
