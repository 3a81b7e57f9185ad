/** How many rows the engine reads for each row that it answers with, question by question, over all tools. */
import { AssayError } from "../../src/lib/errors.ts";
import { tools } from "../../src/tools/index.ts";
import type { BlownUp } from "../blown_up_stage.ts";
import { callTool } from "../calls.ts";
import { casesOf } from "../cases.ts";
import { progress } from "../figures.ts";
import { countQuestions, forgetConditions, type Question } from "../questions.ts";

/** So many rows may be read for each one that is answered. */
const ROWS_PER_ROW_MAX = 50;

/**
 * And so many whatever is answered: a question reads granules of 8,192 rows, at least one in each part of each table that it looks
 * into, of the final blocks and of the tail; sums come out as one row.
 */
const ROWS_FLOOR = 24 * 8_192;

/** Questions that read more, by their first line, and why that is right. A line that no question needs is an error too. */
const REASONS: Readonly<Record<string, string>> = {};

export interface Read {
  readonly says: string;
  readonly asked: number;
  /** Of the asking that read most beyond the floor. */
  readonly rows_read: number;
  readonly rows: number;
  readonly tool: string;
}

const beyond = ({ rows_read, rows }: Pick<Question, "rows_read" | "rows">): number =>
  Math.max(0, rows_read - ROWS_FLOOR) / Math.max(1, rows);

/** Questions that read too much, and have no reason. */
export const unreasoned = (read: readonly Read[]): readonly Read[] =>
  read.filter((one) => beyond(one) > ROWS_PER_ROW_MAX && !(one.says in REASONS));

/** Reasons that no question needs. */
export const needless = (read: readonly Read[]): readonly string[] =>
  Object.keys(REASONS).filter((says) => !read.some((one) => one.says === says && beyond(one) > ROWS_PER_ROW_MAX));

const line = ({ says, asked, rows_read, rows, tool }: Read): string =>
  `| ${[says.slice(3, 103), asked, rows_read, rows, (rows_read / Math.max(1, rows)).toFixed(1), tool].join(" | ")} |`;

/** A table of them, those first that read most for a row. */
export const tableOf = (read: readonly Read[]): string =>
  [
    "| question | asked | rows read | rows answered | read for each | tool |",
    "|---|---|---|---|---|---|",
    ...read.toSorted((a, b) => beyond(b) - beyond(a) || b.rows_read - a.rows_read).map(line),
  ].join("\n");

/** Asks every case of every tool once, and counts. A case that cannot be answered (no such contract) has asked something, too. */
export const readByQuestions = async ({ place, service, facts_dir }: BlownUp): Promise<readonly Read[]> => {
  const { engine } = service.facts;
  forgetConditions(engine);
  const found = new Map<string, Read>();
  for (const tool of tools) {
    progress(tool.name);
    for (const { args } of casesOf(tool)) {
      const call = async (): Promise<void> => {
        try {
          await callTool(place, tool.name, args);
        } catch (error) {
          if (!(error instanceof AssayError)) throw error;
        }
      };
      for (const { says, rows_read, rows } of await countQuestions([engine, facts_dir], call)) {
        const known = found.get(says);
        const asked = (known?.asked ?? 0) + 1;
        const is_most = known === undefined || beyond({ rows_read, rows }) > beyond(known);
        found.set(says, is_most ? { says, asked, rows_read, rows, tool: tool.name } : { ...known, asked });
      }
    }
  }
  return [...found.values()];
};
