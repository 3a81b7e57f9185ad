import * as z from "zod";
import { settings } from "../src/config/settings.ts";

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

const schema = (): Schema => {
  // JSON Schema of draft 2020-12 as zod writes it.
  const whole = z.toJSONSchema(settings, { io: "input", target: "draft-2020-12" }) as Schema & Record<string, unknown>;
  return { title: "Assay configuration", ...whole } as Schema;
};

/** JSON Schema of `assay.config.json`, for editors. */
export const writeConfigurationSchema = (): string => `${JSON.stringify(schema(), null, 2)}\n`;

const typeOf = (part: Schema): string => {
  if (part.const !== undefined) return JSON.stringify(part.const);
  if (part.enum !== undefined) return part.enum.map((value) => `\`${String(value)}\``).join(", ");
  const options = part.anyOf ?? part.oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(" or ");
  if (part.type === "array") return `list of ${part.items === undefined ? "values" : typeOf(part.items)}`;
  return Array.isArray(part.type) ? part.type.join(" or ") : String(part.type ?? "any");
};

const defaultOf = (part: Schema): string => (part.default === undefined ? "" : `\`${JSON.stringify(part.default)}\``);

const rowsOf = (part: Schema, prefix: string): string[][] => {
  const own = Object.entries(part.properties ?? {}).flatMap(([name, child]) => {
    const path = `${prefix}${name}`;
    const nested = [child, ...(child.anyOf ?? []), ...(child.oneOf ?? [])];
    const row = [
      `\`${path}\``,
      typeOf(child),
      defaultOf(child).length > 60 ? "see below" : defaultOf(child),
      child.description ?? "",
    ];
    return [row, ...nested.flatMap((inner) => [...rowsOf(inner, `${path}.`), ...entriesOf(inner, path)])];
  });
  const seen = new Set<string>();
  return own.filter(([path = ""]) => !seen.has(path) && seen.add(path) !== undefined);
};

/** Records (`networks.<id>`) and lists of objects (`venues[]`), some of which may also be plain (`rpc[]`). */
const entriesOf = (part: Schema, path: string): string[][] => {
  if (typeof part.additionalProperties === "object") return rowsOf(part.additionalProperties, `${path}.<id>.`);
  const items = part.items === undefined ? [] : [part.items, ...(part.items.anyOf ?? [])];
  return items.flatMap((item) => rowsOf(item, `${path}[].`));
};

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** `docs/configuration.md`: every setting with type, default and meaning. */
export const writeConfigurationPage = (): string => {
  const rows = rowsOf(schema(), "").map((row) => `| ${row.map(cell).join(" | ")} |`);
  return `# Configuration

Assay reads \`assay.config.json\` in the working folder, or the file of \`--config FILE\`. Environment variables override single
values: \`ASSAY_LISTEN\`, \`ASSAY_DATA_DIR\`, nested with two underscores (\`ASSAY_FACTS__ENGINE\`). A variable that ends in
\`_FILE\` names a file with the value: \`ASSAY_KEYS__PEPPER_FILE\`. An unknown name is an error. \`assay config check\` prints
each value with its origin, and \`assay doctor\` tests the nodes. Editors can use
[configuration.schema.json](configuration.schema.json).

\`\`\`json
{
  "listen": "127.0.0.1:8787",
  "data_dir": ".assay",
  "networks": {
    "ethereum": { "rpc": ["http://127.0.0.1:8545"] },
    "mychain": {
      "family": "evm", "chain_id": 9000, "native": { "symbol": "ETH", "decimals": 18 },
      "rpc": ["http://127.0.0.1:9545"], "finality_blocks": 64
    }
  }
}
\`\`\`

For a provider with a key and a rate limit:

\`\`\`json
{
  "networks": {
    "ethereum": {
      "rpc": [
        { "url": "https://node.example", "name": "main", "headers": { "x-api-key": { "env": "NODE_KEY" } }, "requests_per_second": 25 },
        "http://user:password@127.0.0.1:8545"
      ]
    }
  }
}
\`\`\`

Assay never prints values of headers, or passwords, paths and queries of addresses. Without \`requests_per_second\` it learns the rate
from the node's refusals ([nodes](design/nodes.md)). It does not support WebSocket addresses: use the http(s) address of the same node.

| Setting | Type | Default | Meaning |
|---|---|---|---|
${rows.join("\n")}

Default plans:

\`\`\`json
${JSON.stringify(settings.parse({}).plans, null, 2)}
\`\`\`
`;
};
