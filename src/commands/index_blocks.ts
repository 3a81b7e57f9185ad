import type { EnabledNetwork } from "../main.ts";
import {
  type Command,
  type CommandArgs,
  type CommandIo,
  EXIT,
  flag,
  numberFlag,
  onlyFlags,
  UsageFault,
} from "./command.ts";
import { configuredNetworks, openConfigured, runUntilStopped, waitIndexed } from "./run.ts";

const chosen = (args: CommandArgs, all: readonly EnabledNetwork[]): EnabledNetwork[] => {
  const only = flag(args, "network");
  const from = numberFlag(args, "from");
  const to = numberFlag(args, "to");
  if (from !== null && to !== null && from > to) throw new UsageFault("--from lies above --to");
  const networks = all.filter(({ network }) => only === null || network.id === only);
  if (networks.length === 0) throw new UsageFault(`network '${only}' is not configured`);
  return networks.map((enabled) => ({ ...enabled, ...(from === null ? {} : { oldest_block: from }), to_block: to }));
};

const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json", "network", "from", "to", "once"]);
  const loaded = io.settings();
  const once = flag(args, "once") !== null;
  const networks = chosen(args, configuredNetworks(loaded));
  const service = await openConfigured(loaded, { networks, surfaces: false, indexing: true, once }, io);
  await waitIndexed(service, io);
  if (!once) return runUntilStopped(service, io);
  await service.indexed;
  const { networks: states } = await service.status();
  await service.close();
  return Object.values(states).some(({ problem }) => problem !== null) ? EXIT.error : EXIT.ok;
};

export const indexBlocks: Command = {
  name: "index",
  usage: "[--network N] [--from BLOCK] [--to BLOCK] [--once]",
  summary: "Read nodes into the facts store without answering callers.",
  run,
};
