import type { RunningService } from "../main.ts";
import type { EnabledNetwork } from "../wiring/enabled_network.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, numberFlag, UsageFault } from "./command.ts";
import { configuredNetworks, openConfigured, runUntilStopped, waitIndexed } from "./run.ts";

/** Those of the configured networks that are to be indexed, and how far. */
const chosen = (args: CommandArgs, all: readonly EnabledNetwork[]): EnabledNetwork[] => {
  const only = flag(args, "network");
  const from = numberFlag(args, "from");
  const to = numberFlag(args, "to");
  if (from !== null && to !== null && from > to) throw new UsageFault("--from is above --to");
  const networks = all.filter(({ network }) => only === null || network.id === only);
  return networks.map((enabled) => ({ ...enabled, ...(from === null ? {} : { oldest_block: from }), to_block: to }));
};

/**
 * Longest time from the first signal to the end of the process. Everything that waits hears the signal; this is for what then
 * hangs all the same. A cut at any moment is what the next start finishes, so ending is never wrong.
 */
const END_WITHIN_MS = 8_000;

const endInTime = (io: CommandIo): void => {
  const end = () => {
    io.err("assay: it did not stop in time, and ends now; the next start finishes what was begun\n");
    process.exit(EXIT.error);
  };
  io.signal.addEventListener("abort", () => void setTimeout(end, END_WITHIN_MS).unref(), { once: true });
};

/** Indexes until everything is written. Reports failures on stderr, network by network. */
const runOnce = async (service: RunningService, io: CommandIo): Promise<number> => {
  await service.indexed;
  const { networks } = await service.status();
  await service.close();
  for (const [network, { problem }] of Object.entries(networks)) {
    if (problem !== null) io.err(`assay: ${network}: ${problem}\n`);
  }
  if (io.signal.aborted) io.err("assay: stopped before everything was written\n");
  return io.signal.aborted || Object.values(networks).some(({ problem }) => problem !== null) ? EXIT.error : EXIT.ok;
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const loaded = io.settings();
  const once = flag(args, "once") !== null;
  const wait_seconds = numberFlag(args, "wait");
  if (wait_seconds !== null && !once) throw new UsageFault("--wait goes with --once");
  const choose = (all: readonly EnabledNetwork[]) => chosen(args, all);
  if (choose(configuredNetworks(loaded)).length === 0)
    throw new UsageFault(`network '${flag(args, "network")}' is not configured, or is switched off`);
  const wait_ms = wait_seconds === null ? null : wait_seconds * 1000;
  endInTime(io);
  const service = await openConfigured(loaded, { choose, surfaces: false, indexing: true, once, wait_ms }, io);
  await waitIndexed(service, io);
  return once ? runOnce(service, io) : runUntilStopped(service, io);
};
