import { type CommandArgs, type CommandIo, EXIT, flag } from "./command.ts";
import { callerKey, serviceUrl } from "./http.ts";
import { bridgeMessages } from "./mcp_bridge.ts";
import { setupText } from "./mcp_setup.ts";

/**
 * On a terminal, prints how to set up assistants. On a pipe, serves the assistant; if the pipe ends without a message, it prints
 * the same lines.
 */
export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  if (args.flags.setup !== undefined || process.stdin.isTTY) {
    io.out(setupText(args, io));
    return EXIT.ok;
  }
  const stop = new AbortController();
  const end = () => {
    stop.abort();
    process.stdin.destroy();
  };
  io.signal.addEventListener("abort", end, { once: true });
  // The parent process has exited.
  process.stdout.once("error", end);
  reportMissingKey(args, io);
  const tools = flag(args, "tools");
  const path = tools === null ? "/mcp" : `/mcp?${new URLSearchParams({ tools })}`;
  const passed = await bridgeMessages(process.stdin, {
    // Read for each message: the service may start later, or again on another port.
    peer: () => ({ url: `${serviceUrl(args, io)}${path}`, key: callerKey(args, io) }),
    write: io.out,
    complain: (sentence) => io.err(`assay mcp: ${sentence}\n`),
    signal: stop.signal,
  });
  if (passed === 0 && !io.signal.aborted) io.out(setupText(args, io));
  return EXIT.ok;
};

/** At once, and not at the first message. */
const reportMissingKey = (args: CommandArgs, io: CommandIo): void => {
  try {
    callerKey(args, io);
  } catch (error) {
    io.err("assay mcp: 'assay mcp --setup' shows how assistants are set up\n");
    throw error;
  }
};
