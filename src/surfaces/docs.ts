import { ERROR_CODES, type ErrorCode } from "../lib/outcome.ts";
import { tools } from "../tools/index.ts";
import type { AnyTool } from "../tools/tool.ts";
import { accountOpenapi } from "./account/openapi.ts";
import { type DescribedNetwork, type Description, describeTool, type JsonSchema } from "./describe.ts";
import { toJson } from "./json.ts";
import { NEEDS, usesOf } from "./node_uses.ts";
import { openapi } from "./openapi.ts";
import { operatorOpenapi } from "./operator/openapi.ts";
import { compactOf } from "./view/compact.ts";
import { isMembers } from "./view/shape.ts";

/** A generated file: its path from the root of the checkout, and its whole text. */
export interface Generated {
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
export const generateDocs = ({ networks = [], examples = {} }: DocsFacts = {}): readonly Generated[] => {
  const descriptions = tools.map((tool) => describeTool(tool, networks));
  const credits = Object.fromEntries(tools.map((tool) => [tool.name, tool.credits]));
  const document = openapi(descriptions, credits, examples);
  return [
    { path: "docs/openapi.json", text: `${JSON.stringify(document, null, 2)}\n` },
    { path: "docs/account_openapi.json", text: `${JSON.stringify(accountOpenapi(), null, 2)}\n` },
    { path: "docs/operator_openapi.json", text: `${JSON.stringify(operatorOpenapi(), null, 2)}\n` },
    { path: "docs/prices.md", text: prices(descriptions) },
    { path: "docs/errors.md", text: errors() },
    { path: "docs/networks.md", text: networkTable(descriptions, networks) },
    ...tools.flatMap((tool, at) => {
      const described = descriptions[at];
      return described === undefined
        ? []
        : [{ path: `docs/tools/${tool.name}.md`, text: page(described, tool, examples[tool.name]) }];
    }),
  ];
};

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

const prices = (descriptions: readonly Description[]): string => {
  const rows = descriptions.map(({ name, title, credits }) => [String(credits), `[${name}](tools/${name}.md)`, title]);
  return `# Prices

A call costs the credits below, whatever the size of its result. Discovery is free. An operator may set other prices:
\`GET /api/tools\` has the current ones.

${table(["Credits", "Tool", "What it is"], rows)}
`;
};

const networkTable = (descriptions: readonly Description[], networks: readonly DescribedNetwork[]): string => {
  const families = [...new Set(networks.map(({ family }) => family))];
  const idsOf = (family: string): readonly string[] =>
    networks.filter((network) => network.family === family).map(({ id }) => id);
  const rows = descriptions.map(({ name, networks: served }) => [
    `[${name}](tools/${name}.md)`,
    ...families.map((family) => (idsOf(family).some((id) => served.includes(id)) ? "yes" : "-")),
    usesOf(name).join(", "),
  ]);
  const lacks = Object.entries(NEEDS).map(([need, { what, without, families: of }]) => [
    need,
    what,
    without,
    of.length === families.length ? "" : of.join(", "),
  ]);
  return `# Networks

Assay knows the networks below by name. Any other EVM or Tron chain is an entry in the configuration. A tool that does not
support a family refuses its networks with 422, free of charge. \`demo\`, \`demo-solana\` and \`demo-tron\` belong to [the demo](demo.md).

${families.map((family) => `- **${family}**: ${idsOf(family).join(", ")}`).join("\n")}

${table(["Tool", ...families, "Uses"], rows)}

The last column lists what a tool needs from a node beyond blocks, receipts and the newest state. If no node of a network provides
it, the tool answers in part and says what is missing; \`assay doctor\` names these tools for your nodes. For the features of
nodes see [EVM](nodes/evm.md), [Solana](nodes/solana.md) and [Tron](nodes/tron.md).

${table(["Uses", "Requires", "Without it", "Families"], lacks)}
`;
};

const CODES: Readonly<Record<ErrorCode, string>> = {
  NOT_A_TOKEN: "The address is not a token contract. Check the address and the network.",
  NOT_A_CONTRACT: "The address has no code. Check the address and the network.",
  COVERAGE_INCOMPLETE:
    "The index found nothing and cannot prove absence, or its blocks changed during the call. Retry when more history is indexed.",
  CHECK_INCOMPLETE:
    "A source of the check could not be read or is too old. The answer includes the findings so far but no verdict. Import a fresh list, or retry.",
  UPSTREAM_UNAVAILABLE: "A node or another external source did not answer. Retry later.",
  TIMEOUT: "The answer was not ready before the deadline, which includes waiting time. Retry, or narrow the query.",
  TOO_LARGE: "The query needs more memory than one call may use. Narrow the date range.",
  OFFCHAIN_DISABLED: "The answer needs an off-chain gateway. The operator can enable it with `web.enabled`.",
  WEB_FETCH_DISABLED: "The answer needs web access. The operator can enable it with `web.enabled`.",
  URL_REFUSED:
    "The URL, or a redirect from it, leads to an address that this instance does not fetch. Use a public address.",
};

/** Statuses, bodies and charges. */
const STATUSES: readonly (readonly [status: string, when: string, body: string, charged: string])[] = [
  ["200", "a result, or `status` = `no_data`: the lookup ran and found nothing", "the tool's object", "yes"],
  ["200", "`status` = `error`, or any top-level `error` field", "`status`, `code`, `message`, `metadata`", "refunded"],
  ["400", "the body is not readable", "`detail` text", "no"],
  ["401", "no valid key with scope `api:call`", "`detail` text; `WWW-Authenticate: Bearer`", "no"],
  ["404", "the path or the public tool does not exist", "`detail` text", "no"],
  [
    "404",
    "`/api/charts`: the tool has no chart, or this process does not have the answer (any more)",
    "`detail` text: what to do",
    "no",
  ],
  ["405", "the path exists, the method does not", "`detail` text; `Allow`", "no"],
  ["409", "`DUPLICATE_REQUEST`: a running or completed request has this Idempotency-Key", "`detail` object", "no"],
  [
    "409",
    "`PRICE_CHANGED`: prices changed since `X-Credit-Catalog-Version`",
    "`detail` object with the new prices",
    "no",
  ],
  ["408, 413, 431", "the request is too slow, its body too large, its headers too large", "`detail` text", "no"],
  ["422", "the arguments do not fit the tool", "`detail` text: the field, the allowed values, a suggestion", "no"],
  [
    "422",
    "the body is not a JSON object, or a header, `view`, `request_id` or `width` is invalid",
    "`detail` list of `type`, `loc`, `msg`, `input`, `ctx`",
    "no",
  ],
  ["429", "the key reached its rate limit", "`detail` text; no `Retry-After`", "no"],
  [
    "429",
    "`PLAN_LIMIT_REACHED`: the plan has no credits left",
    "`detail` object; `Retry-After` when the reset is known",
    "no",
  ],
  [
    "500, 503",
    "the service failed, is full, is stopping or cannot answer in time; the account already uses its share; or the tool has no price",
    "`detail` text",
    "refunded; unknown if `X-Credits-Charged` is missing",
  ],
];

const errors = (): string => `# Errors

Every answer under \`/api\` is JSON. With HTTP status 200, check \`status\` and \`error\` too.

${table(["Status", "When", "Body", "Charged"], STATUSES)}

## Codes of \`status\` = \`error\`

Assay refunds each of these calls in full.

${table(
  ["Code", "Meaning"],
  ERROR_CODES.map((code) => [`\`${code}\``, CODES[code]]),
)}
`;

const typeOf = (schema: JsonSchema): string => {
  const { type, enum: words, items } = schema;
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(", ");
  if (type === "array" && items !== null && typeof items === "object") return `array of ${typeOf({ ...items })}`;
  if (Array.isArray(type)) return type.join(" or ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((part: JsonSchema) => typeOf(part)).join(" or ");
  return typeof type === "string" ? type : "any";
};

type Row = readonly [field: string, type: string, note: string];

/** How deep the members of a result are listed; `metadata` is the same everywhere and is not opened. */
const MEMBERS_DEPTH_MAX = 3;

/** Rows of an object schema and, below each object or list of objects, of its members: `holdings[].symbol`. */
const fieldRows = (schema: JsonSchema, path = "", depth = 1): readonly Row[] => {
  // `properties` of an object schema maps names to schemas.
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const { description, default: preset } = property;
    const need = required.includes(name) ? "" : preset === undefined ? "optional" : `default \`${String(preset)}\``;
    const words = typeof description === "string" ? description : "";
    const note = [need, words].filter((part) => part !== "").join(". ");
    const own: Row = [`\`${path}${name}\``, typeOf(property), note];
    const inside = depth < MEMBERS_DEPTH_MAX && name !== "metadata" ? membersOf(property) : null;
    return inside === null ? [own] : [own, ...fieldRows(inside.schema, `${path}${name}${inside.mark}.`, depth + 1)];
  });
};

