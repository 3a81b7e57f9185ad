import { join } from "node:path";
import type { Network } from "../chains/chain.ts";
import type { LoadedSettings } from "../config/settings.ts";
import { AssayError } from "../lib/errors.ts";
import { openLog } from "../lib/log.ts";
import { openService, type Service, type ServiceOptions } from "../main.ts";
import { readExamples } from "../surfaces/examples.ts";
import { type EnabledNetwork, enabledNetwork } from "../wiring/enabled_network.ts";
import { type CommandIo, EXIT } from "./command.ts";
import { showProgress } from "./progress.ts";

/** Networks of the configuration; at least one. */
export const configuredNetworks = (loaded: LoadedSettings): EnabledNetwork[] => {
  const entries = Object.entries(loaded.settings.networks);
  if (entries.length === 0) {
    throw new AssayError({
      code: "CONFIG",
      message:
        "no network is configured: add one with 'assay network add', or run 'assay up' without a configuration for the demo",
    });
  }
  return entries.map(([id, entry]) => enabledNetwork(id, entry));
};

/** The networks of a configuration as a list import has to know them; none is needed. */
export const knownNetworks = (loaded: LoadedSettings): readonly Network[] =>
  Object.entries(loaded.settings.networks).map(([id, entry]) => enabledNetwork(id, entry).network);

export type Parts = Pick<ServiceOptions, "networks" | "surfaces" | "indexing" | "once" | "wait_ms" | "own_origins">;

/** Opens the service of a configuration. */
export const openConfigured = async (loaded: LoadedSettings, parts: Parts, io: CommandIo): Promise<Service> => {
  try {
    return await openService({
      ...parts,
      signal: io.signal,
      settings: loaded.settings,
      data_dir: loaded.data_dir,
      log: openLog(loaded.settings.log_level),
      examples: parts.surfaces ? readExamples(join(io.checkout, "docs", "examples")) : {},
    });
  } catch (error) {
    if (!io.signal.aborted) throw error;
    throw new AssayError({ code: "STOPPED", message: "stopped while it was opening", cause: error });
  }
};

/** Shows progress until every network has caught up (or its indexer ended). */
export const waitIndexed = async (service: Service, io: CommandIo): Promise<void> => {
  const read = async () => (await service.status()).networks;
  const progress = showProgress(io, read);
  const caughtUp = async (): Promise<boolean> =>
    Object.values(await read()).every(
      ({ state }) => state === "following" || state === "stopped" || state === "failed",
    );
  while (!io.signal.aborted && !(await caughtUp())) await pause(50, io.signal);
  await progress.stop();
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });

/** Resolves when the process is asked to stop. */
export const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Runs an open service until it is asked to stop, then closes it. */
export const runUntilStopped = async (service: Service, io: CommandIo): Promise<number> => {
  await stopped(io.signal);
  io.err("assay: stopping\n");
  await service.close();
  return EXIT.ok;
};
