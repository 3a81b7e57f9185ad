import { type ComponentChildren, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SvgNode } from "../../../src/charts/node.ts";
import type { JsonObject } from "../api/answer.ts";

/** Draws a tool's answer; null where it has no picture. */
type DrawChart = (
  tool: string,
  answer: JsonObject,
  options: { readonly width: number; readonly id: string },
) => SvgNode | null;

let loading: Promise<DrawChart> | null = null;

/** The pictures are a chunk of their own; they bring their style, which is taken once. */
const loadCharts = (): Promise<DrawChart> => {
  loading ??= import("../../../src/charts/index.ts").then(({ chartOf, CHART_CSS }) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CHART_CSS);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return chartOf;
  });
  return loading;
};

/** The tree of a picture as elements of the page; no text of it is ever read as markup. */
const drawn = (node: SvgNode | string, key: number): ComponentChildren =>
  typeof node === "string" ? node : h(node.tag, { ...node.attrs, key }, ...node.children.map(drawn));

/** How wide an element is, followed. */
const useWidth = () => {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, width };
};

let pictures = 0;

/** Pixels; whether there is a picture does not depend on them. */
const WIDTH_TRIED = 480;

export interface ChartProps {
  readonly tool: string;
  readonly answer: JsonObject;
}

/** The one picture of an answer, as wide as its place; nothing where the tool has none. */
export const Chart = ({ tool, answer }: ChartProps) => {
  const [draw, setDraw] = useState<{ readonly with: DrawChart } | null>(null);
  const [id] = useState(() => {
    pictures += 1;
    return `picture-${pictures}`;
  });
  const { frame, width } = useWidth();
  useEffect(() => {
    let is_wanted = true;
    // Without the chunk, the table still has the numbers.
    loadCharts().then(
      (loaded) => is_wanted && setDraw({ with: loaded }),
      () => {
        loading = null;
      },
    );
    return () => {
      is_wanted = false;
    };
  }, []);
  const drawAt = (pixels: number) => (draw === null ? null : draw.with(tool, answer, { width: pixels, id }));
  // A tool without a picture leaves no place for one.
  if (draw !== null && width === null && drawAt(WIDTH_TRIED) === null) return null;
  const node = width === null ? null : drawAt(width);
  if (draw !== null && width !== null && node === null) return null;
  return (
    <figure class="picture" ref={frame}>
      {node === null ? null : drawn(node, 0)}
    </figure>
  );
};
