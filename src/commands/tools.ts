import { type CommandArgs, type CommandIo, EXIT, printData, UsageFault } from "./command.ts";
import { callerKey, sendRequest, serviceUrl, unknownTool } from "./http.ts";
import { table } from "./table.ts";

interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly credits: number | null;
  readonly networks: readonly string[];
}

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const answer = await sendRequest(`${serviceUrl(args, io)}/api/tools`, {
    headers: { authorization: `Bearer ${callerKey(args, io)}` },
    signal: io.signal,
  });
  if (answer.status !== 200) {
    printData(io, answer.body);
    return answer.status === 401 ? EXIT.auth : EXIT.error;
  }
  // The discovery body of our own service.
  const catalog = answer.body as { readonly tools: readonly ToolListing[] };
  const name = args.words[0];
  if (name !== undefined) {
    const card = catalog.tools.find((tool) => tool.name === name);
    if (card === undefined) {
      throw new UsageFault(unknownTool(name, catalog.tools));
    }
    printData(io, card);
    return EXIT.ok;
  }
  if (io.json) printData(io, catalog);
  else
    io.out(
      table(
        ["CREDITS", "TOOL", "WHAT IT IS", "NETWORKS"],
        catalog.tools.map(({ credits, name: tool, title, networks }) => [credits, tool, title, networks]),
      ),
    );
  return EXIT.ok;
};
