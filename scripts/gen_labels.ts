/** docs/labels.md: the lists of the label pack, their licences, and their labels by network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packLabels, packVersion } from "../src/labels/pack/index.ts";

const countRows = (names: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return sorted.map(([name, count]) => `| \`${name}\` | ${count} |`).join("\n");
};

export const writeLabelsPage = (root: string): string => {
  const notice = readFileSync(join(root, "src/labels/pack/NOTICE.md"), "utf8");
  const licences = notice.slice(notice.indexOf("| list |")).trimEnd();
  const labels = packLabels([]);
  return `# Labels and their licences

The label pack names the owners of addresses. It was built on ${packVersion()} from the lists below; it contains facts and copies no text of the lists.
The setting \`label_pack.leave_out\` leaves out a list by its name ([labels, token lists and sanctions lists](operating/lists.md)).
Each row has its source, licence and date, and answers name them.

## Lists

${licences}

## Categories

| Category | Addresses |
| --- | --- |
${countRows(labels.map(({ category }) => category))}

## Networks

\`evm\` means every EVM network.

| Network | Addresses |
| --- | --- |
${countRows(labels.map(({ network }) => network))}
`;
};
