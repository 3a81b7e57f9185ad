import { Lexer } from "yaml";
import { ListFault } from "./parsed_list.ts";

/**
 * Maximum nesting of a YAML file: columns of indentation, block indicators in one line and open brackets together. A
 * level needs one of them, and the parser recurses once per level.
 */
const LEVELS_MAX = 200;
const TOKENS_MAX = 40_000_000;

/**
 * Rejects YAML text with deeper nesting than any list, before it is parsed.
 * @throws ListFault
 */
export const checkYaml = (text: string): void => {
  let [brackets, in_line, is_line_start, tokens] = [0, 0, true, 0];
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > TOKENS_MAX) throw new ListFault(`the file has more than ${TOKENS_MAX} tokens`);
    const sign = token.charAt(0);
    if (sign === "\n" || sign === "\r") {
      [in_line, is_line_start] = [0, true];
      continue;
    }
    if (is_line_start && sign === " ") in_line += token.length;
    is_line_start = false;
    if (token.length === 1) {
      if (sign === "[" || sign === "{") brackets += 1;
      else if (sign === "]" || sign === "}") brackets = Math.max(0, brackets - 1);
      else if (sign === "-" || sign === "?" || sign === ":") in_line += 1;
    }
    if (brackets + in_line > LEVELS_MAX) throw new ListFault(`the file is nested deeper than ${LEVELS_MAX} levels`);
  }
};
