import { makePrivateFolder } from "../lib/private_folder.ts";
import { ownService } from "./answering_process.ts";
import { type CommandArgs, type CommandIo, flag } from "./command.ts";

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const loaded = io.settings();
  makePrivateFolder(loaded.data_dir);
  // Before anything is opened: a second one must neither bind, index nor take the first one's address.
  const owner = ownService(loaded.data_dir);
  try {
    if (Object.keys(loaded.settings.networks).length > 0)
      return await (await import("./up_configured.ts")).runConfigured(io, { owner, config: flag(args, "config") });
    return await (await import("./up_demo.ts")).runDemo(io, owner);
  } finally {
    owner.release();
  }
};
