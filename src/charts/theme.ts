/**
 * Colours by meaning, light and dark: teal and orange, which users with red-green colour blindness can distinguish. Text is always
 * `ink` or `muted` on `paper` or a `_soft` tint (WCAG AA on each of them, see theme.test.ts).
 */
export const COLOURS = {
  paper: { light: "#ffffff", dark: "#11161d" },
  ink: { light: "#17202b", dark: "#e8edf3" },
  muted: { light: "#4d5967", dark: "#a9b5c2" },
  grid: { light: "#dde2e8", dark: "#29323d" },
  axis: { light: "#7b8795", dark: "#74818f" },
  up: { light: "#0b7a75", dark: "#2fbfb2" },
  up_soft: { light: "#cfe9e6", dark: "#143f3c" },
  down: { light: "#b8500a", dark: "#f2954b" },
  down_soft: { light: "#fbe0c8", dark: "#4b2c12" },
  neutral: { light: "#6b7785", dark: "#8d99a6" },
  neutral_soft: { light: "#e6eaef", dark: "#2a333e" },
} as const;

export type Colour = keyof typeof COLOURS;

const property = (name: Colour): string => `--chart-${name.replaceAll("_", "-")}`;

const rules = (part: "fill" | "stroke"): string =>
  Object.entries(COLOURS)
    .map(([name, { light }]) => {
      const of = name.replaceAll("_", "-");
      return `.ac-${part}-${of}{${part}:var(--chart-${of},${light})}`;
    })
    .join("\n");

const properties = (mode: "light" | "dark"): string =>
  Object.entries(COLOURS)
    // Object.entries of a constant: its names are its keys.
    .map(([name, colour]) => `${property(name as Colour)}:${colour[mode]}`)
    .join(";");

/**
 * The style of every picture, for a page to take over. Custom properties are set on `.assay-chart`; a page that has a switch for
 * the dark sets `data-theme` on an element around it.
 */
export const CHART_CSS = [
  `.assay-chart{${properties("light")};max-width:100%;height:auto}`,
  `@media (prefers-color-scheme:dark){.assay-chart{${properties("dark")}}}`,
  `[data-theme="light"] .assay-chart{${properties("light")}}`,
  `[data-theme="dark"] .assay-chart{${properties("dark")}}`,
  `@media print{.assay-chart{${properties("light")}}}`,
  rules("fill"),
  rules("stroke"),
].join("\n");

/** A class, and the colour of the light form for what knows no style sheets. */
export const filled = (name: Colour): { readonly class: string; readonly fill: string } => ({
  class: `ac-fill-${name.replaceAll("_", "-")}`,
  fill: COLOURS[name].light,
});

export const stroked = (
  name: Colour,
  width = 1,
): { readonly class: string; readonly stroke: string; readonly "stroke-width": number; readonly fill: "none" } => ({
  class: `ac-stroke-${name.replaceAll("_", "-")}`,
  stroke: COLOURS[name].light,
  "stroke-width": width,
  fill: "none",
});
