import type { Description } from "../openapi/describe_tool.ts";
import { table } from "./markdown_table.ts";

/** `docs/prices.md`. */
export const pricesPage = (descriptions: readonly Description[]): string => {
  const rows = descriptions.map(({ name, title, credits }) => [String(credits), `[${name}](tools/${name}.md)`, title]);
  return `# Prices

A call costs the credits below, whatever the size of its result. Discovery is free. An operator may set other prices:
\`GET /api/tools\` has the current ones.

${table(["Credits", "Tool", "Title"], rows)}
`;
};
