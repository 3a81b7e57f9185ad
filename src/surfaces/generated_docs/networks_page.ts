import { tools } from "../../tools/index.ts";
import type { DescribedNetwork, Description } from "../openapi/describe_tool.ts";
import { table } from "./markdown_table.ts";
import { NEEDS, usesOf } from "./node_requirements.ts";

/** `docs/networks.md`. */
export const networksPage = (descriptions: readonly Description[], networks: readonly DescribedNetwork[]): string => {
  const families = [...new Set(networks.map(({ family }) => family))];
  const idsOf = (family: string): readonly string[] =>
    networks.filter((network) => network.family === family).map(({ id }) => id);
  const onDemand = new Set(tools.filter(({ subjects }) => subjects !== undefined).map(({ name }) => name));
  const rows = descriptions.map(({ name, networks: served }) => [
    `[${name}](tools/${name}.md)`,
    ...families.map((family) => (idsOf(family).some((id) => served.includes(id)) ? "yes" : "-")),
    onDemand.has(name) ? "yes" : "-",
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

On demand: the tool answers from the facts of a network that is [read address by address](design/on_demand.md). The others need facts about
more than one wallet, or only the node, and then answer there too.

The last column lists what a tool needs from a node beyond blocks, receipts and the newest state. If no node of a network provides
it, the tool answers in part and says what is missing; \`assay doctor\` names these tools for your nodes. For the features of
nodes see [EVM](nodes/evm.md), [Solana](nodes/solana.md) and [Tron](nodes/tron.md).

${table(["Uses", "Requires", "Without it", "Families"], lacks)}
`;
};
