/** Texts that a language model reads instead of the pages: an index (llmstxt.org), and the full text. */
import type { DocPage } from "./outline.ts";

const INTRODUCTION = `# Assay

> Open, self-hosted blockchain analysis. Exact questions (an address, a transaction, a network) are answered with one JSON object each,
> over REST (POST /api/tools/NAME) and MCP (/mcp), metered in credits, from blocks that the service has read and stored itself.

- Every call needs a key: \`Authorization: Bearer svc_live_…\`. \`GET /api/tools\` lists the tools with their current prices.
- \`no_data\` means that nothing was found: \`message\` says what was searched and how, and absence is proven of that alone, up to the blocks in \`metadata.coverage\`; null is unknown, with a reason; 0 is a measured zero.
- \`GET /api/tools/openapi.json\` describes every tool for machines, without a key.
`;

/** Section of the pages that a model does not need to use the service. */
const OPTIONAL = "Design";

/** The line of a tool's page with its price and its networks. */
const PRICE_LINE = / credits?\. Networks: /;

/** First sentence of the text below the title. */
const gistOf = ({ markdown }: DocPage): string => {
  const paragraph = markdown
    .split(/\n{2,}/)
    .slice(1)
    .find((text) => /^[\p{Letter}"'`*[]/u.test(text) && !PRICE_LINE.test(text));
  const plain = (paragraph ?? "")
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[`*[\]]/g, "")
    .replace(/\s+/g, " ");
  return /^.{20,240}?[.:](?= |$)/.exec(plain)?.[0] ?? plain.slice(0, 240);
};

/** `/llms.txt`: every page, with one sentence each. */
export const llmsIndex = (outline: readonly DocPage[]): string => {
  const sections = [...new Set(outline.map(({ section }) => section))];
  const blocks = sections.map((section) => {
    const lines = outline
      .filter((page) => page.section === section)
      .map((page) => `- [${page.title}](/docs/${page.path}.md): ${gistOf(page)}`);
    return `## ${section === OPTIONAL ? "Optional" : section}\n\n${lines.join("\n")}\n`;
  });
  return `${INTRODUCTION}\n${blocks.join("\n")}`;
};

/** `/llms-full.txt`: the text of every page except the optional ones. */
export const llmsFull = (outline: readonly DocPage[]): string =>
  [
    INTRODUCTION,
    ...outline
      .filter(({ section }) => section !== OPTIONAL)
      .map(({ path, markdown }) => `<!-- /docs/${path} -->\n${markdown}`),
  ].join("\n");
