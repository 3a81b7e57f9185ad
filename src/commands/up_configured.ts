import type { ServiceOwner } from "./answering_process.ts";
import type { CommandIo } from "./command.ts";
import { ownScreen } from "./own_screen.ts";
import { checkPorts } from "./port.ts";
import { showFirstScreen } from "./ready.ts";
import { configuredNetworks, openConfigured, runUntilStopped, waitReady } from "./run.ts";

interface UpOptions {
  readonly owner: ServiceOwner;
  /** As it was given on the command line. */
  readonly config: string | null;
}

/** Indexes and serves the configured networks until a stop signal. */
export const runConfigured = async (io: CommandIo, { owner, config }: UpOptions): Promise<number> => {
  const loaded = io.settings();
  const networks = configuredNetworks(loaded);
  await checkPorts(loaded.settings);
  const started = performance.now();
  io.err(`assay: ${loaded.file ?? "configured by the environment"}\n  stores   ${loaded.data_dir}\n`);
  const service = await openConfigured(loaded, { surfaces: true, indexing: true, once: false }, io);
  owner.noteUrl(service.url ?? "");
  io.err(`  address  ${service.url} (answers while it indexes)\n`);
  if (service.operator_url !== null) io.err(`  operator ${service.operator_url}\n`);
  await waitReady(service, io);
  void service.warm();
  if (!io.signal.aborted) {
    const seconds = (performance.now() - started) / 1000;
    showFirstScreen(service, await ownScreen(service, networks, { config, seconds }), io);
  }
  return runUntilStopped(service, io);
};
