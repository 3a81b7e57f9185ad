/**
 * The answer of a tool as a model reads it: the same in text, in `structuredContent` and over REST with `view=compact`
 * (docs/design/mcp_and_sdks.md). General rules draw everything else; `test/compact_cards.test.ts` looks for every name here
 * in the schema of the answers.
 */
export interface View {
  /** Members in the order in which they are drawn; what is not named is in the full answer alone. */
  readonly members: string;
  /** Exceptions from the general rules, by path. `false`: only in the full answer. */
  readonly drawn?: Readonly<Record<string, DrawnMembers | false>>;
  /** Most tokens of an answer to the default page; 1,500 unless said. */
  readonly tokens?: number;
  /** Rows of the default page, for which the tokens are meant; more rows asked, more tokens. 20 unless said. */
  readonly rows?: number;
}

/** Of a list the columns, of an object the members (`supply.total`), or more of it. */
export type DrawnMembers = string | DrawnRows;

/** A list of objects, or an object of objects, as a table. */
export interface DrawnRows {
  /**
   * Columns, the most important first: where an answer is too long for its tokens, the last ones go. A column is a path in
   * the row (`pnl.total_usd`), `tokens[amount,symbol]`: of each object of the list these members, joined by spaces, or
   * `created_at:day`: of a time its day. Left out: every plain member of the rows.
   */
  readonly columns?: string;
  /** Of an object of objects: the name of the column that holds its member names. */
  readonly key?: string;
  /** Rows drawn of a list that is no page; the others are counted in `cut`. Left out: as many as the tokens bear. */
  readonly rows_max?: number;
  /** A list of fewer rows says nothing that the rest of the answer does not, and is not drawn. */
  readonly rows_min?: number;
  /**
   * `page`: the requested rows, none ever left out. `alerts`: what must be seen, neither rows nor columns left out.
   * `flags`: an object of truth values, as the names of those that are true, false and not known.
   */
  readonly is?: "page" | "alerts" | "flags";
  /** Characters of a long text in a column, by its path. */
  readonly texts?: Readonly<Record<string, number>>;
}

export const namesIn = (text: string): readonly string[] => text.split(" ");

/** A column of a table, as a card writes it. */
export interface ViewColumn {
  readonly name: string;
  readonly steps: readonly string[];
  readonly members: readonly string[];
  readonly is_day: boolean;
}

/** `path`, `path[members,of,its,items]`, `path:day`. */
const COLUMN = /^([^[:]*)(?:\[([^\]]*)\])?(:day)?$/;

export const columnOf = (text: string): ViewColumn => {
  const [, name = text, members = "", day] = COLUMN.exec(text) ?? [];
  return { name, steps: name.split("."), members: members === "" ? [] : members.split(","), is_day: day !== undefined };
};
