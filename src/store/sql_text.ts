/** A `{name:Type}` place in a statement. `start` and `end` are its position in the text. */
export interface Placeholder {
  readonly name: string;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

// Quoted text and comments are matched first, so that nothing inside them is taken for SQL.
const TOKEN =
  /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S])*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\{(\w+):([^{}]+)\}|;/g;

/** Parameters of a statement in order of appearance, repeated when used twice. */
export const placeholdersOf = (sql: string): readonly Placeholder[] => {
  const found: Placeholder[] = [];
  for (const match of sql.matchAll(TOKEN)) {
    const [text, name, type] = match;
    if (name === undefined || type === undefined) continue;
    found.push({ name, type: type.replaceAll(/\s+/g, ""), start: match.index, end: match.index + text.length });
  }
  return found;
};

/** The statements of a file, without their semicolons and without comments at their beginning. */
export const splitStatements = (text: string): readonly string[] => {
  const statements: string[] = [];
  let start = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match[0] !== ";") continue;
    statements.push(text.slice(start, match.index));
    start = match.index + 1;
  }
  statements.push(text.slice(start));
  return statements
    .map((statement) => statement.replace(/^(?:\s+|--[^\n]*\n?)+/, "").trimEnd())
    .filter((s) => s !== "");
};

const QUOTED_OR_SPACE = /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S])*"|`[^`]*`|\s+/g;

/** The text without comments, with one space between words: the same for every layout of the same statements. Quoted text stays as it is. */
export const withoutComments = (text: string): string =>
  text
    .replace(TOKEN, (token) => (token.startsWith("--") || token.startsWith("/*") ? " " : token))
    .replace(QUOTED_OR_SPACE, (token) => (token.trim() === "" ? " " : token))
    .trim();
