import { makePrivateFolder } from "../lib/private_folder.ts";
import { tryOwnService } from "./answering_process.ts";
import type { CommandArgs, CommandIo } from "./command.ts";
import { checkPorts } from "./port.ts";
import { configuredNetworks, openConfigured, runUntilStopped } from "./run.ts";

export const run = async (_args: CommandArgs, io: CommandIo): Promise<number> => {
  const loaded = io.settings();
  configuredNetworks(loaded);
  const parts = { surfaces: true, indexing: false, once: false };
  await checkPorts(loaded.settings);
  makePrivateFolder(loaded.data_dir);
  // Several may answer for one data directory; the first one is where other commands find the service.
  const owner = tryOwnService(loaded.data_dir);
  try {
    const service = await openConfigured(loaded, parts, io);
    io.err(`assay: serving on ${service.url}\n`);
    if (service.operator_url !== null) io.err(`assay: operator API on ${service.operator_url}\n`);
    if (owner === null)
      io.err(`assay: another process serves this data_dir too: commands without --url ask that one\n`);
    owner?.noteUrl(service.url ?? "");
    void service.warm();
    return await runUntilStopped(service, io);
  } finally {
    owner?.release();
  }
};
