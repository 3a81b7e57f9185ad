import { makePrivateFolder } from "../lib/private_folder.ts";
import { ownService, type ServiceOwner } from "./answering_process.ts";
import { type CommandArgs, type CommandIo, onlyFlags } from "./command.ts";
import { configuredNetworks, openConfigured, runUntilStopped, waitIndexed } from "./run.ts";

const runConfigured = async (io: CommandIo, owner: ServiceOwner): Promise<number> => {
  const loaded = io.settings();
  const parts = { networks: configuredNetworks(loaded), surfaces: true, indexing: true, once: false };
  io.err(`assay: ${loaded.file ?? "configured by the environment"}\n  stores   ${loaded.data_dir}\n`);
  const service = await openConfigured(loaded, parts, io);
  owner.noteUrl(service.url ?? "");
  io.err(`  address  ${service.url} (answers while it indexes)\n`);
  if (service.operator_url !== null) io.err(`  operator ${service.operator_url}\n`);
  await waitIndexed(service, io);
  return runUntilStopped(service, io);
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json"]);
  const loaded = io.settings();
  makePrivateFolder(loaded.data_dir);
  // Before anything is opened: a second one must neither bind, index nor take the first one's address.
  const owner = ownService(loaded.data_dir);
  try {
    if (Object.keys(loaded.settings.networks).length > 0) return await runConfigured(io, owner);
    return await (await import("./up_demo.ts")).runDemo(io, owner);
  } finally {
    owner.release();
  }
};
