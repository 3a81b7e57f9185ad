/** Arithmetic and output shared by the programs of this folder. */
import { loadavg } from "node:os";
import type { Cost } from "./process_tree.ts";

/** The median; of an even count the mean of the two middle values. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const above = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? above : ((sorted[half - 1] ?? above) + above) / 2;
};

/** Each part of the costs separately. */
export const medianCost = (costs: readonly Cost[]): Cost => ({
  wall_s: median(costs.map(({ wall_s }) => wall_s)),
  cpu_s: median(costs.map(({ cpu_s }) => cpu_s)),
  peak_rss_mb: median(costs.map(({ peak_rss_mb }) => peak_rss_mb)),
});

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Notes beside the results, on stderr. */
export const progress = (line: string): void => {
  process.stderr.write(`${line}, ${loadText()}\n`);
};

export const costText = ({ wall_s, cpu_s, peak_rss_mb }: Cost): string =>
  `cpu ${cpu_s.toFixed(2)} s, wall ${wall_s.toFixed(2)} s, peak ${Math.round(peak_rss_mb)} MB`;

/** Machines are shared: a figure without the load at its time says little. */
export const loadText = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

/** @throws Error when an answer differs from the naive reference */
export const mustEqual = (what: string, found: unknown, expected: unknown): void => {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: found ${a}, the reference says ${b}`);
};
