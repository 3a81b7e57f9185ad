import { useEffect } from "preact/hooks";
import type { PortalTool } from "../api/client.ts";
import { creditsText } from "../ui/format.ts";
import { WithPrices } from "../ui/prices.tsx";
import { firstSentence, Prose } from "../ui/prose.tsx";

/** Tools by subject, derived from their names. */
const GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  ["Wallets", /wallet|blacklisted/],
  ["Tokens", /token/],
  ["Transactions and contracts", /transaction|contract/],
  ["Names", /./],
];

const groupOf = ({ name }: PortalTool): string => GROUPS.find(([, names]) => names.test(name))?.[0] ?? "Others";

const Row = ({ tool, networks_max }: { readonly tool: PortalTool; readonly networks_max: number }) => (
  <li>
    <a href={`/app/tools/${tool.name}`}>{tool.title}</a>
    <span>{tool.credits === null ? "no price" : creditsText(tool.credits)}</span>
    <code>{tool.name}</code>
    <p class="quiet">
      <Prose text={firstSentence(tool.description)} />
      {tool.networks.length < networks_max ? ` Only on ${tool.networks.join(", ")}.` : ""}
    </p>
  </li>
);

const Tools = () => {
  useEffect(() => {
    document.title = "Tools · Assay";
  }, []);
  return (
    <>
      <h1>Tools</h1>
      <WithPrices>
        {({ prices }) => {
          const networks_max = Math.max(...prices.tools.map(({ networks }) => networks.length));
          return GROUPS.map(([title]) => {
            const tools = prices.tools.filter((tool) => groupOf(tool) === title);
            return tools.length === 0 ? null : (
              <section class="tool-group" key={title} aria-label={title}>
                <h2>{title}</h2>
                <ul class="plain tool-list">
                  {tools.map((tool) => (
                    <Row key={tool.name} tool={tool} networks_max={networks_max} />
                  ))}
                </ul>
              </section>
            );
          });
        }}
      </WithPrices>
    </>
  );
};

export default Tools;
