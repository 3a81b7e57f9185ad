import { useEffect } from "preact/hooks";
import type { ListedTool } from "../api/client.ts";
import { creditsText } from "../ui/format.ts";
import { WithPrices } from "../ui/prices.tsx";

/** Tools by what they are about, told by their names. */
const GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  ["Wallets", /wallet|blacklisted/],
  ["Tokens", /token/],
  ["Transactions and contracts", /transaction|contract/],
  ["Names", /./],
];

const groupOf = ({ name }: ListedTool): string => GROUPS.find(([, names]) => names.test(name))?.[0] ?? "Others";

const Row = ({ tool }: { readonly tool: ListedTool }) => (
  <tr>
    <th scope="row">
      <a href={`/app/tools/${tool.name}`}>{tool.title}</a>
      <code>{tool.name}</code>
    </th>
    <td>{tool.description.split(/(?<=[.:]) /, 1)[0]}</td>
    <td class="num">{tool.credits === null ? "no price" : creditsText(tool.credits)}</td>
    <td class="quiet">{tool.networks.join(", ") || "every network"}</td>
  </tr>
);

const Tools = () => {
  useEffect(() => {
    document.title = "Tools · Assay";
  }, []);
  return (
    <>
      <h1>Tools</h1>
      <WithPrices>
        {({ prices }) =>
          GROUPS.map(([title]) => {
            const tools = prices.tools.filter((tool) => groupOf(tool) === title);
            return tools.length === 0 ? null : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keyboard.
              <section class="wide" key={title} tabIndex={0} aria-label={title}>
                <table class="tool-list">
                  <caption>{title}</caption>
                  <thead>
                    <tr>
                      <th scope="col">Tool</th>
                      <th scope="col">What it answers</th>
                      <th scope="col" class="num">
                        Price
                      </th>
                      <th scope="col">Networks</th>
                    </tr>
                  </thead>
                  <tbody>
                    {tools.map((tool) => (
                      <Row key={tool.name} tool={tool} />
                    ))}
                  </tbody>
                </table>
              </section>
            );
          })
        }
      </WithPrices>
    </>
  );
};

export default Tools;
