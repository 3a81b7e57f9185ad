import { type Canvas, label, rect, unknownArea } from "./frame.ts";
import { type Child, el } from "./node.ts";
import { filled, stroked } from "./theme.ts";

/** How a check ended: each has a sign of its own, so that none rests on colour. */
export type Verdict = "passed" | "failed" | "unknown" | "not_applicable";

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  passed: "passed",
  failed: "failed",
  unknown: "unknown",
  not_applicable: "not applicable",
};

/** A tick, a cross, a hatched question, a dash: `size` pixels wide and high. */
export const verdictMark = (canvas: Canvas, verdict: Verdict, at: { x: number; y: number; size: number }): Child => {
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

export const verdictKeys = (
  canvas: Canvas,
  verdicts: readonly Verdict[],
  at: { x: number; y: number; words?: Partial<Record<Verdict, string>> },
): readonly Child[] =>
  verdicts.map((verdict, i) => {
    const x = at.x + i * Math.min(130, (canvas.width - 2 * at.x) / verdicts.length);
    return [
      verdictMark(canvas, verdict, { x, y: at.y - 11, size: 14 }),
      label(at.words?.[verdict] ?? VERDICT_WORDS[verdict], { x: x + 20, y: at.y, size: 11, colour: "muted" }),
    ];
  });
