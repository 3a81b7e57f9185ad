/** The prose of a file: what a person or a model reads, without code. */
import { type Node, parseSync } from "oxc-parser";
import { childrenOf } from "./function_limits.ts";

/** Strings of fewer words are names, keys and parts of code. */
const STRING_WORDS_MIN = 3;

const isProse = (text: string): boolean => text.trim().split(/\s+/).length >= STRING_WORDS_MIN;

const commentText = (text: string): string => text.replace(/^\s*\* ?/gm, "").replace(/`[^`\n]*`/g, "`x`");

/** Comments that follow each other on consecutive lines are one text. */
const commentsIn = (text: string, comments: readonly { value: string; start: number; end: number }[]): string[] => {
  const found: string[] = [];
  let end = -1;
  for (const { value, start, end: next } of comments) {
    const follows = end >= 0 && /^\s*$/.test(text.slice(end, start)) && !/\n\s*\n/.test(text.slice(end, start));
    if (follows) found.push(`${found.pop() ?? ""} ${commentText(value)}`);
    else found.push(commentText(value));
    end = next;
  }
  return found;
};

const stringsIn = (node: Node, found: string[] = []): readonly string[] => {
  if (node.type === "Literal" && typeof node.value === "string") found.push(node.value);
  if (node.type === "JSXText") found.push(node.value);
  if (node.type === "TemplateLiteral") found.push(node.quasis.map(({ value }) => value.cooked ?? value.raw).join("x"));
  for (const child of childrenOf(node)) stringsIn(child, found);
  return found;
};

/** Comments, strings of several words and template literals of a TypeScript file. */
const typescriptProse = (text: string, ending = ".ts"): readonly string[] => {
  const { program, comments } = parseSync(`file${ending}`, text);
  return [...commentsIn(text, comments), ...stringsIn(program)].map((piece) => piece.trim()).filter(isProse);
};

const solidityProse = (text: string): readonly string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm)].map(([comment]) => commentText(comment));

const sqlProse = (text: string): readonly string[] => [
  [...text.matchAll(/--\s?(.*)$/gm)].map(([, comment]) => comment).join("\n"),
];

/** Code blocks and inline code are no prose. */
const markdownProse = (text: string): readonly string[] =>
  text
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/`[^`\n]*`/g, "`x`")
    .split(/\n{2,}|\n(?=[-|#*] |\|)/);

const yamlProse = (text: string): readonly string[] => text.split("\n").map((line) => line.replace(/^\s*#\s?/, ""));

const READERS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  ".ts": typescriptProse,
  ".tsx": (text) => typescriptProse(text, ".tsx"),
  ".mjs": (text) => typescriptProse(text, ".mjs"),
  ".js": (text) => typescriptProse(text, ".js"),
  ".sol": solidityProse,
  ".sql": sqlProse,
  ".md": markdownProse,
  ".yaml": yamlProse,
  ".yml": yamlProse,
};

/** Pieces of prose of a file with this ending; none for other files. */
export const proseOf = (ending: string, text: string): readonly string[] => READERS[ending]?.(text) ?? [];
