import { quoteText } from "../http/quoted_text.ts";

/** Toolsets, and the words of a tool's name that put it into one; the first such word of the name counts. */
const TOOLSETS: Readonly<Record<string, readonly string[]>> = {
  wallet: ["wallet", "address"],
  token: ["token"],
  transaction: ["transaction"],
  contract: ["contract"],
  names: ["resolve"],
};

/** Toolset of a tool; null for a tool that has no such word. */
export const toolsetOf = (tool: string): string | null => {
  for (const word of tool.split("_")) {
    const found = Object.keys(TOOLSETS).find((name) => TOOLSETS[name]?.includes(word));
    if (found !== undefined) return found;
  }
  return null;
};

/** The tools of one connection. */
export interface ChosenTools {
  readonly has: (tool: string) => boolean;
  /** Sentence for the model; empty where the connection has all tools. */
  readonly note: string;
}

const ALL: ChosenTools = { has: () => true, note: "" };

/**
 * `?tools=` of the address of a connection: toolsets and tools, separated by commas. The sentence of a refusal for any other value.
 * @param isPublic false for tools that the operator hides: the instructions do not name them
 */
export const readToolset = (
  url: string,
  tools: readonly string[],
  isPublic: (tool: string) => boolean,
): ChosenTools | string => {
  const at = url.indexOf("?");
  const given = at < 0 ? [] : new URLSearchParams(url.slice(at + 1)).getAll("tools");
  if (given.length === 0) return ALL;
  const words = given.flatMap((text) => text.split(","));
  const sets = new Set(tools.flatMap((tool) => toolsetOf(tool) ?? []));
  const unknown = words.find((word) => !sets.has(word) && !tools.includes(word));
  if (unknown !== undefined)
    return `'tools' in the address must list toolsets (${[...sets].join(", ")}) or names of tools, separated by commas, not ${quoteText(unknown)}`;
  const chosen = new Set(tools.filter((tool) => words.includes(tool) || words.includes(toolsetOf(tool) ?? "")));
  const shown = [...chosen].filter(isPublic);
  const names = shown.length === 0 ? "none" : shown.join(", ");
  return { has: (tool) => chosen.has(tool), note: ` This connection has only these tools: ${names}.` };
};
