import { tools } from "../../tools/index.ts";
import type { DescribedNetwork, Description } from "../openapi/describe_tool.ts";
import { table } from "./markdown_table.ts";
import { NEEDS, usesOf } from "./node_requirements.ts";
import { LACKING, REFUSING } from "./on_demand_limits.ts";

/** The basis of a tool on a network that is read on demand. */
const basisOf = (subjects: readonly string[] | undefined): string => {
  if (subjects === undefined) return "-";
  return subjects.length === 0 ? "state" : "history";
};

const rowsOf = (words: Readonly<Record<string, string>>): readonly (readonly string[])[] =>
  Object.entries(words).map(([name, text]) => [`[${name}](tools/${name}.md)`, text]);

/** `docs/networks.md`. */
export const networksPage = (descriptions: readonly Description[], networks: readonly DescribedNetwork[]): string => {
  const families = [...new Set(networks.map(({ family }) => family))];
  const idsOf = (family: string): readonly string[] =>
    networks.filter((network) => network.family === family).map(({ id }) => id);
  const onDemand = new Map(tools.map(({ name, subjects }) => [name, basisOf(subjects)]));
  const rows = descriptions.map(({ name, networks: served }) => [
    `[${name}](tools/${name}.md)`,
    ...families.map((family) => (idsOf(family).some((id) => served.includes(id)) ? "yes" : "-")),
    onDemand.get(name) ?? "-",
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

${table(["Tool", ...families, "On demand", "Uses"], rows)}

On demand: the basis of answers on a network that is [read address by address](design/on_demand.md). \`history\`: the whole history of the
address that the call names. \`state\`: the newest final state of the node, blocks that the call names, and imported lists.

The last column lists what a tool needs from a node beyond blocks, receipts and the newest state. If no node of a network provides
it, the tool answers in part and says what is missing; \`assay doctor\` names these tools for your nodes. For the features of
nodes see [EVM](nodes/evm.md), [Solana](nodes/solana.md) and [Tron](nodes/tron.md).

## On demand

Figures that are unknown there are null, with the reason in \`unavailable\` or in a warning. Values in USD are those of the operator's prices.

${table(["Tool", "Lacks on demand"], rowsOf(LACKING))}

These tools fail there with \`NOT_ON_DEMAND\`, free of charge.

${table(["Tool", "Why"], rowsOf(REFUSING))}

## Features of nodes

${table(["Uses", "Requires", "Without it", "Families"], lacks)}
`;
};
