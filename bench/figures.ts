/** Arithmetic and output that the programs of this folder share. */
import { loadavg } from "node:os";
import type { Cost } from "./process_tree.ts";

/** The middle one; of an even count the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const above = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? above : ((sorted[half - 1] ?? above) + above) / 2;
};

/** Each part of the costs by itself. */
export const medianCost = (costs: readonly Cost[]): Cost => ({
  wall_s: median(costs.map(({ wall_s }) => wall_s)),
  cpu_s: median(costs.map(({ cpu_s }) => cpu_s)),
  peak_rss_mb: median(costs.map(({ peak_rss_mb }) => peak_rss_mb)),
});

export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Progress lines go to stderr, apart from the results. */
export const progress = (line: string): void => {
  process.stderr.write(`${line}, ${loadText()}\n`);
};

export const costText = ({ wall_s, cpu_s, peak_rss_mb }: Cost): string =>
  `cpu ${cpu_s.toFixed(2)} s, wall ${wall_s.toFixed(2)} s, peak ${Math.round(peak_rss_mb)} MB`;

/** Machines are shared: a figure means little without the load at its time. */
export const loadText = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

/** @throws Error if an answer differs from the naive reference */
export const mustEqual = (what: string, found: unknown, expected: unknown): void => {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: found ${a}, the reference says ${b}`);
};
