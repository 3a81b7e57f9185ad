import { expect, test } from "vitest";
import { COLOURS, type Colour } from "./theme.ts";

/** WCAG 2.2: relative luminance of #rrggbb. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (a: Colour, b: Colour, mode: "light" | "dark"): number => {
  const [low = 0, high = 0] = [luminance(COLOURS[a][mode]), luminance(COLOURS[b][mode])].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

const GROUNDS: readonly Colour[] = ["paper", "up_soft", "down_soft", "neutral_soft"];

test.each(["light", "dark"] as const)("keeps text contrast at AA on every background (%s)", (mode) => {
  for (const ground of GROUNDS) expect(contrast("ink", ground, mode), ground).toBeGreaterThanOrEqual(4.5);
  expect(contrast("muted", "paper", mode)).toBeGreaterThanOrEqual(4.5);
  expect(contrast("muted", "neutral_soft", mode)).toBeGreaterThanOrEqual(4.5);
});

test.each(["light", "dark"] as const)("what means something is seen beside the ground (3:1, %s)", (mode) => {
  for (const mark of ["up", "down", "neutral", "axis"] as const)
    expect(contrast(mark, "paper", mode), mark).toBeGreaterThanOrEqual(3);
  for (const [mark, ground] of [
    ["up", "up_soft"],
    ["down", "down_soft"],
  ] as const)
    expect(contrast(mark, ground, mode), mark).toBeGreaterThanOrEqual(3);
});
