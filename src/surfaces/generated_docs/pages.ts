import { tools } from "../../tools/index.ts";
import { over_time } from "../../tools/over_time/index.ts";
import { type DescribedNetwork, describeTool } from "../openapi/describe_tool.ts";
import { openapi } from "../openapi/tools_document.ts";
import { operatorOpenapi } from "../operator/openapi.ts";
import { accountOpenapi } from "../rest/account/openapi.ts";
import { errorsPage } from "./errors_page.ts";
import { networksPage } from "./networks_page.ts";
import { pricesPage } from "./prices_page.ts";
import { toolPage } from "./tool_page.ts";

/** A generated file: its path from the root of the checkout, and its whole text. */
export interface GeneratedPage {
  readonly path: string;
  readonly text: string;
}

export interface DocsFacts {
  /** Networks to name; none leaves the network fields open. */
  readonly networks?: readonly DescribedNetwork[];
  /** Real answers by tool name; see `readExamples`. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** Everything under docs/ that follows from the cards and the error table. */
export const generateDocs = ({ networks = [], examples = {} }: DocsFacts = {}): readonly GeneratedPage[] => {
  const descriptions = tools.map((tool) => describeTool(tool, networks));
  const beside = over_time.map((tool) => describeTool(tool, networks));
  const credits = Object.fromEntries([...tools, ...over_time].map((tool) => [tool.name, tool.credits]));
  const document = openapi([...descriptions, ...beside], credits, examples);
  return [
    { path: "docs/openapi.json", text: `${JSON.stringify(document, null, 2)}\n` },
    { path: "docs/account_openapi.json", text: `${JSON.stringify(accountOpenapi(), null, 2)}\n` },
    { path: "docs/operator_openapi.json", text: `${JSON.stringify(operatorOpenapi(), null, 2)}\n` },
    { path: "docs/prices.md", text: pricesPage(descriptions, beside) },
    { path: "docs/errors.md", text: errorsPage() },
    { path: "docs/networks.md", text: networksPage(descriptions, networks) },
    ...tools.flatMap((tool, at) => {
      const described = descriptions[at];
      return described === undefined
        ? []
        : [{ path: `docs/tools/${tool.name}.md`, text: toolPage(described, tool, examples[tool.name]) }];
    }),
  ];
};
