import { type Command, type CommandArgs, type CommandIo, onlyFlags } from "./command.ts";
import { configuredNetworks, noteUrl, openConfigured, runUntilStopped } from "./run.ts";

const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json"]);
  const loaded = io.settings();
  const parts = { networks: configuredNetworks(loaded), surfaces: true, indexing: false, once: false };
  const service = await openConfigured(loaded, parts, io);
  io.err(`assay: serving on ${service.url}\n`);
  if (service.operator_url !== null) io.err(`assay: operator API on ${service.operator_url}\n`);
  const forget = noteUrl(loaded.data_dir, service.url ?? "");
  const code = await runUntilStopped(service, io);
  forget();
  return code;
};

export const serve: Command = {
  name: "serve",
  usage: "",
  summary: "Answer callers without reading nodes (another process runs 'assay index').",
  run,
};