/** The object inside a property: itself, its items, or its form that is not null. */
const membersOf = (property: JsonSchema): { readonly schema: JsonSchema; readonly mark: string } | null => {
  if (property.properties !== undefined) return { schema: property, mark: "" };
  const inner: readonly JsonSchema[] = Array.isArray(property.anyOf) ? property.anyOf : [];
  for (const form of inner) {
    const found = membersOf(form);
    if (found !== null) return found;
  }
  const { items } = property;
  if (items === null || typeof items !== "object") return null;
  const found = membersOf({ ...items });
  return found === null ? null : { schema: found.schema, mark: `[]${found.mark}` };
};

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** Lists of the compact view and their columns. */
const compactRows = ({ compact_schema }: Description): readonly (readonly string[])[] =>
  // `properties` of an object schema maps names to schemas.
  Object.entries((compact_schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, { description }]) =>
    typeof description === "string" ? [[`\`${name}\``, description]] : [],
  );

const compactPart = (described: Description, tool: AnyTool, answer: unknown): string => {
  const lists = compactRows(described);
  const shown = isMembers(answer)
    ? `\nThe same answer:\n\n\`\`\`json\n${toJson(compactOf(tool, described.output_schema)(answer))}\n\`\`\`\n`
    : "";
  return `
## Compact view

The form that MCP returns ([MCP](../operating/mcp.md)), and REST with \`?view=compact\`, at the same price.
${lists.length === 0 ? "" : `\n${table(["Member", "Columns or members, when filled and within the size limit"], lists)}\n`}${shown}`;
};

const page = (described: Description, tool: AnyTool, answer: unknown): string => `# ${described.name}

${described.title}. ${described.credits} ${described.credits === 1 ? "credit" : "credits"}. Networks: ${described.networks.length > 0 ? described.networks.join(", ") : tool.families.join(", ")}.

${described.description}

\`POST /api/tools/${described.name}\`

## Arguments

${table(["Field", "Type", "Note"], fieldRows(described.input_schema))}

${json(described.example)}

## Result

More fields may appear.

${table(["Field", "Type", "Note"], fieldRows(described.output_schema))}
${answer === undefined ? "" : `\nThe answer to the arguments above:\n\n${json(answer)}\n`}${compactPart(described, tool, answer)}`;
