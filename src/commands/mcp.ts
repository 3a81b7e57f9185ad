import { type CommandArgs, type CommandIo, EXIT, onlyFlags } from "./command.ts";
import { callerKey, serviceUrl } from "./http.ts";
import { bridgeMessages } from "./mcp_bridge.ts";

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["url", "key", "config", "json"]);
  const stop = new AbortController();
  const end = () => {
    stop.abort();
    process.stdin.destroy();
  };
  io.signal.addEventListener("abort", end, { once: true });
  // Whoever started us is gone.
  process.stdout.once("error", end);
  callerKey(args, io); // a missing key is said at once, not at the first message
  await bridgeMessages(process.stdin, {
    // Read for each message: the service may start later, or again on another port.
    peer: () => ({ url: `${serviceUrl(args, io)}/mcp`, key: callerKey(args, io) }),
    write: io.out,
    complain: (sentence) => io.err(`assay mcp: ${sentence}\n`),
    signal: stop.signal,
  });
  return EXIT.ok;
};
