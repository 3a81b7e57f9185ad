/** Where an item of a list that ends before `end` begins: after a comma, a bracket or a word that opens the list. */
const startOfItem = (text: string, end: number): number => {
  let depth = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    const sign = text.charAt(at);
    if (sign === ")" || sign === "]") depth += 1;
    if (depth === 0 && (sign === "(" || sign === "[" || sign === ",")) return at + 1;
    if (sign === "(" || sign === "[") depth -= 1;
    if (depth === 0 && /^(SELECT|WITH)\b/.test(text.slice(at, at + 7))) return at;
  }
  return 0;
};

/** Another name of a column, or a list of it. */
const RENAMED = /^\s*(?:SELECT(?: DISTINCT)?\s+)?(?:groupArray\()?(?:\w+\.)?(\w+)\)?\s*$/;

/**
 * Names that a query gives to bytes as lower-case hex: `lower(hex(x)) AS name`, also within `if`, `arrayMap` and the
 * like, and `name AS other`. Within one query a name means one thing, so a text column of such a name is hex, however
 * many SELECTs it came through.
 */
export const hexColumns = (sql: string): ReadonlySet<string> => {
  const text = sql.replaceAll(/--.*$/gm, "");
  const items = [...text.matchAll(/\sAS (\w+)/g)]
    .map(({ index, 1: name = "" }) => ({ name, item: text.slice(startOfItem(text, index), index) }))
    // A name after FROM and AS is the name of a table.
    .filter(({ item }) => !/\bFROM\b/.test(item));
  const names = new Set(items.filter(({ item }) => item.includes("lower(hex(")).map(({ name }) => name));
  const renamed = items.map(({ name, item }) => ({ name, of: RENAMED.exec(item)?.[1] ?? "" }));
  for (let before = -1; before < names.size; ) {
    before = names.size;
    for (const { name, of } of renamed) if (names.has(of)) names.add(name);
  }
  return names;
};

/** Parameters that a query turns into bytes: one text, or each of a list. */
export const hexParameters = (sql: string): ReadonlySet<string> =>
  new Set([...sql.matchAll(/\bunhex\((?:arrayJoin\()?\{(\w+):/g)].flatMap(([, name]) => name ?? []));
