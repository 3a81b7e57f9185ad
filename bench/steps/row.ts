/** One line of the table of figures. */
import { loadText } from "../figures.ts";

export interface ReportRow {
  readonly name: string;
  /** Description of the run. */
  readonly what: string;
  readonly found: string;
  readonly goal: string;
  /** Null without a goal, or if it was not run. */
  readonly is_met: boolean | null;
  /** While it ran. */
  readonly load: string;
}

export const row = (told: Omit<ReportRow, "load">): ReportRow => ({ ...told, load: loadText() });

const CELL = /\|/g;

export const table = (rows: readonly ReportRow[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replace(CELL, "/")).join(" | ")} |`;
  const shown = rows.map(({ name, what, found, goal, is_met, load }) =>
    line([name, what, found, goal, is_met === null ? "" : is_met ? "yes" : "no", load]),
  );
  return [line(["#", "what", "found", "goal", "met", "load"]), "|---|---|---|---|---|---|", ...shown].join("\n");
};
