import type { Description } from "../openapi/describe_tool.ts";
import { table } from "./markdown_table.ts";

/** `docs/prices.md`. */
export const pricesPage = (descriptions: readonly Description[]): string => {
  const rows = descriptions.map(({ name, title, credits }) => [String(credits), `[${name}](tools/${name}.md)`, title]);
  return `# Prices

Credits of one call, whatever the size of the result. Discovery costs nothing. An operator may set other prices; the
current ones are in \`GET /api/tools\`.

${table(["Credits", "Tool", "Title"], rows)}
`;
};
