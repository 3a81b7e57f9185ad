import type { Description } from "../openapi/describe_tool.ts";
import { table } from "./markdown_table.ts";

/** `docs/prices.md`. */
export const pricesPage = (descriptions: readonly Description[], beside: readonly Description[]): string => {
  const paths = beside.map(({ path, title, credits }) => [String(credits), `\`POST ${path}\``, title]);
  const rows = descriptions.map(({ name, title, credits }) => [String(credits), `[${name}](tools/${name}.md)`, title]);
  return `# Prices

A call costs the credits below, whatever the size of its result. Discovery is free. An operator may set other prices:
\`GET /api/tools\` has the current ones.

${table(["Credits", "Tool", "Title"], rows)}

Beside the tools, in the same catalog ([values over time](over_time.md)): a series costs five calls of its tool, however many steps it has; a statement costs a portfolio at both ends (8 each) and its profits (25).

${table(["Credits", "Call", "Title"], paths)}
`;
};
