/** Commands that call the tools of a running service, and documents that are read without one. */
import { DEMO_EXAMPLES } from "../../tools/tool.ts";
import { type ListedCommand, only, SERVICE_FLAGS } from "./listed.ts";

const TOOLS: readonly ListedCommand[] = [
  {
    name: "call",
    usage: "<tool> key=value… [--columns A,B] [--csv] [--url URL] [--key KEY] [--idempotency-key K] [--svg FILE]",
    summary:
      "Run one tool over HTTP; it is charged like any call. 'assay call TOOL --help' shows the tool's parameters.",
    flags: [
      SERVICE_FLAGS.url,
      SERVICE_FLAGS.key,
      { name: "columns", value: "A,B", summary: "Show these columns of the answer's lists only." },
      { name: "csv", summary: "Print the answer's list as CSV, with all its columns or those of --columns." },
      { name: "svg", value: "FILE", summary: "Write the picture of the answer to this file." },
      {
        name: "idempotency-key",
        value: "K",
        summary: "Charge repeated calls with the same key once (default: a random key).",
      },
    ],
    example: `assay call get_wallet_transactions network=demo address=${DEMO_EXAMPLES.trader}`,
    helpOn: async (words) => (await import("../tool_help.ts")).toolHelp(words),
    load: () => import("../call.ts"),
  },
  {
    name: "tools",
    usage: "[name] [--url URL] [--key KEY]",
    summary: "List the tools and their prices, or show one card.",
    flags: [SERVICE_FLAGS.url, SERVICE_FLAGS.key],
    example: "assay tools get_wallet_pnl",
    load: () => import("../tools.ts"),
  },
];

const ASSISTANTS: readonly ListedCommand[] = [
  {
    name: "mcp",
    usage: "[--setup] [--tools A,B] [--url URL] [--key KEY]",
    summary: "Show how to set up assistants for MCP; when an assistant starts it, forward its messages to the service.",
    flags: [
      { name: "setup", summary: "Print the setup of common assistants and exit." },
      { name: "tools", value: "A,B", summary: "Offer the assistant these toolsets or tools only (default: all)." },
      SERVICE_FLAGS.url,
      SERVICE_FLAGS.key,
    ],
    example: "assay mcp --setup",
    load: () => import("../mcp.ts"),
  },
];

const DOCUMENTS: readonly ListedCommand[] = [
  {
    name: "docs",
    usage: "FOLDER",
    summary: "Write the documentation as HTML files. A running service serves it at /docs.",
    flags: [],
    example: "assay docs ./assay-docs",
    load: () => import("../docs.ts"),
  },
  {
    name: "case",
    usage: "show FILE | verify FILE [--url URL] [--key KEY] [--yes] | export FILE --html OUT",
    summary: "Show a case file, repeat its calls and compare the results, or export it as a page.",
    actions: ["show", "verify", "export"],
    flags: [
      only(SERVICE_FLAGS.url, "verify"),
      only(SERVICE_FLAGS.key, "verify"),
      { name: "yes", summary: "Pay for the calls without confirmation.", actions: ["verify"] },
      { name: "html", value: "OUT", summary: "Write the page to this new file.", actions: ["export"] },
    ],
    example: "assay case export theft.case.json --html theft.html",
    load: () => import("../case.ts"),
  },
];

export const CALLING = { tools: TOOLS, assistants: ASSISTANTS, documents: DOCUMENTS };
