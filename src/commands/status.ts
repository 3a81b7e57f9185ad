import { type Command, type CommandArgs, type CommandIo, EXIT, onlyFlags, printData } from "./command.ts";
import { ask, serviceUrl } from "./http.ts";

const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["url", "config", "json"]);
  const answer = await ask(`${serviceUrl(args, io)}/readyz`, { signal: io.signal });
  printData(io, answer.body);
  return answer.status === 200 ? EXIT.ok : EXIT.error;
};

export const status: Command = {
  name: "status",
  usage: "",
  summary: "Show whether the service is ready and how far each network is indexed.",
  run,
};
