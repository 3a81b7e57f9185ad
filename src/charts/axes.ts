import { ticks } from "d3-array";
import { label, line, SIZE } from "./frame.ts";
import type { SvgNode } from "./node.ts";
import { tickOf, timeTicks } from "./numbers.ts";

export type Unit = "usd" | "amount" | "percent";
type Scale = (value: number) => number;

interface AxisSide {
  readonly left: number;
  readonly right: number;
  readonly from: number;
  readonly to: number;
  readonly unit: Unit;
  readonly count: number;
  /** Below zero the size is written without a sign: the side says what it means. */
  readonly mirrored?: boolean;
}

/** Levels across, with their figures at the left. */
export const levels = (
  y: Scale,
  { left, right, from, to, unit, count, mirrored }: AxisSide,
): readonly (SvgNode | null)[] =>
  ticks(from, to, count).flatMap((tick) => [
    line(left, y(tick), { x2: right, y2: y(tick), colour: tick === 0 ? "axis" : "grid" }),
    label(tickOf(mirrored === true ? Math.abs(tick) : tick, unit), {
      x: left - 6,
      y: y(tick) + 4,
      size: SIZE.small,
      anchor: "end",
      colour: "muted",
    }),
  ]);

interface TimeAxis {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly left: number;
  readonly right: number;
  /** Where the lines begin and end. */
  readonly top: number;
  readonly bottom: number;
}

/** Days or hours below, UTC. */
export const times = (x: Scale, { from_ms, to_ms, left, right, top, bottom }: TimeAxis): readonly (SvgNode | null)[] =>
  timeTicks(from_ms, to_ms, Math.max(2, Math.floor((right - left) / 84))).flatMap(({ time, text }) => {
    const at = x(time);
    // At the edges a label would be outside the picture.
    const anchor = at < left + 24 ? "start" : at > right - 24 ? "end" : "middle";
    return [
      line(at, top, { x2: at, y2: bottom + 4, colour: "grid" }),
      label(text, { x: at, y: bottom + 17, size: SIZE.small, anchor, colour: "muted" }),
    ];
  });
