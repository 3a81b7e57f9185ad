import { type Canvas, label, rect, SIZE, unknownArea } from "./frame.ts";
import { el, type SvgChild } from "./node.ts";
import { filled, stroked } from "./theme.ts";
import { widthIn } from "./words.ts";

/** How a check ended: each has a sign of its own, so that none rests on colour. */
export type CheckVerdict = "passed" | "failed" | "unknown" | "not_applicable";

const VERDICT_WORDS: Readonly<Record<CheckVerdict, string>> = {
  passed: "passed",
  failed: "failed",
  unknown: "unknown",
  not_applicable: "not applicable",
};

/** A tick, a cross, a hatched question, a dash: `size` pixels wide and high. */
export const verdictSymbol = (
  canvas: Canvas,
  verdict: CheckVerdict,
  at: { x: number; y: number; size: number },
): SvgChild => {
  const { x, y, size } = at;
  const place = { x, y, width: size, height: size };
  const point = (a: number, b: number): string => `${(x + a * size).toFixed(1)},${(y + b * size).toFixed(1)}`;
  if (verdict === "passed")
    return [
      rect(place, { ...filled("up_soft"), rx: 3 }),
      el("polyline", {
        points: [point(0.24, 0.54), point(0.43, 0.74), point(0.78, 0.28)].join(" "),
        ...stroked("up", 2.2),
      }),
    ];
  if (verdict === "failed")
    return [
      rect(place, { ...filled("down_soft"), rx: 3 }),
      el("path", {
        d: `M${point(0.28, 0.28)}L${point(0.72, 0.72)}M${point(0.72, 0.28)}L${point(0.28, 0.72)}`,
        ...stroked("down", 2.2),
      }),
    ];
  if (verdict === "unknown")
    return [
      unknownArea(canvas, place),
      el("circle", { cx: x + size / 2, cy: y + size / 2, r: size * 0.36, ...filled("paper") }),
      label("?", { x: x + size / 2, y: y + size / 2 + 4, size: 11, anchor: "middle", bold: true }),
    ];
  return el("line", {
    x1: x + size * 0.25,
    y1: y + size / 2,
    x2: x + size * 0.75,
    y2: y + size / 2,
    ...stroked("neutral", 1.6),
  });
};

/** Legend of the symbols in one line. */
export const verdictKeys = (
  canvas: Canvas,
  verdicts: readonly CheckVerdict[],
  at: { readonly x: number; readonly y: number; readonly words?: Readonly<Record<CheckVerdict, string>> },
): readonly SvgChild[] => {
  let x = at.x;
  const gap = canvas.width < 480 ? 8 : 18;
  return verdicts.map((verdict) => {
    const text = at.words?.[verdict] ?? VERDICT_WORDS[verdict];
    const here = x;
    x += 19 + widthIn(text, SIZE.small) + gap;
    return [
      verdictSymbol(canvas, verdict, { x: here, y: at.y - 11, size: 14 }),
      label(text, { x: here + 19, y: at.y, size: SIZE.small, colour: "muted" }),
    ];
  });
};
