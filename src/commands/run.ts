import { join } from "node:path";
import type { Network } from "../chains/chain.ts";
import type { LoadedSettings, NetworkSettings } from "../config/settings.ts";
import { AssayError } from "../lib/errors.ts";
import { openLog } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import { sha256Text } from "../lib/sha256.ts";
import type { IndexerStatus } from "../lib/status.ts";
import { openService, type RunningService, type ServiceOptions } from "../main.ts";
import { readExamples } from "../surfaces/openapi/examples.ts";
import { type EnabledNetwork, enabledNetwork } from "../wiring/enabled_network.ts";
import { type CommandIo, EXIT } from "./command.ts";
import { followConfiguration } from "./followed_configuration.ts";
import { showProgress } from "./progress.ts";
import { startStatusLine } from "./status_line.ts";
import { programVersion } from "./version.ts";

/** Networks of the configuration that are switched on; at least one is configured. */
export const configuredNetworks = (loaded: LoadedSettings): EnabledNetwork[] => {
  const entries = Object.entries(loaded.settings.networks);
  if (entries.length === 0) {
    throw new AssayError({
      code: "CONFIG",
      message:
        "no network is configured: add one with 'assay network add', or run 'assay up' without a configuration for the demo",
    });
  }
  return selectNetworks(loaded).enabled;
};

const markOf = (entry: NetworkSettings): string => sha256Text(JSON.stringify(entry));

/** The networks of a configuration, which may have none by now. */
export const selectNetworks = (loaded: LoadedSettings): { enabled: EnabledNetwork[]; disabled: string[] } => {
  const entries = Object.entries(loaded.settings.networks);
  return {
    enabled: entries
      .filter(([, { enabled }]) => enabled)
      .map(([id, entry]) => ({ ...enabledNetwork(id, entry), configured: markOf(entry) })),
    disabled: entries.filter(([, { enabled }]) => !enabled).map(([id]) => id),
  };
};

/** The networks of a configuration as a list import has to know them; none is needed. */
export const knownNetworks = (loaded: LoadedSettings): readonly Network[] =>
  Object.entries(loaded.settings.networks).map(([id, entry]) => enabledNetwork(id, entry).network);

export type RunOptions = Pick<ServiceOptions, "surfaces" | "indexing" | "once" | "wait_ms" | "own_origins" | "cast"> & {
  /** Those of the demo; of a configuration they come and go with its file. */
  readonly networks?: readonly EnabledNetwork[];
  /** Which of the configured ones this process runs; all when left out. */
  readonly choose?: (all: readonly EnabledNetwork[]) => readonly EnabledNetwork[];
};

/** Opens the service of a configuration, and follows the networks of its file. */
export const openConfigured = async (
  loaded: LoadedSettings,
  parts: RunOptions,
  io: CommandIo,
): Promise<RunningService> => {
  const { networks, choose = (all) => all, ...how } = parts;
  const log = openLog(loaded.settings.log_level, loaded.settings.log_format);
  const wantedIn = (now: LoadedSettings) => {
    const { enabled, disabled } = selectNetworks(now);
    return { enabled: choose(enabled), disabled };
  };
  const wanted = networks === undefined ? wantedIn(loaded) : { enabled: networks, disabled: [] };
  const service = await opened(loaded, { ...how, networks: wanted.enabled, disabled: wanted.disabled, log }, io);
  if (networks === undefined && !parts.once) void followConfiguration(service, { loaded, wantedIn, log, io });
  return service;
};

type RunServiceOptions = Omit<ServiceOptions, "settings" | "data_dir" | "examples">;

const opened = async (loaded: LoadedSettings, parts: RunServiceOptions, io: CommandIo): Promise<RunningService> => {
  try {
    return await openService({
      ...parts,
      signal: io.signal,
      settings: loaded.settings,
      data_dir: loaded.data_dir,
      version: programVersion(io.checkout),
      examples: parts.surfaces ? readExamples(join(io.checkout, "docs", "examples")) : {},
      docs: join(io.checkout, "docs"),
      portal: join(io.checkout, "dist", "portal"),
    });
  } catch (error) {
    if (!io.signal.aborted) throw error;
    throw new AssayError({ code: "STOPPED", message: "stopped while it was opening", cause: error });
  }
};

const waitUntil = async (
  is: (status: IndexerStatus) => boolean,
  service: RunningService,
  io: CommandIo,
): Promise<void> => {
  const progress = showProgress(io, service.progress);
  const hasEnded = ({ state }: IndexerStatus): boolean => state === "stopped" || state === "failed";
  const isThere = (): boolean => Object.values(service.progress()).every((one) => is(one) || hasEnded(one));
  while (!io.signal.aborted && !isThere()) await pause(50, io.signal);
  progress.stop();
};

/** Shows progress until every network has caught up (or its indexer ended). */
export const waitIndexed = (service: RunningService, io: CommandIo): Promise<void> =>
  waitUntil(({ state }) => state === "following", service, io);

/** The same, until prices, labels and lists say all that follows from the blocks, too. */
export const waitDerived = (service: RunningService, io: CommandIo): Promise<void> =>
  waitUntil(({ state, derives }) => state === "following" && !derives, service, io);

/** How long history is waited for when a network answers already. */
const HISTORY_MS = 10_000;

/**
 * Shows progress until every network is as far as it comes soon: it follows its node, answers for a while already, another
 * process indexes it, or its node is away.
 */
export const waitReady = async (service: RunningService, io: CommandIo): Promise<void> => {
  const progress = showProgress(io, service.progress);
  const answers_since = new Map<string, number>();
  const isSettled = ([network, { state, indexed, problem }]: [string, IndexerStatus]): boolean => {
    if (SETTLED.includes(state)) return true;
    if (indexed === null) return problem !== null;
    const since = answers_since.get(network) ?? performance.now();
    answers_since.set(network, since);
    return performance.now() - since >= HISTORY_MS;
  };
  while (!io.signal.aborted && !Object.entries(service.progress()).map(isSettled).every(Boolean)) {
    await pause(50, io.signal);
  }
  progress.stop();
};

const SETTLED: readonly IndexerStatus["state"][] = ["following", "waiting", "stopped", "failed"];

/** Resolves when the process receives a stop signal. */
export const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Runs an open service until a stop signal, then closes it. */
export const runUntilStopped = async (service: RunningService, io: CommandIo): Promise<number> => {
  const line = startStatusLine(service, io);
  await stopped(io.signal);
  line.stop();
  io.err("assay: stopping\n");
  await service.close();
  return EXIT.ok;
};
