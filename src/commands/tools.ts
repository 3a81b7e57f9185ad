import { type CommandArgs, type CommandIo, EXIT, onlyFlags, printData } from "./command.ts";
import { ask, callerKey, serviceUrl } from "./http.ts";

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly credits: number | null;
  readonly networks: readonly string[];
}

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["url", "key", "config", "json"]);
  const answer = await ask(`${serviceUrl(args, io)}/api/tools`, {
    headers: { authorization: `Bearer ${callerKey(args, io)}` },
    signal: io.signal,
  });
  if (answer.status !== 200) {
    printData(io, answer.body);
    return answer.status === 401 ? EXIT.auth : EXIT.error;
  }
  // The discovery body of our own service (02, section 9).
  const catalog = answer.body as { readonly tools: readonly Listed[] };
  const name = args.words[0];
  if (name !== undefined) {
    const card = catalog.tools.find((tool) => tool.name === name);
    if (card === undefined) {
      io.err(`there is no tool '${name}'\n`);
      return EXIT.error;
    }
    printData(io, card);
    return EXIT.ok;
  }
  if (io.json) printData(io, catalog);
  else
    for (const tool of catalog.tools)
      io.out(`${String(tool.credits ?? "-").padStart(3)}  ${tool.name.padEnd(34)} ${tool.title}\n`);
  return EXIT.ok;
};
