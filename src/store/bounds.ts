import { TABLES } from "./tables.gen.ts";

/**
 * Facts stand in two halves: `<name>_final` holds blocks up to the snapshot's `final_block`, `<name>_head` those after it.
 * A question that reads `<name>` reads both, each on its own side of that boundary and no block outside the snapshot's
 * range. Both conditions are added here to every such read, so that no question can forget them.
 */

/** Facts with two halves. */
export const HALVED: readonly string[] = Object.keys(TABLES).flatMap((table) =>
  table.endsWith("_final") && `${table.slice(0, -"_final".length)}_head` in TABLES
    ? [table.slice(0, -"_final".length)]
    : [],
);

/** Comments and quoted text, as many blanks: places in the text stay where they are. */
const blanked = (sql: string): string =>
  sql.replaceAll(/--[^\n]*|'(?:[^'\\]|\\[\s\S])*'/g, (found) => found.replaceAll(/[^\n]/g, " "));

const READ = new RegExp(`\\b(?:FROM|JOIN)\\s+(${HALVED.join("|")})\\b(?!\\s*\\()(?:\\s+AS\\s+(\\w+))?`, "g");
/** What can follow the tables and the conditions of a SELECT. */
const CLAUSE = /\b(?:GROUP|HAVING|WINDOW|ORDER|LIMIT|UNION|SETTINGS)\b/;

/** What stands in parentheses, blank too: what is left from `from` to the closing parenthesis is one SELECT's own. */
const ownText = (plain: string, from: number): string => {
  let own = "";
  let depth = 0;
  for (let at = from; at < plain.length; at += 1) {
    const letter = plain[at] ?? "";
    if (letter === ")") depth -= 1;
    if (depth < 0) return own;
    own += depth === 0 ? letter : " ";
    if (letter === "(") depth += 1;
  }
  return own;
};

/** The end of WHERE in the SELECT that reads at `from` (null: it has none), the end of its conditions, and those. */
const conditionsAt = (plain: string, from: number) => {
  const own = ownText(plain, from);
  const length = own.search(CLAUSE);
  const conditions = length < 0 ? own : own.slice(0, length);
  const where = /\bWHERE\b/.exec(conditions);
  return {
    where: where === null ? null : from + where.index + "WHERE".length,
    end: from + conditions.length,
    has_range: OWN_RANGE.test(conditions),
  };
};

/** A SELECT that says itself which blocks it reads: up to one, or from one to another. */
export const OWN_RANGE = /\bblock_number (?:BETWEEN|<=) /;

const conditionsOf = (name: string, alias: string | undefined, has_range: boolean): string => {
  const of = alias === undefined ? "" : `${alias}.`;
  const range = `${of}block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND `;
  return `${has_range ? "" : range}(${of}_table = '${name}_final') = (${of}block_number <= {final_block:UInt64})`;
};

/** The question with the bounds of a snapshot at each of its reads; its parameters `from_block`, `to_block`, `final_block`. */
export const withBounds = (sql: string): string => {
  const plain = blanked(sql);
  const inserts = [...plain.matchAll(READ)].map((read) => {
    const { where, end, has_range } = conditionsAt(plain, read.index + read[0].length);
    const conditions = conditionsOf(read[1] ?? "", read[2], has_range);
    return where === null ? { at: end, text: ` WHERE ${conditions} ` } : { at: where, text: ` ${conditions} AND` };
  });
  return inserts
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => `${text.slice(0, at)}${added}${text.slice(at)}`, sql);
};
