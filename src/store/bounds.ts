import { BLOCK_TABLES } from "./tables.gen.ts";

/**
 * A table of facts holds final blocks where `tail` is 0 and the unfinalised tail elsewhere (schema/0002_blocks.sql). A question that
 * reads it means each block once, from its own side of the snapshot's `final_block`, and no block outside the snapshot's
 * range. Both conditions are added here to every such read, so that no question can forget them.
 */

/** Comments and quoted text, as many blanks: places in the text stay where they are. */
const blanked = (sql: string): string =>
  sql.replaceAll(/--[^\n]*|'(?:[^'\\]|\\[\s\S])*'/g, (found) => found.replaceAll(/[^\n]/g, " "));

const READ = new RegExp(`\\b(?:FROM|JOIN)\\s+(${BLOCK_TABLES.join("|")})\\b(?!\\s*\\()(?:\\s+AS\\s+(\\w+))?`, "g");
/** Keywords that can follow the tables and conditions of a SELECT. */
const CLAUSE = /\b(?:GROUP|HAVING|WINDOW|ORDER|LIMIT|UNION|SETTINGS)\b/;

/** Blanks out nested parentheses, so that the text from `from` to the closing parenthesis belongs to one SELECT. */
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

/** Marks a read of events from `since` on: rows are ordered by block, not by time (earliest_block.ts). */
const SINCE = /(?<![\w.])(?:(\w+)\.)?time (?:>=?|BETWEEN) toDateTime\(/g;

/** The end of WHERE in the SELECT that reads at `from` (null: it has none), the end of its conditions, and what they say. */
const conditionsAt = (plain: string, from: number) => {
  const own = ownText(plain, from);
  const length = own.search(CLAUSE);
  const conditions = length < 0 ? own : own.slice(0, length);
  const where = /\bWHERE\b/.exec(conditions);
  return {
    where: where === null ? null : from + where.index + "WHERE".length,
    end: from + conditions.length,
    has_range: OWN_RANGE.test(conditions),
    has_tail: OWN_TAIL.test(conditions),
    /** Aliases whose rows are read only from `since` on. */
    since: [...conditions.matchAll(SINCE)]
      .filter(({ index, 0: said }) => plain.startsWith("{since:UInt32}", from + index + said.length))
      .map(([, alias]) => alias),
  };
};

/** A SELECT that says itself which blocks it reads: up to one, or from one to another. */
export const OWN_RANGE = /\bblock_number (?:BETWEEN|<=) /;

/**
 * A SELECT that says itself what it reads, final blocks or the tail. Nothing is added to it. `tail > 0` is another thing: of what the
 * snapshot means the tail alone, so that parts of final blocks are not read.
 */
export const OWN_TAIL = /\btail (?:!=|>=|=) 0\b/;

const conditionsOf = (
  alias: string | undefined,
  { has_range, since }: Pick<ReturnType<typeof conditionsAt>, "has_range" | "since">,
): string => {
  const of = alias === undefined ? "" : `${alias}.`;
  const first = since.includes(alias) ? "earliest_block" : "from_block";
  const range = `${of}block_number BETWEEN {${first}:UInt64} AND {to_block:UInt64} AND `;
  return `${has_range ? "" : range}(${of}tail = 0) = (${of}block_number <= {final_block:UInt64})`;
};

/** The question with the bounds of a snapshot at each of its reads; its parameters `from_block`, `earliest_block`, `to_block`, `final_block`. */
export const withBounds = (sql: string): string => {
  const plain = blanked(sql);
  const inserts = [...plain.matchAll(READ)].flatMap((read) => {
    const { where, end, has_tail, ...said } = conditionsAt(plain, read.index + read[0].length);
    if (has_tail) return [];
    const conditions = conditionsOf(read[2], said);
    return where === null ? [{ at: end, text: ` WHERE ${conditions} ` }] : [{ at: where, text: ` ${conditions} AND` }];
  });
  return inserts
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => `${text.slice(0, at)}${added}${text.slice(at)}`, sql);
};
